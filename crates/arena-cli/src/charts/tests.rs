use super::draw::wrap;
use super::*;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

fn row(name: &str, elo: f64, low: f64, high: f64) -> RatingRow {
    RatingRow { name: name.into(), elo, low, high }
}

/// Checks that tags are balanced, attributes quoted and numbers finite.
fn check(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray >");
        let end = start + rest[start..].find('>').expect("an open tag");
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "bad tag {tag}");
        let name = tag.trim_start_matches('/').split_whitespace().next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    for (i, _) in svg.match_indices('&') {
        assert!(["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].iter().any(|e| svg[i..].starts_with(e)));
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    for attribute in ["x", "y", "cx", "cy", "r", "points"] {
        for (start, found) in svg.match_indices(&format!(" {attribute}=\"")) {
            let value = svg[start + found.len()..].split('"').next().unwrap();
            for number in value.split([',', ' ']).filter(|number| !number.is_empty()) {
                assert!(number.parse::<f64>().is_ok_and(|n| (0.0..20_000.0).contains(&n)), "{attribute} {value}");
            }
        }
    }
}

fn odd_values() -> Vec<f64> {
    vec![0.0, 50.0, -3000.0, INF, -INF, NAN, f64::MAX, f64::MIN, 1e-9]
}

#[test]
fn names_are_in_the_picture() {
    let svg = ratings("Round robin", "50 games", None, &[row("alpha", -20.0, -30.0, -10.0), row("beta", 123.4, 105.0, 141.0)]);
    let svg = svg.unwrap();
    check(&svg);
    for text in ["Round robin", "50 games", "alpha", "beta", "+123", "±18", "−20", "Elo (0 = mean of all)"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.find("beta") < svg.find("alpha"), "best on top");

    let line = Line { name: "gamma".into(), points: (1..2000).map(|i| (i as f64, 55.0, 50.0, 60.0)).collect() };
    let svg = score_over_games("Match", "", "Score (%)", &[line]).unwrap();
    check(&svg);
    assert!(svg.contains("gamma: 55.0 %") && svg.len() < 40_000);

    let points = [(2.0, 40.0, 30.0, 50.0), (1.0, 0.0, -10.0, 10.0)];
    let svg = curve("Scan", "", "Depth", "Elo", &points, &["two".into(), "one".into()]).unwrap();
    check(&svg);
    assert!(["Depth", "Elo", "two", "one"].iter().all(|text| svg.contains(text)));
}

#[test]
fn markup_and_control_characters_are_harmless() {
    let bad = "<b>&\"'\u{1}\u{0}\n\u{ffff}x</b>";
    let line = Line { name: bad.into(), points: vec![(1.0, 50.0, 40.0, 60.0)] };
    for svg in [
        ratings(bad, bad, Some(bad), &[row(bad, 0.0, -1.0, 1.0)]),
        score_over_games(bad, bad, "Score (%)", &[line]),
        curve(bad, bad, bad, bad, &[(1.0, 1.0, 0.0, 2.0)], &[bad.into()]),
    ] {
        let svg = svg.unwrap();
        check(&svg);
        assert!(svg.contains("&lt;b&gt;&amp;&quot;&apos;") && !svg.contains(['\u{0}', '\u{1}', '\u{ffff}']));
    }
}

#[test]
fn empty_input_says_so() {
    for svg in [
        ratings("", "", None, &[]),
        score_over_games("", "", "Score (%)", &[]),
        score_over_games("", "", "Score (%)", &[Line { name: "x".into(), points: vec![] }]),
        curve("", "", "", "", &[], &[]),
        curve("", "", "", "", &[(NAN, 1.0, 1.0, 1.0)], &[]),
    ] {
        let svg = svg.unwrap();
        check(&svg);
        assert!(svg.contains("No data"));
    }
}

#[test]
fn odd_values_never_panic() {
    for &a in &odd_values() {
        for &b in &odd_values() {
            for &c in &odd_values() {
                check(&ratings("t", "s", None, &[row("x", a, b, c)]).unwrap());
                check(&ratings("t", "s", None, &[row("x", a, b, c), row("y", c, a, b), row("z", 10.0, 0.0, 20.0)]).unwrap());
                let line = |points| Line { name: "x".into(), points };
                check(
                    &score_over_games(
                        "t",
                        "s",
                        "Score (%)",
                        &[line(vec![(a, b, c, a), (b, c, a, b)]), line(vec![(10.0, a, b, c)])],
                    )
                    .unwrap(),
                );
                check(&curve("t", "s", "x", "y", &[(a, b, c, a), (c, a, b, c), (3.0, a, b, c)], &[]).unwrap());
            }
        }
    }
}

#[test]
fn equal_values_and_many_rows() {
    for n in [1, 2, 6, 25, 40, 100] {
        let rows: Vec<_> = (0..n).map(|i| row(&format!("player {i}"), 7.0, 7.0, 7.0)).collect();
        let svg = ratings("t", "s", None, &rows).unwrap();
        check(&svg);
        assert_eq!(svg.matches("<circle").count(), n);
    }
    check(&curve("t", "s", "x", "y", &[(3.0, 5.0, 5.0, 5.0); 4], &[]).unwrap());
}

#[test]
fn end_labels_keep_their_distance() {
    let places = spread(&[100.0, 101.0, 99.0, 300.0, 299.0], (0.0, 300.0), 20.0);
    let mut sorted = places.clone();
    sorted.sort_by(f64::total_cmp);
    assert!(sorted.windows(2).all(|w| w[1] - w[0] >= 19.99) && sorted[0] >= 0.0 && sorted[4] <= 300.0);
    assert!(places[2] < places[0] && places[0] < places[1]);
}

#[test]
fn texts_are_fitted() {
    assert_eq!(shorten("short", 14.0, 200.0), "short");
    let long = shorten(&"wide name ".repeat(20), 14.0, 200.0);
    assert!(long.ends_with('…') && text_width(&long, 14.0) <= 200.0);
    let lines = wrap(&"some words ".repeat(60), 13.0, 300.0, 3);
    assert!(lines.len() == 3 && lines[2].ends_with('…') && lines.iter().all(|line| text_width(line, 13.0) <= 300.0));
    assert_eq!(number(-1234567.25, 1), "−1,234,567.2");
    assert_eq!(number(-0.2, 0), "0");
    assert_eq!(half_width(&row("x", 1.0, -INF, 2.0)), "±∞");
    assert_eq!(signed(-INF), "−∞");
}

#[test]
fn ticks_are_round() {
    let axis = Axis::new((-130.0, 260.0), (0.0, 500.0), 75.0, true);
    assert_eq!(axis.labels(), ["−100", "0", "100", "200"]);
    assert_eq!(Axis::new((0.5, 4.5), (0.0, 700.0), 40.0, true).labels(), ["1", "2", "3", "4"]);
}
