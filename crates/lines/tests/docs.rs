//! The chapter on gomoku has what the example draws.

#[allow(dead_code)]
#[path = "../examples/patterns.rs"]
mod patterns;

#[test]
fn the_chapter_has_the_patterns_as_they_are() {
    let chapter = include_str!("../../../docs/gomoku.md");
    let table = patterns::table().unwrap();
    assert!(table.lines().count() > 10);
    assert!(chapter.contains(&table), "docs/gomoku.md is to have\n{table}");
}
