//! Records and histories: what they hold, and what they refuse.

use gamecore::testing::toys::{Nim, Pig, PigMove, TicTacToe};
use gamecore::{Game, History, PlayError, Record, RecordError, ResolveError, Step, Text, TextError, Turn};

const PIG: &str = "\
boardwright record 1
game: pig
position: 10: 0 0 one +0
event: tests

roll
# a comment
4 roll +0.2500
3 hold -0.1250
roll +0.0000
1 roll
6
";

#[test]
fn a_record_reads_back() {
    let record = Record::<Pig>::parse(PIG).unwrap();
    assert_eq!(record.history().state().position_text(), "10: 7 0 one +6");
    assert_eq!(record.tags(), [("event".to_string(), "tests".to_string())]);
    let values: Vec<f64> = record.values().iter().flatten().copied().collect();
    assert_eq!(values, [0.25, -0.125, 0.0]);
    assert_eq!(record.history().steps().len(), 9);
    assert_eq!(record.to_text(), PIG.replace("# a comment\n", ""));
    let windows = format!("\u{feff}{}", PIG.replace('\n', "\r\n"));
    assert_eq!(Record::<Pig>::parse(&windows).unwrap().to_text(), record.to_text());
}

#[test]
fn every_error_names_its_line() {
    let refused = |old: &str, new: &str| {
        assert!(PIG.contains(old), "{old}");
        Record::<Pig>::parse(&PIG.replace(old, new)).unwrap_err()
    };
    let found = |text: &str| text.to_string();
    assert_eq!(refused("record 1", "record 2"), RecordError::NoHeader { found: found("boardwright record 2") });
    assert!(matches!(Record::<Pig>::parse(""), Err(RecordError::NoHeader { .. })));
    assert_eq!(refused("event: tests", "event tests"), RecordError::NoTag { line: 4, found: found("event tests") });
    assert_eq!(refused("game: pig", "game: hog"), RecordError::OtherGame { line: 2, found: found("hog"), expected: "pig" });
    assert_eq!(refused("event: tests", "game: pig"), RecordError::TwiceTag { line: 4, tag: "game" });
    let many: String = (0..201).map(|i| format!("t{i}: 1\n")).collect();
    assert_eq!(refused("event: tests\n", &many), RecordError::TooManyTags { line: 204 });
    assert_eq!(refused("game: pig\n", ""), RecordError::MissingTag { tag: "game" });
    assert_eq!(refused("position: 10: 0 0 one +0\n", ""), RecordError::MissingTag { tag: "position" });
    assert!(matches!(refused("10: 0", "10: 99"), RecordError::Text { line: 3, source: TextError::Forbidden { .. } }));
    assert!(matches!(refused("4 roll", "7 roll"), RecordError::Text { line: 8, source: TextError::Unreadable { .. } }));
    assert!(matches!(refused("3 hold", "3 pass"), RecordError::Text { line: 9, source: TextError::Unreadable { .. } }));
    // Without the first roll there is nothing to hold, though the word is a move.
    assert!(matches!(refused("\n\nroll", "\n\nhold"), RecordError::Text { line: 6, source: TextError::Forbidden { .. } }));
    assert_eq!(refused("+0.2500", "good"), RecordError::NoValue { line: 8, found: found("good") });
    assert_eq!(refused("+0.2500", "inf"), RecordError::NoValue { line: 8, found: found("inf") });
    assert_eq!(refused("+0.2500", "+0.25 +0.25"), RecordError::NoValue { line: 8, found: found("+0.25") });
    assert_eq!(refused("1 roll\n6\n", "6 roll\n6 roll\n"), RecordError::AfterEnd { line: 12, found: found("roll") });
    let message = refused("4 roll", "7 roll").to_string();
    assert!(message.starts_with("line 8: \"7\" is not a roll"), "{message}");
}

#[test]
fn tags_stay_on_their_lines() {
    let mut record = Record::from(TicTacToe::default());
    record.set_tag("two words:", "a\nb");
    record.set_tag("", "ignored");
    record.set_tag("game", "ignored");
    record.set_tag("two words:", "\u{1}c\td\u{202e}");
    assert_eq!(record.tags(), [("two_words_".to_string(), "c d".to_string())]);
    let read = Record::<TicTacToe>::parse(&record.to_text()).unwrap();
    assert_eq!(read.tags(), record.tags());
}

#[test]
fn records_take_steps_back() {
    let mut record = Record::from(TicTacToe::default());
    record.push(Step::Move(4), Some(0.5));
    record.push(Step::Move(0), Some(f64::NAN));
    assert_eq!(record.undo(), Some(Step::Move(0)));
    assert_eq!((record.values(), record.history().state().position_text()), (&[Some(0.5)][..], "....x.... o".into()));
    assert_eq!((record.undo(), record.undo()), (Some(Step::Move(4)), None));
    assert!(record.values().is_empty());
}

#[test]
fn histories_go_forth_and_back() {
    let mut history = History::from(Pig::new(10));
    history.try_play(PigMove::Roll).unwrap();
    assert_eq!(history.try_play(PigMove::Roll), Err(PlayError::ChanceFirst { m: PigMove::Roll }));
    assert_eq!(history.try_resolve(7), Err(ResolveError::Impossible { event: 7 }));
    history.try_resolve(5).unwrap();
    assert_eq!(history.try_resolve(5), Err(ResolveError::NoChance { event: 5 }));
    history.push(Step::Move(PigMove::Hold));
    assert_eq!(history.try_play(PigMove::Hold), Err(PlayError::Illegal { m: PigMove::Hold }));
    assert_eq!(history.steps(), [Step::Move(PigMove::Roll), Step::Chance(5), Step::Move(PigMove::Hold)]);
    assert_eq!(history.states().len(), 4);
    assert_eq!(history.state().turn().decides(), Some(1));

    let states = history.states().to_vec();
    for before in states[..3].iter().rev() {
        assert!(history.undo().is_some());
        assert_eq!(history.state(), before);
    }
    assert_eq!(history.undo(), None);
    assert_eq!((history.state(), history.start()), (&Pig::new(10), &Pig::new(10)));

    let mut over = History::from(Nim::new(1));
    over.try_play(1).unwrap();
    let error = over.try_play(1).unwrap_err();
    assert_eq!((error, error.to_string().as_str()), (PlayError::Over { m: 1 }, "1 cannot be played: the game is over"));
}

/// The seat that decides, in tests only.
trait Decides {
    fn decides(&self) -> Option<usize>;
}

impl<C> Decides for Turn<C> {
    fn decides(&self) -> Option<usize> {
        match self {
            Turn::Decide(player) => Some(player.index()),
            Turn::Chance(_) | Turn::Over(_) => None,
        }
    }
}

#[test]
fn refused_steps_change_nothing() {
    let mut game = Pig::new(10);
    assert!(game.try_play(PigMove::Hold).is_err() && game == Pig::new(10));
    assert!(game.try_resolve(3).is_err() && game == Pig::new(10));
}
