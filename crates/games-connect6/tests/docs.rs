//! The chapter on Connect6 has what the example draws.

#[allow(dead_code)]
#[path = "../examples/connect6_threats.rs"]
mod example;

#[test]
fn the_chapter_has_the_threats_as_they_are() {
    let chapter = include_str!("../../../docs/connect6.md");
    for drawn in [example::threats().unwrap(), example::forced().unwrap()] {
        assert!(drawn.lines().count() > 2);
        assert!(chapter.contains(drawn.trim_end()), "docs/connect6.md is to have\n{drawn}");
    }
}
