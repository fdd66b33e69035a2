//! The suite must be able to fail: a game with one promise broken at a time, and the complaint that it earns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};

use gamecore::testing::{self, Trials};
use gamecore::{
    Bounds, Chance, Draw, Evaluator, Game, Ink, Leaf, Outcome, Picture, PlayError, Player, PolicyValue, ResolveError, StepOf,
    Symmetry, Text, TextError, TextKind, Track, Turn, mix, random,
};
use rand::Rng;

/// Declares the faults, and the list of them all.
macro_rules! faults {
    ($($name:ident,)*) => {
        /// What is wrong with a [`Walk`].
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        enum Fault {
            $($name,)*
        }

        const ALL: &[Fault] = &[$($name,)*];
    };
}

faults! {
    Nothing,
    KeyWithoutPhase,
    KeyOfPath,
    HashOfPath,
    OrderOfPath,
    OrderOfTheDay,
    MovesTwice,
    MovesMissing,
    ProbabilitySum,
    ProbabilityZero,
    EventTwice,
    MergedForeign,
    MergedWeight,
    MergedTooMuch,
    RepresentedByNone,
    RepresentedWrongly,
    SampleForeign,
    SampleBiased,
    Endless,
    PointsTooMany,
    PointsNone,
    RandomIllegal,
    RandomBiased,
    TryPlayTakes,
    TryPlayRefuses,
    TryPlayDiffers,
    AfterDiffers,
    ResolvedDiffers,
    TryResolveTakes,
    TextLosesMover,
    TextOfTwoLines,
    TextMoveOfTwoWords,
    TextMoveComment,
    TextMoveConfused,
    TextEventConfused,
    TextPanics,
    TextReadsIllegal,
    TextReadsAnytime,
    TextReadsImpossible,
    TextRaw,
    TextNonsense,
    TextDrifts,
    SymmetryLosesMover,
    SymmetryWithoutIdentity,
    SymmetryKeepsSeats,
    SymmetryWrongInverse,
    SymmetryWrongMoves,
    SymmetryWrongEvents,
    SymmetryPoints,
    PictureWide,
    PictureEmpty,
    PictureOfTwoLines,
}
use Fault::*;

/// A race over six squares: go one square, or as far as the die says, at most three.
#[derive(Clone, Copy, Debug)]
struct Walk {
    at: [u8; 2],
    mover: Player,
    die: u8,
    fault: Fault,
    /// Not part of the state.
    path: u64,
}

impl Walk {
    fn new(fault: Fault) -> Self {
        Self { at: [0; 2], mover: Player::One, die: 0, fault, path: 0 }
    }
}

impl PartialEq for Walk {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.mover, self.die) == (other.at, other.mover, other.die)
    }
}
impl Eq for Walk {}
impl std::hash::Hash for Walk {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        (self.at, self.mover, self.die).hash(hasher);
        if self.fault == HashOfPath {
            self.path.hash(hasher);
        }
    }
}

const S: f64 = 1.0 / 6.0;
static FAIR: [(u8, f64); 6] = [(1, S), (2, S), (3, S), (4, S), (5, S), (6, S)];
static SHORT: [(u8, f64); 6] = [(1, S), (2, S), (3, S), (4, S), (5, S), (6, 0.1)];
static ZERO: [(u8, f64); 6] = [(1, 0.0), (2, 2.0 * S), (3, S), (4, S), (5, S), (6, S)];
static TWICE: [(u8, f64); 6] = [(1, S), (2, S), (3, S), (4, S), (6, S), (6, S)];
static MERGED: [(u8, f64); 3] = [(1, S), (2, S), (3, 4.0 * S)];
static FOREIGN: [(u8, f64); 3] = [(1, S), (2, S), (7, 4.0 * S)];
static WEIGHT: [(u8, f64); 3] = [(1, S), (2, 2.0 * S), (3, 3.0 * S)];
static TOO_MUCH: [(u8, f64); 2] = [(1, S), (3, 5.0 * S)];

struct Die(Fault);

impl Chance for Die {
    type Event = u8;

    fn events(&self) -> &[(u8, f64)] {
        match self.0 {
            ProbabilitySum => &SHORT,
            ProbabilityZero => &ZERO,
            EventTwice => &TWICE,
            _ => &FAIR,
        }
    }

    fn merged(&self) -> &[(u8, f64)] {
        match self.0 {
            MergedForeign => &FOREIGN,
            MergedWeight => &WEIGHT,
            MergedTooMuch => &TOO_MUCH,
            _ => &MERGED,
        }
    }

    fn representative(&self, face: u8) -> u8 {
        match self.0 {
            RepresentedByNone => face,
            RepresentedWrongly => (face % 3) + 1,
            _ => face.min(3),
        }
    }

    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        let face = random::below(rng, 6) as u8;
        match self.0 {
            SampleForeign => face,
            SampleBiased => face.max(1) + 1,
            _ => face + 1,
        }
    }
}

impl Game for Walk {
    type Move = u8;
    type Moves = Vec<u8>;
    type Chance = Die;
    const MAX_POINTS: u16 = 2;

    fn turn(&self) -> Turn<Die> {
        let before = self.mover.other();
        let points = match self.fault {
            PointsTooMany => 3,
            PointsNone => 0,
            SymmetryPoints => 1 + before.index() as u16,
            _ => 2,
        };
        if self.at[before] >= 6 {
            Turn::Over(Outcome::Win { player: before, points })
        } else if self.die == 0 {
            Turn::Chance(Die(self.fault))
        } else {
            Turn::Decide(self.mover)
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        static DAY: AtomicU8 = AtomicU8::new(0);
        if self.fault == MovesMissing && self.at[0] == 2 {
            return;
        }
        out.push(1);
        if self.die > 1 {
            out.push(self.die.min(3));
        }
        match self.fault {
            MovesTwice => out.push(1),
            OrderOfPath if self.path.is_multiple_of(2) => out.reverse(),
            OrderOfTheDay if DAY.fetch_xor(1, Ordering::Relaxed) == 0 => out.reverse(),
            _ => {}
        }
    }

    fn play(&mut self, m: u8) {
        if self.fault != Endless {
            self.at[self.mover] = (self.at[self.mover] + m).min(6);
        }
        self.path = mix(self.path + u64::from(m) + 1);
        self.mover = self.mover.other();
        self.die = 0;
    }

    fn resolve(&mut self, face: u8) {
        self.die = face;
    }

    fn key(&self) -> u64 {
        let place = u64::from(self.at[0]) << 8 | u64::from(self.at[1]);
        let phase = u64::from(self.die) << 1 | self.mover.index() as u64;
        match self.fault {
            KeyWithoutPhase => mix(place),
            KeyOfPath => mix(self.path ^ place << 8 ^ phase),
            _ => mix(place << 8 | phase),
        }
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R) -> u8 {
        let list = testing::moves(self);
        match self.fault {
            RandomIllegal => 1 + random::below(rng, 3) as u8,
            RandomBiased => list[0],
            _ => list[random::below(rng, list.len())],
        }
    }

    fn after(&self, m: u8) -> Self {
        let mut next = *self;
        next.play(m);
        if self.fault == AfterDiffers {
            next.mover = self.mover;
        }
        next
    }

    fn resolved(&self, face: u8) -> Self {
        let mut next = *self;
        next.resolve(face);
        if self.fault == ResolvedDiffers {
            next.die = 1;
        }
        next
    }

    fn try_play(&mut self, m: u8) -> Result<(), PlayError<u8>> {
        match self.turn() {
            _ if self.fault == TryPlayTakes => {}
            Turn::Over(_) => return Err(PlayError::Over { m }),
            Turn::Chance(_) => return Err(PlayError::ChanceFirst { m }),
            Turn::Decide(_) if testing::moves(self).contains(&m) && (self.fault != TryPlayRefuses || m < 3) => {}
            Turn::Decide(_) => return Err(PlayError::Illegal { m }),
        }
        self.play(m);
        if self.fault == TryPlayDiffers {
            self.at[0] = 0;
        }
        Ok(())
    }

    fn try_resolve(&mut self, event: u8) -> Result<(), ResolveError<u8>> {
        match self.turn() {
            _ if self.fault == TryResolveTakes => {}
            Turn::Chance(chance) if chance.events().iter().any(|e| e.0 == event) => {}
            Turn::Chance(_) => return Err(ResolveError::Impossible { event }),
            Turn::Decide(_) | Turn::Over(_) => return Err(ResolveError::NoChance { event }),
        }
        self.resolve(event);
        Ok(())
    }
}

impl Text for Walk {
    const NAME: &'static str = "walk";

    fn position_text(&self) -> String {
        let Self { at: [one, two], mover, die, fault, .. } = self;
        let mover = if *fault == TextLosesMover { 0 } else { mover.index() };
        let line_end = if *fault == TextOfTwoLines { "\n" } else { "" };
        format!("{} {one} {two} {mover} {die}{line_end}", *fault as u8)
    }

    fn parse_position(text: &str) -> Result<Self, TextError> {
        let error = || TextError::unreadable(TextKind::Position, text, "five numbers");
        let words: Vec<&str> = text.split(' ').collect();
        let [fault, one, two, mover, die] = words[..] else { return Err(error()) };
        let number = |word: &str, limit: u8| word.parse::<u8>().ok().filter(|n| *n < limit).ok_or_else(error);
        let fault = number(fault, ALL.len() as u8).map(|n| ALL[usize::from(n)])?;
        let most = if fault == TextNonsense { 255 } else { 7 };
        let at = [number(one, most)?, number(two, most)?];
        let mover = Player::BOTH[usize::from(number(mover, 2)?)];
        let die = number(die, 7)?;
        if fault == TextNonsense {
            assert!(at.iter().all(|a| *a < 7), "nonsense");
        }
        // As if the parser forgave what the writer then writes otherwise.
        let at = if fault == TextDrifts && at[0] == at[1] { [at[0], (at[1] + 1).min(6)] } else { at };
        Ok(Self { at, mover, die, fault, path: 0 })
    }

    fn move_text(&self, m: u8) -> String {
        match self.fault {
            TextMoveOfTwoWords => format!("go {m}"),
            TextMoveComment => format!("#{m}"),
            TextMoveConfused => "1".into(),
            _ => m.to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        if self.fault == TextPanics {
            return Ok(text.parse().unwrap());
        }
        let error = || match self.fault {
            TextRaw => TextError::Unreadable { kind: TextKind::Move, text: text.into(), reason: "one number".into() },
            _ => TextError::unreadable(TextKind::Move, text, "one number"),
        };
        let m: u8 = text.trim_start_matches('#').parse().map_err(|_| error())?;
        let legal = match (self.fault, self.turn()) {
            (TextReadsIllegal, Turn::Decide(_)) => (1..=3).contains(&m),
            (TextReadsAnytime, _) => testing::moves(self).contains(&m),
            (_, Turn::Decide(_)) => testing::moves(self).contains(&m),
            _ => false,
        };
        if legal { Ok(m) } else { Err(error()) }
    }

    fn event_text(&self, event: u8) -> String {
        if self.fault == TextEventConfused { "6".into() } else { event.to_string() }
    }

    fn parse_event(&self, text: &str) -> Result<u8, TextError> {
        let error = || TextError::unreadable(TextKind::Event, text, "one number");
        let event: u8 = text.parse().map_err(|_| error())?;
        let chance = matches!(self.turn(), Turn::Chance(_));
        let possible = (1..=6).contains(&event) && (chance || self.fault == TextReadsAnytime);
        if possible || (chance && self.fault == TextReadsImpossible) { Ok(event) } else { Err(error()) }
    }
}

/// The seats exchanged, or not.
impl Symmetry for Walk {
    type Sym = bool;

    fn symmetries(&self) -> &'static [bool] {
        if self.fault == SymmetryWithoutIdentity { &[true, false] } else { &[false, true] }
    }

    fn inverse(&self, sym: bool) -> bool {
        if self.fault == SymmetryWrongInverse { !sym } else { sym }
    }

    fn swaps_seats(&self, sym: bool) -> bool {
        sym && self.fault != SymmetryKeepsSeats
    }

    fn transformed(&self, sym: bool) -> Self {
        if !sym {
            return *self;
        }
        let mover = if self.fault == SymmetryLosesMover { self.mover } else { self.mover.other() };
        Self { at: [self.at[1], self.at[0]], mover, ..*self }
    }

    fn map_move(&self, m: u8, sym: bool) -> u8 {
        // The move set is mapped onto itself, but the squares are not.
        if sym && self.fault == SymmetryWrongMoves && self.die > 1 { 1 + self.die.min(3) - m } else { m }
    }

    fn map_event(&self, event: u8, sym: bool) -> u8 {
        if sym && self.fault == SymmetryWrongEvents { 7 - event } else { event }
    }
}

/// What a check says, if it complains.
fn complaint(check: impl FnOnce()) -> Option<String> {
    let caught = catch_unwind(AssertUnwindSafe(check)).err()?;
    Some(caught.downcast_ref::<String>().cloned().unwrap_or_else(|| "not a message of the suite".into()))
}

#[track_caller]
fn complains(about: &str, expected: &str, check: impl FnOnce()) {
    let said = complaint(check).unwrap_or_else(|| panic!("no complaint about {about}"));
    assert!(said.contains(expected), "about {about}, \"{expected}\" was expected, but it says: {said}");
    assert!(said.contains("\n  state: ") && said.contains("(seed "), "{said}");
}

const TRIALS: Trials = Trials { seed: 3, games: 40, steps: 200 };

#[test]
fn an_honest_game_passes() {
    for (i, fault) in ALL.iter().copied().enumerate() {
        assert_eq!(fault as usize, i, "the list of faults is in order");
    }
    let start = [Walk::new(Nothing)];
    testing::conformance(&start, TRIALS);
    testing::text_round_trip(&start, TRIALS);
    testing::symmetry(&start, TRIALS);
}

#[test]
fn conformance_complains() {
    for (fault, expected) in [
        (KeyWithoutPhase, "equal keys, but 0 decisions later"),
        (KeyOfPath, "equal states have unequal keys"),
        (HashOfPath, "equal states have unequal hashes"),
        (OrderOfPath, "equal keys, but 0 decisions later other moves"),
        (OrderOfTheDay, "a clone lists its moves otherwise"),
        (MovesTwice, "the move 1 is listed twice"),
        (MovesMissing, "no move to choose from"),
        (ProbabilitySum, "events(): the probabilities sum to 0.93"),
        (ProbabilityZero, "events(): the probability of 1 is 0"),
        (EventTwice, "events() lists 6 twice"),
        (MergedForeign, "merged() lists 7, which events() does not"),
        (RepresentedByNone, "is to represent 4, but merged() does not list it"),
        (RepresentedWrongly, "but its consequence is another"),
        (MergedWeight, "merged() is not honest: events with the consequence of 2 weigh"),
        (MergedTooMuch, "merged() is not honest: events with the consequence of 2 weigh"),
        (SampleForeign, "sample() draws 0, which events() does not list"),
        (SampleBiased, "sample() drew"),
        (Endless, "a random game is not over after 200 steps"),
        (PointsTooMany, "3 points are more than MAX_POINTS = 2"),
        (PointsNone, "a win of no points"),
        (RandomIllegal, "random_move() draws"),
        (RandomBiased, "random_move() drew"),
        (TryPlayTakes, "try_play takes"),
        (TryPlayRefuses, "try_play refuses 3, which moves() lists"),
        (TryPlayDiffers, "differs from play"),
        (AfterDiffers, "differs from play"),
        (ResolvedDiffers, "differs from resolve"),
        (TryResolveTakes, "try_resolve takes"),
    ] {
        complains(&format!("{fault:?}"), expected, || testing::conformance(&[Walk::new(fault)], TRIALS));
    }
}

#[test]
fn text_complains() {
    for (fault, expected) in [
        (TextLosesMover, "the position is written"),
        (TextOfTwoLines, "a position's text is one trimmed line"),
        (TextMoveOfTwoWords, "is not one word"),
        (TextMoveComment, "would make its line a comment"),
        (TextMoveConfused, "is written \"1\" and read as Ok(1)"),
        (TextEventConfused, "is written \"6\" and read as Ok(6)"),
        (TextPanics, "parse_move panics"),
        (TextReadsIllegal, "which is not legal"),
        (TextReadsAnytime, "though n"),
        (TextReadsImpossible, "which cannot happen"),
        (TextRaw, "a message with control characters"),
        (TextNonsense, "parse_position panics"),
        (TextDrifts, "and read as"),
    ] {
        complains(&format!("{fault:?}"), expected, || testing::text_round_trip(&[Walk::new(fault)], TRIALS));
    }
}

#[test]
fn symmetry_complains() {
    for (fault, expected) in [
        (SymmetryLosesMover, "under true it is One's turn, not Two's"),
        (SymmetryWithoutIdentity, "true comes first, not the identity"),
        (SymmetryKeepsSeats, "under true it is Two's turn, not One's"),
        (SymmetryWrongInverse, "true is not the inverse of false"),
        (SymmetryWrongMoves, "does not commute with the move"),
        (SymmetryWrongEvents, "does not commute with the event"),
        (SymmetryPoints, "under true the outcome is"),
    ] {
        // In the middle of the way, where forgetting something shows.
        let start = Walk { at: [2, 1], die: if fault == SymmetryLosesMover { 2 } else { 0 }, ..Walk::new(fault) };
        complains(&format!("{fault:?}"), expected, || testing::symmetry(&[start], TRIALS));
    }
}

impl Draw for Walk {
    fn rules_text(&self) -> String {
        "Go one square, or as far as the die says, at most three.".into()
    }

    fn picture(&self, last: Option<StepOf<Self>>) -> Picture {
        let mut picture = Picture::default();
        let way = match self.fault {
            PictureWide => 61,
            PictureEmpty => return picture,
            _ => 6,
        };
        for player in Player::BOTH {
            let end = if self.fault == PictureOfTwoLines { "\n" } else { "" };
            picture.put(format!("{:>way$}{end}", player.index() + 1), Ink::One, last.is_some());
            picture.line();
        }
        picture
    }
}

#[test]
fn picture_complains() {
    testing::picture(&[Walk::new(Nothing)], TRIALS);
    for (fault, expected) in
        [(PictureWide, "a line of 61 characters"), (PictureEmpty, "the picture is empty"), (PictureOfTwoLines, "not printable")]
    {
        complains(&format!("{fault:?}"), expected, || testing::picture(&[Walk::new(fault)], TRIALS));
    }
}

/// An evaluator with one thing wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Bad {
    Nothing,
    Nan,
    OutOfBounds,
    EndOutOfBounds,
    OutOfBoundsAbove,
    Known,
    KnownOtherwise,
    NoBounds,
    After,
    AfterAll,
    AfterAllOrder,
    AfterAllClears,
    AfterAllShort,
}

impl Evaluator<Walk> for Bad {
    fn value(&self, g: &Walk) -> f32 {
        match self {
            Self::Nan if g.at[0] == 3 => f32::NAN,
            Self::OutOfBounds if g.at[0] == 3 => 2.5,
            _ => (f32::from(g.at[0]) - f32::from(g.at[1])) / 4.0,
        }
    }

    fn after(&self, g: &Walk, m: u8) -> f32 {
        let next = g.after(m);
        let value = match next.turn() {
            Turn::Over(outcome) => self.terminal(&next, outcome),
            _ => self.value(&next),
        };
        if *self == Self::After && m == 3 { value + 1e-3 } else { value }
    }

    fn after_all(&self, g: &Walk, moves: &[u8], out: &mut Vec<f32>) {
        if *self == Self::AfterAllClears {
            out.clear();
        }
        let own = testing::moves(g);
        let moves = if *self == Self::AfterAllOrder { &own } else { moves };
        out.extend(moves.iter().map(|&m| Self::Nothing.after(g, m)));
        match self {
            Self::AfterAllShort => drop(out.pop()),
            Self::AfterAll => *out.last_mut().unwrap() += 0.01,
            _ => {}
        }
    }

    fn terminal(&self, _: &Walk, outcome: Outcome) -> f32 {
        if *self == Self::EndOutOfBounds { outcome.points() as f32 * 2.0 } else { outcome.points() as f32 }
    }

    fn bounds(&self, g: &Walk) -> Bounds {
        match self {
            // Right for the state itself, not for what follows.
            Self::OutOfBoundsAbove => Bounds { low: self.value(g) - 0.1, high: self.value(g) + 0.1 },
            Self::Known => Bounds::exact(self.value(g)),
            Self::KnownOtherwise => Bounds::exact(1.0),
            Self::NoBounds => Bounds { low: 1.0, high: -1.0 },
            _ => Bounds::symmetric(2.0),
        }
    }
}

#[test]
fn evaluator_complains() {
    let start = [Walk::new(Nothing)];
    testing::evaluator(&Bad::Nothing, &start, TRIALS);
    for (bad, expected) in [
        (Bad::Nan, "is NaN"),
        (Bad::OutOfBounds, "is outside the bounds -2 ..= 2"),
        (Bad::EndOutOfBounds, "is outside the bounds -2 ..= 2"),
        (Bad::OutOfBoundsAbove, "the value of a state below"),
        (Bad::Known, "the value is said to be known"),
        (Bad::KnownOtherwise, "the value 0 is outside the bounds 1 ..= 1"),
        (Bad::NoBounds, "enclose nothing"),
        (Bad::After, "after(3) is"),
        (Bad::AfterAll, "after_all says"),
        (Bad::AfterAllOrder, "in another order"),
        (Bad::AfterAllClears, "does not append"),
        (Bad::AfterAllShort, "does not append"),
    ] {
        complains(&format!("{bad:?}"), expected, || testing::evaluator(&bad, &start, TRIALS));
    }
}

/// A network with one thing wrong.
struct Net(&'static str);

impl PolicyValue<Walk> for Net {
    fn evaluate(&self, leaves: &mut [Leaf<Walk>]) {
        let batch = leaves.len();
        for leaf in leaves {
            let n = leaf.moves.len();
            if self.0 != "long" {
                leaf.priors.clear();
            }
            let p = if self.0 == "sum" { 0.4 } else { 1.0 / n as f32 };
            leaf.priors.extend(std::iter::repeat_n(p, n));
            if self.0 == "negative" && n > 1 {
                leaf.priors[0] = -0.5;
                leaf.priors[1] = 1.5;
            }
            leaf.value = match self.0 {
                "nan" => f32::NAN,
                "batch" => batch as f32,
                "kept" if leaf.value.is_nan() => leaf.value,
                _ => 0.25,
            };
        }
    }
}

#[test]
fn policy_complains() {
    let start = [Walk::new(Nothing)];
    testing::policy_value(&Net("nothing"), &start, TRIALS);
    for (what, expected) in [
        ("long", "priors for"),
        ("sum", "the priors sum to"),
        ("negative", "priors [-0.5, 1.5]"),
        ("nan", "the value is NaN"),
        ("kept", "the value is NaN"),
        ("batch", "in a batch the network says otherwise"),
    ] {
        complains(what, expected, || testing::policy_value(&Net(what), &start, TRIALS));
    }
}

/// How far both have come; forgets the third face.
#[derive(Clone, PartialEq, Debug)]
struct Lead<const FORGETS: bool>(i8);

impl<const FORGETS: bool> Track<Walk> for Lead<FORGETS> {
    fn of(game: &Walk) -> Self {
        Self(game.at[0] as i8 - game.at[1] as i8)
    }

    fn played(&mut self, before: &Walk, m: u8) {
        if !(FORGETS && m == 3) {
            let steps = m.min(6 - before.at[before.mover]) as i8;
            self.0 += if before.mover == Player::One { steps } else { -steps };
        }
    }

    fn resolved(&mut self, _: &Walk, _: u8) {}
}

#[test]
fn tracked_complains() {
    let start = [Walk::new(Nothing)];
    testing::tracked::<Lead<false>, _>(&start, TRIALS);
    complains("a tracker that forgets", "from scratch Lead", || testing::tracked::<Lead<true>, _>(&start, TRIALS));
    testing::tracked_with(&start, TRIALS, |_: &Lead<true>, _| Ok(()));
}

#[test]
fn nothing_to_check_is_a_mistake() {
    let said = complaint(|| testing::conformance::<Walk>(&[], TRIALS)).unwrap();
    assert!(said.contains("nothing to check"));
}

#[test]
#[should_panic(expected = "end too soon")]
fn positions_beyond_the_end() {
    let _ = testing::positions(&Walk::new(Nothing), 1, 3, 50..=60);
}

#[test]
fn positions_are_decisions() {
    let list = testing::positions(&Walk::new(Nothing), 1, 30, 0..=3);
    assert!(list.len() == 30 && list.iter().all(|g| matches!(g.turn(), Turn::Decide(_))));
    assert!(list.iter().any(|g| g.at == [0, 0]) && list.iter().any(|g| g.at[0] > 1));
}
