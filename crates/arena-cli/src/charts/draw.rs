//! The pen: text, lines and axes on an SVG picture.

use std::fmt;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const WIDTH: f64 = 800.0;
pub(super) const MARGIN: f64 = 20.0;
/// Plotters rounds to whole units; drawing in quarter pixels keeps curves smooth.
pub(super) const SCALE: f64 = 4.0;
/// Larger values are drawn as this one.
pub(super) const FAR: f64 = 1e12;

pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
pub(super) const SOFT: RGBColor = RGBColor(90, 90, 90);
pub(super) const STRIPE: RGBColor = RGBColor(246, 246, 246);
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);
pub(super) const BASE: RGBColor = RGBColor(130, 130, 130);
/// The Okabe-Ito colours that are dark enough for lines on white.
pub(super) const PALETTE: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// The chart could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw the chart: {0}")]
pub(crate) struct ChartError(String);

pub(super) type Drawn = Result<(), ChartError>;
pub(super) type Point = (f64, f64);

/// Draws the heading, then lets `body` draw `height` pixels of chart below it; `body` is told where they start.
pub(super) fn picture(
    title: &str,
    subtitle: &str,
    height: f64,
    body: impl FnOnce(&mut Canvas, f64) -> Drawn,
) -> Result<String, ChartError> {
    let room = WIDTH - 2.0 * MARGIN;
    let heading = wrap(title, 21.0, room, 2).into_iter().map(|line| (line, Font { size: 19.0, bold: true, ..TEXT }, 26.0));
    let details = wrap(subtitle, 13.0, room, 3).into_iter().map(|line| (line, Font { size: 13.0, color: SOFT, ..TEXT }, 19.0));
    let lines: Vec<_> = heading.chain(details).collect();
    let top = 30.0 + lines.iter().map(|line| line.2).sum::<f64>();
    let size = (WIDTH, (top + height + 12.0).ceil());
    let mut svg = String::new();
    let mut canvas = Canvas(SVGBackend::with_string(&mut svg, ((size.0 * SCALE) as u32, (size.1 * SCALE) as u32)));
    canvas.rect((0.0, 0.0), size, WHITE)?;
    let mut y = 14.0;
    for (line, font, step) in &lines {
        canvas.text(line, (MARGIN, y + step / 2.0), *font)?;
        y += step;
    }
    body(&mut canvas, top)?;
    canvas.0.present().map_err(failed)?;
    drop(canvas);
    // The same picture at its true size, with smooth corners.
    let inside = svg.split_once('>').map_or("", |(_, inside)| inside);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" stroke-linejoin=\"round\">{inside}",
        size.0,
        size.1,
        size.0 * SCALE,
        size.1 * SCALE,
    ))
}

#[derive(Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) color: RGBColor,
    pub(super) anchor: HPos,
    pub(super) bold: bool,
    pub(super) upright: bool,
}

pub(super) const TEXT: Font = Font { size: 14.0, color: INK, anchor: HPos::Left, bold: false, upright: false };

/// The plotters back end, taking positions in pixels.
pub(super) struct Canvas<'a>(SVGBackend<'a>);

impl Canvas<'_> {
    pub(super) fn path(&mut self, points: &[Point], color: impl Into<RGBAColor>, width: f64) -> Drawn {
        let style = ShapeStyle { color: color.into(), filled: false, stroke_width: (width * SCALE) as u32 };
        self.0.draw_path(points.iter().map(|p| unit(*p)), &style).map_err(failed)
    }

    pub(super) fn fill(&mut self, points: &[Point], color: impl Into<RGBAColor>) -> Drawn {
        self.0.fill_polygon(points.iter().map(|p| unit(*p)), &color.into()).map_err(failed)
    }

    pub(super) fn rect(&mut self, a: Point, b: Point, color: RGBColor) -> Drawn {
        self.fill(&[a, (b.0, a.1), b, (a.0, b.1)], color)
    }

    pub(super) fn dot(&mut self, at: Point, radius: f64, color: RGBColor) -> Drawn {
        self.0.draw_circle(unit(at), (radius * SCALE) as u32, &color, true).map_err(failed)
    }

    /// Writes text centred on the height `at.1`.
    pub(super) fn text(&mut self, text: &str, at: Point, font: Font) -> Drawn {
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        // Plotters divides font sizes by 1.24 when it writes SVG.
        let mut desc = FontDesc::new(FontFamily::SansSerif, font.size * SCALE * 1.24, weight);
        if font.upright {
            desc = desc.transform(FontTransform::Rotate270);
        }
        let style = TextStyle::from(desc).color(&font.color).pos(Pos::new(font.anchor, VPos::Center));
        // Half the height of an "x", by which plotters centres text, leaves capitals a little high.
        let at = if font.upright { (at.0 + font.size * 0.06, at.1) } else { (at.0, at.1 + font.size * 0.06) };
        // Control characters and these two are not allowed in XML.
        let allowed = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
        self.0.draw_text(&text.chars().map(allowed).collect::<String>(), &style, unit(at)).map_err(failed)
    }

    /// Draws an interval on `axis`, each end as a cap or, where it leaves the axis, as an arrow; `place` gives the point.
    pub(super) fn bar(&mut self, axis: &Axis, (low, high): (f64, f64), place: impl Fn(f64) -> Point) -> Drawn {
        let ends = [bound(low, -1.0), bound(high, 1.0)];
        let [from, to] = ends.map(|v| axis.at(v));
        self.path(&[place(from), place(to)], PALETTE[0], 1.75)?;
        let (ahead, zero) = (place(1.0), place(0.0));
        let d = (ahead.0 - zero.0, ahead.1 - zero.1);
        for (end, at, sign) in [(ends[0], from, -1.0), (ends[1], to, 1.0)] {
            let sign = sign * (axis.end - axis.start).signum();
            let beside = |back: f64, side: f64| {
                let p = place(at - sign * back);
                (p.0 + d.1 * side, p.1 + d.0 * side)
            };
            if end < axis.lo || end > axis.hi {
                self.fill(&[beside(-2.0, 0.0), beside(7.0, 4.5), beside(7.0, -4.5)], PALETTE[0])?;
            } else {
                self.path(&[beside(0.0, 4.0), beside(0.0, -4.0)], PALETTE[0], 1.75)?;
            }
        }
        Ok(())
    }

    /// Draws ticks and label below the plot, and grid lines if wanted.
    pub(super) fn x_axis(&mut self, axis: &Axis, (top, bottom): (f64, f64), label: &str, grid: bool) -> Drawn {
        let mut free = 0.0;
        for (tick, text) in axis.ticks.iter().zip(axis.labels()) {
            let (x, half) = (axis.at(*tick), text_width(&text, 12.0) / 2.0);
            self.path(&[(x, if grid { top } else { bottom }), (x, bottom + 4.0)], if grid { GRID } else { BASE }, 1.0)?;
            if x - half > free {
                self.text(&text, (x, bottom + 14.0), Font { size: 12.0, color: SOFT, anchor: HPos::Center, ..TEXT })?;
                free = x + half + 6.0;
            }
        }
        self.path(&[(axis.start, bottom), (axis.end, bottom)], BASE, 1.0)?;
        let label = shorten(label, 13.0, axis.end - axis.start);
        let middle = ((axis.start + axis.end) / 2.0, bottom + 36.0);
        self.text(&label, middle, Font { size: 13.0, anchor: HPos::Center, ..TEXT })
    }

    /// Draws ticks, grid lines and the upright label at the left of the plot.
    pub(super) fn y_axis(&mut self, axis: &Axis, (left, right): (f64, f64), label: &str) -> Drawn {
        for (tick, text) in axis.ticks.iter().zip(axis.labels()) {
            let y = axis.at(*tick);
            self.path(&[(left, y), (right, y)], GRID, 1.0)?;
            self.text(&text, (left - 8.0, y), Font { size: 12.0, color: SOFT, anchor: HPos::Right, ..TEXT })?;
        }
        let label = shorten(label, 13.0, axis.start - axis.end);
        let middle = (MARGIN + 8.0, (axis.start + axis.end) / 2.0);
        self.text(&label, middle, Font { size: 13.0, anchor: HPos::Center, upright: true, ..TEXT })
    }

    pub(super) fn no_data(&mut self, y: f64) -> Drawn {
        self.text("No data", (WIDTH / 2.0, y), Font { color: SOFT, anchor: HPos::Center, ..TEXT })
    }
}

/// Maps values from `lo` to `hi` onto pixels from `start` to `end`.
pub(super) struct Axis {
    pub(super) lo: f64,
    pub(super) hi: f64,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) ticks: Vec<f64>,
    pub(super) decimals: usize,
}

impl Axis {
    /// An axis with round ticks about `room` pixels apart; only whole numbers if `whole`.
    pub(super) fn new((lo, hi): (f64, f64), (start, end): (f64, f64), room: f64, whole: bool) -> Axis {
        let count = ((end - start).abs() / room).floor().max(2.0);
        let least = (hi - lo) / count;
        let power = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|step| *step >= least * 0.999);
        let step = step.unwrap_or(10.0 * power).max(if whole { 1.0 } else { 0.0 });
        let first = (lo / step).ceil();
        let ticks = (0..=count as usize).map(|i| (first + i as f64) * step).filter(|tick| *tick <= hi).collect();
        Axis { lo, hi, start, end, ticks, decimals: (-step.log10().floor()).clamp(0.0, 9.0) as usize }
    }

    /// The pixel of a value; a value beyond the axis lands on its edge.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.start + (value.clamp(self.lo, self.hi) - self.lo) / (self.hi - self.lo) * (self.end - self.start)
    }

    pub(super) fn labels(&self) -> Vec<String> {
        self.ticks.iter().map(|tick| number(*tick, self.decimals)).collect()
    }
}

pub(super) fn failed(error: impl fmt::Display) -> ChartError {
    ChartError(error.to_string())
}

pub(super) fn unit(p: Point) -> (i32, i32) {
    ((p.0 * SCALE).round() as i32, (p.1 * SCALE).round() as i32)
}

/// An interval end, with "not a number" read as no bound on that side.
pub(super) fn bound(value: f64, side: f64) -> f64 {
    if value.is_nan() { side * f64::INFINITY } else { value }
}

/// An estimate of the width of a text in pixels, on the large side.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        ' ' | '\'' | ',' | '.' | ':' | ';' | '!' | '|' | 'i' | 'j' | 'l' | 'I' | '(' | ')' | '[' | ']' | '/' => 0.37,
        'f' | 'r' | 't' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '—' => 1.0,
        '+' | '±' | '−' | '=' | '<' | '>' | '~' | '&' | '∞' => 0.84,
        'A'..='Z' => 0.75,
        c if c >= '\u{1100}' => 1.05,
        _ => 0.64,
    };
    text.chars().map(em).sum::<f64>() * size
}

pub(super) fn widest(texts: &[String], size: f64) -> f64 {
    texts.iter().map(|text| text_width(text, size)).fold(0.0, f64::max)
}

/// Cuts a text that is wider than `room` pixels and ends it with an ellipsis.
pub(super) fn shorten(text: &str, size: f64, room: f64) -> String {
    let mut short = text.trim().to_string();
    if text_width(&short, size) <= room {
        return short;
    }
    while !short.is_empty() && text_width(&short, size) + text_width("…", size) > room {
        short.pop();
    }
    short.trim_end_matches(|c: char| !c.is_alphanumeric()).to_string() + "…"
}

/// Breaks a text at spaces into at most `most` lines; the last one is shortened if need be.
pub(super) fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == most;
        match lines.last_mut() {
            Some(line) if full || text_width(line, size) + text_width(word, size) + size * 0.37 <= room => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.iter().map(|line| shorten(line, size, room)).collect()
}

/// A number with commas between thousands and a true minus sign.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let minus = value < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c));
    let mut out = String::from(if minus { "−" } else { "" });
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}
