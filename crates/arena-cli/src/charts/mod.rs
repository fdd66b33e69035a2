//! Charts for match reports, drawn as SVG text: ratings with error bars, a running score, and a curve over depths.
//!
//! Every chart is 800 pixels wide on white and asks for the viewer's own sans-serif font, so no font file is needed.
//! Text widths are estimated a little too large, so that labels keep clear of each other in any usual font.
//! An interval end that is infinite or not a number means "no bound known": its bar runs to the edge and ends in an arrow.

mod draw;

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor, WHITE};

pub(crate) use draw::ChartError;
use draw::{
    Axis, BASE, FAR, Font, MARGIN, PALETTE, Point, SOFT, STRIPE, TEXT, WIDTH, bound, number, picture, shorten, text_width, widest,
};

/// One player of a [`ratings`] chart.
#[derive(Clone, Debug)]
pub(crate) struct RatingRow {
    /// The player's name.
    pub(crate) name: String,
    /// The estimated rating.
    pub(crate) elo: f64,
    /// The lower end of the 95 % interval.
    pub(crate) low: f64,
    /// The upper end of the 95 % interval.
    pub(crate) high: f64,
}

/// One line of a [`score_over_games`] chart.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The name written at the right end of the line.
    pub(crate) name: String,
    /// Games played, then mean score, lower end and upper end of the 95 % interval, all three in percent (0 to 100).
    pub(crate) points: Vec<(f64, f64, f64, f64)>,
}

/// Draws players as dots with 95 % error bars, best on top, their figures at the right.
///
/// The axis is labelled `x_label`, or "Elo (0 = mean of all)" when that is `None`.
/// A bar far wider than the usual one is cut off with an arrow, so that it does not flatten the others.
pub(crate) fn ratings(title: &str, subtitle: &str, x_label: Option<&str>, rows: &[RatingRow]) -> Result<String, ChartError> {
    let mut rows: Vec<&RatingRow> = rows.iter().collect();
    rows.sort_by(|a, b| sort_key(b.elo).total_cmp(&sort_key(a.elo)));
    let pitch = [34.0, 30.0, 26.0, 22.0][[4, 12, 25].iter().filter(|&&n| rows.len() > n).count()];
    let height = pitch * rows.len().max(1) as f64;
    picture(title, subtitle, height + 46.0, |canvas, top| {
        if rows.is_empty() {
            return canvas.no_data(top + height / 2.0);
        }
        let names: Vec<String> = rows.iter().map(|row| shorten(&row.name, 14.0, 250.0)).collect();
        let elos: Vec<String> = rows.iter().map(|row| signed(row.elo)).collect();
        let halves: Vec<String> = rows.iter().map(|row| half_width(row)).collect();
        let (left, half_left) = (MARGIN + widest(&names, 14.0) + 14.0, WIDTH - MARGIN - widest(&halves, 14.0));
        let right = half_left - 6.0 - widest(&elos, 14.0) - 14.0;
        let bars: Vec<_> = rows.iter().map(|row| (row.elo, row.low, row.high)).collect();
        let x = Axis::new(fit(&bars, &[-10.0, 10.0]), (left, right), 50.0, true);
        let bottom = top + height;
        for y in (0..rows.len()).step_by(2).map(|i| top + pitch * i as f64) {
            canvas.rect((MARGIN - 6.0, y), (WIDTH - MARGIN + 6.0, y + pitch), STRIPE)?;
        }
        canvas.x_axis(&x, (top, bottom), x_label.unwrap_or("Elo (0 = mean of all)"), true)?;
        canvas.path(&[(x.at(0.0), top), (x.at(0.0), bottom)], BASE, 1.25)?;
        for (i, row) in rows.iter().enumerate() {
            let y = top + pitch * (i as f64 + 0.5);
            canvas.text(&names[i], (MARGIN, y), TEXT)?;
            canvas.text(&elos[i], (half_left - 6.0, y), Font { anchor: HPos::Right, ..TEXT })?;
            canvas.text(&halves[i], (WIDTH - MARGIN, y), Font { anchor: HPos::Right, color: SOFT, ..TEXT })?;
            if !row.elo.is_nan() {
                canvas.bar(&x, (row.low, row.high), |at| (at, y))?;
                canvas.dot((x.at(row.elo), y), 4.5, PALETTE[0])?;
            }
        }
        Ok(())
    })
}

/// Draws the running score in percent over the games played, with shaded 95 % bands and a line at 50 %.
///
/// The score axis follows the later, narrower part of the bands, and the first 2 % of each line's games, which say little,
/// are not drawn. Six lines have colours of their own.
pub(crate) fn score_over_games(title: &str, subtitle: &str, y_label: &str, lines: &[Line]) -> Result<String, ChartError> {
    let data: Vec<Vec<(f64, f64, f64, f64)>> = lines.iter().map(|line| clean_line(&line.points)).collect();
    let height = 340.0;
    picture(title, subtitle, height + 46.0, |canvas, top| {
        if data.iter().all(Vec::is_empty) {
            return canvas.no_data(top + height / 2.0);
        }
        let end = data.iter().flatten().fold(1.0_f64, |end, p| end.max(p.0));
        let mut shown = vec![48.0, 52.0];
        for points in &data {
            let last = points.last().map_or(0.0, |p| p.0);
            shown.extend(points.iter().filter(|p| p.0 >= 0.05 * last).map(|p| p.1));
            shown.extend(points.iter().filter(|p| p.0 >= 0.25 * last).flat_map(|p| [p.2, p.3]));
        }
        let (lo, hi) = fit(&[], &shown);
        let y = Axis::new((lo.max(-2.0), hi.min(102.0)), (top + height, top + 4.0), 30.0, false);
        let left = MARGIN + 24.0 + widest(&y.labels(), 12.0) + 8.0;
        let labels: Vec<String> = (lines.iter().zip(&data))
            .map(|(line, points)| {
                let score = points.last().map_or("no games".into(), |p| format!("{:.1} %", p.1));
                format!("{}: {score}", shorten(&line.name, 14.0, 180.0))
            })
            .collect();
        let right = WIDTH - MARGIN - widest(&labels, 14.0) - 26.0;
        let x = Axis::new((0.0, end), (left, right), 60.0, true);
        canvas.y_axis(&y, (left, right), y_label)?;
        canvas.x_axis(&x, (top + 4.0, top + height), "Games played by each", false)?;
        canvas.path(&[(left, y.at(50.0)), (right, y.at(50.0))], BASE, 1.25)?;
        let shade = 0.18 / (data.len() as f64).sqrt();
        for (i, points) in data.iter().enumerate() {
            let upper = points.iter().map(|p| (x.at(p.0), y.at(p.3)));
            let lower = points.iter().rev().map(|p| (x.at(p.0), y.at(p.2)));
            canvas.fill(&upper.chain(lower).collect::<Vec<_>>(), PALETTE[i % 6].mix(shade))?;
        }
        let ends: Vec<f64> = data.iter().map(|points| y.at(points.last().map_or(50.0, |p| p.1))).collect();
        let places = spread(&ends, (top + 8.0, top + height - 8.0), 19.0);
        for (i, points) in data.iter().enumerate() {
            let color = PALETTE[i % 6];
            for piece in visible_pieces(points, &y) {
                canvas.path(&piece.iter().map(|p| (x.at(p.0), y.at(p.1))).collect::<Vec<_>>(), color, 2.0)?;
            }
            if let Some(last) = points.last() {
                let from = (x.at(last.0), ends[i]);
                canvas.path(&[from, (right + 8.0, ends[i]), (right + 20.0, places[i])], color.mix(0.7), 1.0)?;
                canvas.dot(from, 3.5, color)?;
            }
            let dark = RGBColor(color.0 / 10 * 6, color.1 / 10 * 6, color.2 / 10 * 6);
            canvas.text(&labels[i], (right + 24.0, places[i]), Font { color: dark, ..TEXT })?;
        }
        Ok(())
    })
}

/// Draws a curve over whole numbers such as search depths: each point is (x, y, low, high) with an error bar.
///
/// `labels` are written beside the points, in the order of `points`; where one is missing, the value itself is written.
/// A label for which there is no free place is left out.
pub(crate) fn curve(
    title: &str,
    subtitle: &str,
    x_label: &str,
    y_label: &str,
    points: &[(f64, f64, f64, f64)],
    labels: &[String],
) -> Result<String, ChartError> {
    let mut data: Vec<_> = (points.iter().enumerate())
        .filter(|(_, p)| p.0.is_finite() && p.1.is_finite())
        .map(|(i, p)| {
            let p = (p.0.clamp(-FAR, FAR), p.1.clamp(-FAR, FAR), p.2, p.3);
            (p, labels.get(i).map_or_else(|| short_number(p.1), |label| shorten(label, 13.0, 160.0)))
        })
        .collect();
    data.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let height = 340.0;
    picture(title, subtitle, height + 46.0, |canvas, top| {
        let ([(first, _), ..], [.., (last, _)]) = (&data[..], &data[..]) else {
            return canvas.no_data(top + height / 2.0);
        };
        let bars: Vec<_> = data.iter().map(|(p, _)| (p.1, p.2, p.3)).collect();
        let y = Axis::new(fit(&bars, &[]), (top + height, top + 4.0), 45.0, false);
        let (left, right) = (MARGIN + 24.0 + widest(&y.labels(), 12.0) + 8.0, WIDTH - MARGIN);
        let pad = 0.5_f64.max((last.0 - first.0) * 0.06);
        let x = Axis::new((first.0 - pad, last.0 + pad), (left, right), 40.0, true);
        canvas.y_axis(&y, (left, right), y_label)?;
        canvas.x_axis(&x, (top + 4.0, top + height), x_label, false)?;
        let dots: Vec<Point> = data.iter().map(|(p, _)| (x.at(p.0), y.at(p.1))).collect();
        let ends: Vec<[f64; 2]> = data.iter().map(|(p, _)| [y.at(bound(p.3, 1.0)), y.at(bound(p.2, -1.0))]).collect();
        let mut ink: Vec<Point> = dots.windows(2).flat_map(|w| along(w[0], w[1])).collect();
        ink.extend(dots.iter().zip(&ends).flat_map(|(dot, end)| along((dot.0, end[0]), (dot.0, end[1]))));
        if y.lo < 0.0 && y.hi > 0.0 {
            let zero = [(left, y.at(0.0)), (right, y.at(0.0))];
            canvas.path(&zero, BASE, 1.25)?;
            ink.extend(along(zero[0], zero[1]));
        }
        let widths: Vec<f64> = data.iter().map(|(_, label)| text_width(label, 13.0)).collect();
        let places = place_labels(&widths, &dots, &ends, &ink, [left, right, top, top + height]);
        // White behind the labels, below the curve: grid lines do not cross them.
        for (at, w) in places.iter().zip(&widths).filter_map(|(at, w)| Some(((*at)?, w / 2.0))) {
            canvas.rect((at.0 - w, at.1 - 8.0), (at.0 + w, at.1 + 8.0), WHITE)?;
        }
        canvas.path(&dots, PALETTE[0], 2.0)?;
        for (((p, label), dot), at) in data.iter().zip(&dots).zip(&places) {
            canvas.bar(&y, (p.2, p.3), |at| (dot.0, at))?;
            canvas.dot(*dot, 4.5, PALETTE[0])?;
            if let Some(at) = at {
                canvas.text(label, *at, Font { size: 13.0, anchor: HPos::Center, ..TEXT })?;
            }
        }
        Ok(())
    })
}

/// Puts "not a number" last.
fn sort_key(value: f64) -> f64 {
    if value.is_nan() { f64::NEG_INFINITY } else { value }
}

/// Points a few pixels apart on a straight line.
fn along(a: Point, b: Point) -> impl Iterator<Item = Point> {
    let steps = ((b.0 - a.0).hypot(b.1 - a.1) / 3.0).ceil().max(1.0);
    (0..=steps as usize).map(move |i| (a.0 + (b.0 - a.0) * i as f64 / steps, a.1 + (b.1 - a.1) * i as f64 / steps))
}

/// Finds a centre for each label near its dot, in the frame `[left, right, top, bottom]`: off the dots and the other
/// labels, and with as little ink behind it as can be. `ends` are the upper and lower end of each dot's error bar.
fn place_labels(widths: &[f64], dots: &[Point], ends: &[[f64; 2]], ink: &[Point], frame: [f64; 4]) -> Vec<Option<Point>> {
    let mut taken = dots.to_vec();
    let place = |((w, dot), end): ((&f64, &Point), &[f64; 2])| {
        let (half, side) = (w / 2.0, w / 2.0 + 8.0);
        let beside = [(-side, -11.0), (side, 11.0), (side, -11.0), (-side, 11.0), (side, 0.0), (-side, 0.0)];
        let places = beside.map(|d| (dot.0 + d.0, dot.1 + d.1)).into_iter();
        let hits = |at: Point, marks: &[Point], room: f64| {
            marks.iter().filter(|m| (m.0 - at.0).abs() < half + room && (m.1 - at.1).abs() < 8.0 + room).count()
        };
        let inside =
            |at: Point| at.0 - half > frame[0] && at.0 + half < frame[1] && at.1 - 8.0 > frame[2] && at.1 + 8.0 < frame[3];
        let free = places.chain([(dot.0, end[0] - 13.0), (dot.0, end[1] + 13.0)]);
        let free = free.filter(|at| inside(*at) && hits(*at, &taken, 3.0) == 0);
        let at = free.min_by_key(|at| hits(*at, ink, 1.0))?;
        taken.extend([-8.0, 0.0, 8.0].iter().flat_map(|dy| along((at.0 - half, at.1 + dy), (at.0 + half, at.1 + dy))));
        Some(at)
    };
    widths.iter().zip(dots).zip(ends).map(place).collect()
}

/// An axis range that holds the `(value, low, high)` rows and `always`; intervals far wider than the usual one are cut.
fn fit(rows: &[(f64, f64, f64)], always: &[f64]) -> (f64, f64) {
    let finite = |v: f64| v.is_finite().then(|| v.clamp(-FAR, FAR));
    let extent = |values: &mut dyn Iterator<Item = f64>| {
        values
            .filter_map(finite)
            .fold(None, |seen: Option<(f64, f64)>, v| Some(seen.map_or((v, v), |(lo, hi)| (lo.min(v), hi.max(v)))))
    };
    let mut ends = rows.iter().flat_map(|r| [r.1, r.2]);
    let (lo, hi) = extent(&mut rows.iter().map(|r| r.0)).or_else(|| extent(&mut ends)).unwrap_or((0.0, 0.0));
    let mut arms: Vec<f64> = rows.iter().flat_map(|r| [r.0 - r.1, r.2 - r.0]).filter_map(finite).collect();
    arms.sort_by(f64::total_cmp);
    let reach = (hi - lo) / 2.0 + 3.0 * arms.get(arms.len().saturating_sub(1) / 2).map_or(0.0, |arm| arm.abs());
    let kept = rows.iter().flat_map(|r| [r.0, r.1, r.2]).filter_map(finite).map(|v| v.clamp(lo - reach, hi + reach));
    let (lo, hi) = extent(&mut kept.chain(always.iter().copied())).unwrap_or((0.0, 1.0));
    let size = lo.abs().max(hi.abs());
    let pad = if hi - lo > size * 1e-9 { (hi - lo) * 0.08 } else { (size * 0.1).max(1.0) };
    (lo - pad, hi + pad)
}

/// Drops points without a score and the first 2 % of the games, sorts, keeps scores within 0 to 100, thins out long lines.
fn clean_line(points: &[(f64, f64, f64, f64)]) -> Vec<(f64, f64, f64, f64)> {
    let percent = |v: f64| v.clamp(0.0, 100.0);
    let kept = points.iter().filter(|p| p.0.is_finite() && p.0 >= 0.0 && !p.1.is_nan());
    let mut line: Vec<_> =
        kept.map(|p| (p.0.min(FAR), percent(p.1), percent(bound(p.2, -1.0)), percent(bound(p.3, 1.0)))).collect();
    line.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (step, last) = (line.len() / 500 + 1, line.last().copied());
    let start = last.map_or(0.0, |p| 0.02 * p.0);
    line.into_iter().filter(|p| p.0 >= start).step_by(step).chain(last).collect()
}

/// The parts of a line of scores that lie within the axis.
fn visible_pieces(points: &[(f64, f64, f64, f64)], axis: &Axis) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    for pair in points.windows(2) {
        let ((x0, y0, ..), (x1, y1, ..)) = (pair[0], pair[1]);
        if y0.max(y1) < axis.lo || y0.min(y1) > axis.hi {
            continue;
        }
        let cut = |x: f64, y: f64| {
            let kept = y.clamp(axis.lo, axis.hi);
            if kept == y { (x, y) } else { (x0 + (x1 - x0) * (kept - y0) / (y1 - y0), kept) }
        };
        let (from, to) = (cut(x0, y0), cut(x1, y1));
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
    }
    pieces
}

/// Moves label positions apart to `gap` pixels, or less if they would not fit between `top` and `bottom`.
fn spread(wanted: &[f64], (top, bottom): (f64, f64), gap: f64) -> Vec<f64> {
    let gap = gap.min((bottom - top) / wanted.len() as f64);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut places = wanted.to_vec();
    let mut free = top;
    for &i in &order {
        places[i] = places[i].max(free);
        free = places[i] + gap;
    }
    let mut free = bottom;
    for &i in order.iter().rev() {
        places[i] = places[i].min(free);
        free = places[i] - gap;
    }
    places
}

/// A number with about three digits.
fn short_number(value: f64) -> String {
    number(value, (2.0 - value.abs().max(0.001).log10().floor()).clamp(0.0, 4.0) as usize)
}

/// A rating such as "+123"; beyond a million it counts as infinite.
fn signed(elo: f64) -> String {
    match elo {
        _ if elo.is_nan() => "?".into(),
        _ if elo >= 1e6 => "+∞".into(),
        _ if elo <= -1e6 => "−∞".into(),
        _ => (if elo > 0.5 { "+" } else { "" }).to_string() + &number(elo, 0),
    }
}

/// Half the width of a player's interval, such as "±18".
fn half_width(row: &RatingRow) -> String {
    match (row.high - row.low).abs() / 2.0 {
        _ if row.elo.is_nan() => String::new(),
        half if half < 1e6 => format!("±{}", number(half, 0)),
        _ => "±∞".into(),
    }
}

#[cfg(test)]
mod tests;
