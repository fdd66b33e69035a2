//! The opening rule swap2 at the terminal: people and engines agree on the first stones and on who has which.

use std::io;
use std::time::Duration;

use engines::gomoku::Level;
use gamecore::text::quoted;
use gamecore::{Draw, Game, Step, Text, mix, random};
use games_gomoku::swap2::{Choice, Judged, Person, Stage, Swap2};
use games_gomoku::{Gomoku, Point, Rule, SetupError};
use play::{Answer, Ending, Opened, Opening};
use search_core::{Agent, Limits};

/// Opens games by swap2.
pub(crate) struct Opener {
    /// Nothing chosen yet.
    empty: Swap2,
    level: Level,
    limits: Limits,
}

/// A choice, `None` to take back an earlier one, or how the program is left.
type Chosen = Result<Option<Choice>, Ending>;

/// An opening under way.
struct Talk<'a, 'b> {
    opening: Opening<'a, 'b>,
    swap2: Swap2,
    agent: Box<dyn Agent<Gomoku>>,
    limits: Limits,
}

const COMMANDS: &str = "Commands: hint board rules undo help quit";

impl Opener {
    /// With engines of this level, which think so long about a choice if that is told.
    pub(crate) fn new(rule: Rule, size: u8, level: Level, seconds: Option<Duration>) -> Result<Self, SetupError> {
        Ok(Self { empty: Swap2::new(rule, size)?, level, limits: seconds.map_or_else(|| level.limits(), Limits::time) })
    }

    /// Asks everybody for their choices; seat One is who goes first.
    pub(crate) fn open(&self, opening: Opening<'_, '_>) -> io::Result<Opened<Gomoku>> {
        let agent = self.level.agent(opening.seed);
        let mut talk = Talk { opening, swap2: self.empty.clone(), agent, limits: self.limits.clone() };
        let rules = format!("Swap2: {}", rules());
        talk.opening.screen.say(&rules)?;
        // Where people have chosen.
        let mut earlier = Vec::new();
        while let Some(person) = talk.swap2.asked() {
            let choice = if talk.is_person(person) { talk.ask(person)? } else { talk.think().map(Some) };
            match choice {
                Ok(Some(choice)) => {
                    talk.tell(person, choice)?;
                    if talk.is_person(person) {
                        earlier.push(talk.swap2.clone());
                    }
                    if let Err(error) = talk.swap2.choose(choice) {
                        talk.opening.screen.say(&format!("Not chosen: {error}."))?;
                    }
                }
                Ok(None) => match earlier.pop() {
                    Some(swap2) => {
                        talk.swap2 = swap2;
                        talk.opening.screen.say("Taken back.")?;
                    }
                    None => talk.opening.screen.say("There is nothing to take back.")?,
                },
                Err(ending) => return Ok(Opened::Ended(ending)),
            }
        }
        let exchanged = talk.swap2.stage() == Stage::Over { black: Person::Second };
        let (black, white) = if exchanged { (Person::Second, Person::First) } else { (Person::First, Person::Second) };
        let text = format!("{}. {}.", talk.does(black, "have X, black"), talk.does(white, "have O, white, and the next move"));
        talk.opening.screen.say(&text)?;
        Ok(Opened::Begun { history: talk.swap2.history().clone(), exchanged })
    }
}

impl Talk<'_, '_> {
    fn is_person(&self, person: Person) -> bool {
        self.opening.people[usize::from(person == Person::Second)]
    }

    /// Who does what, to begin a sentence; the verb comes first.
    fn does(&self, person: Person, what: &str) -> String {
        let alone = self.opening.people[0] != self.opening.people[1];
        if alone && self.is_person(person) {
            return format!("You {what}");
        }
        let name = match person {
            _ if alone => "The engine",
            Person::First => "The first player",
            Person::Second => "The second player",
        };
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let verb = match verb {
            "have" => "has".into(),
            "may" => verb.into(),
            _ => format!("{verb}s"),
        };
        format!("{name} {verb} {rest}")
    }

    fn tell(&mut self, person: Person, choice: Choice) -> io::Result<()> {
        let text = self.does(person, &self.words(choice));
        self.opening.screen.say(&format!("{text}."))
    }

    /// A choice in words.
    fn words(&self, choice: Choice) -> String {
        let (stones, colours): (&[Point], _) = match &choice {
            Choice::Black => return "take black".into(),
            Choice::White => return "take white".into(),
            Choice::Three(stones) => (stones, "X O X"),
            Choice::Two(stones) => (stones, "O X"),
        };
        let stones = stones.iter().zip(colours.split(' '));
        let words: Vec<String> = stones.map(|(&p, colour)| format!("{colour} on {}", self.swap2.game().point_name(p))).collect();
        format!("put {}", words.join(", "))
    }

    /// An engine's choice.
    fn think(&mut self) -> Result<Choice, Ending> {
        let Self { opening, swap2, agent, limits } = self;
        let limits = limits.clone().and_stop(opening.interrupt.flag());
        let mut judge = |game: &Gomoku, share: f64| {
            let mut limits = limits.clone();
            limits.time = limits.time.map(|time| time.mul_f64(share));
            let report = agent.choose(&game.clone().into(), &limits).map_err(Ending::Failed)?;
            if opening.interrupt.is_raised() {
                return Err(Ending::Interrupted);
            }
            Ok(Judged { value: report.value.unwrap_or(0.0), best: report.best })
        };
        let stones = swap2.game().board().count();
        let mut random = random::generator(mix(opening.seed ^ u64::from(stones)));
        // There is something to choose, or nobody would be asked.
        Ok(swap2.best(&mut random, &mut judge)?.map_or(Choice::Black, |(choice, _)| choice))
    }

    /// A person's choice.
    fn ask(&mut self, person: Person) -> io::Result<Chosen> {
        // With the stones of the choice.
        let mut game = self.swap2.game().clone();
        let mut stones: Vec<Point> = Vec::new();
        let screen = &mut *self.opening.screen;
        screen.gap()?;
        screen.picture(&game.picture(None))?;
        self.wish(person)?;
        loop {
            if let [a, b, c] = stones[..] {
                return Ok(Ok(Some(Choice::Three([a, b, c]))));
            }
            if let ([a, b], Stage::Four) = (&stones[..], self.swap2.stage()) {
                return Ok(Ok(Some(Choice::Two([*a, *b]))));
            }
            let number = 1 + usize::from(self.swap2.game().board().count()) + stones.len();
            let colour = if number % 2 == 1 { "X" } else { "O" };
            let prompt = match self.swap2.stage() {
                Stage::Four if stones.is_empty() => "black, white or two stones> ".into(),
                Stage::Six => "black or white> ".into(),
                _ => format!("stone {number}, {colour}> "),
            };
            let text = match self.opening.ask(&prompt)? {
                Answer::Ended(ending) => return Ok(Err(ending)),
                Answer::Unread(why) => {
                    self.refuse(person, &why)?;
                    continue;
                }
                Answer::Text(text) => text,
            };
            match text.trim().trim_start_matches('/').to_lowercase().as_str() {
                "" => self.wish(person)?,
                "black" if stones.is_empty() && self.swap2.stage() != Stage::Three => return Ok(Ok(Some(Choice::Black))),
                "white" if stones.is_empty() && self.swap2.stage() != Stage::Three => return Ok(Ok(Some(Choice::White))),
                "quit" | "exit" => return Ok(Err(Ending::Quit)),
                "help" | "?" => self.help(person)?,
                "rules" | "r" => game.rules_text().lines().try_for_each(|line| self.opening.screen.say(line))?,
                "board" | "b" => {
                    let last = stones.last().map(|&p| Step::Move(p));
                    self.opening.screen.picture(&game.picture(last))?;
                }
                "hint" | "h" => match self.think() {
                    Ok(choice) => {
                        let words = self.words(choice);
                        self.opening.screen.say(&format!("The engine would {words}."))?;
                    }
                    Err(ending) => return Ok(Err(ending)),
                },
                "undo" | "u" if stones.pop().is_some() => {
                    game = self.after(&stones);
                    self.opening.screen.say("Taken back.")?;
                }
                "undo" | "u" => return Ok(Ok(None)),
                words => match self.put(&game, words, stones.len()) {
                    Ok(more) => {
                        stones.extend(more);
                        game = self.after(&stones);
                    }
                    Err(why) => self.refuse(person, &why)?,
                },
            }
        }
    }

    /// The position with more stones, which may be put.
    fn after(&self, stones: &[Point]) -> Gomoku {
        let mut game = self.swap2.game().clone();
        stones.iter().for_each(|&p| game.play(p));
        game
    }

    /// Reads one stone or more, of which so many are there; or why they cannot be put.
    fn put(&self, game: &Gomoku, words: &str, there: usize) -> Result<Vec<Point>, String> {
        let most = match self.swap2.stage() {
            Stage::Three => 3,
            Stage::Four => 2,
            stage => return Err(format!("\"{}\" is no choice here: {stage}.", quoted(words))),
        };
        let (mut game, mut stones) = (game.clone(), Vec::new());
        for word in words.split_whitespace() {
            if there + stones.len() == most {
                return Err(format!("{most} stones are put here, not more."));
            }
            let point = game.parse_move(word).map_err(|e| capital(&e.to_string()))?;
            game.try_play(point).map_err(|e| capital(&e.to_string()))?;
            stones.push(point);
        }
        Ok(stones)
    }

    /// What a person may choose.
    fn wish(&mut self, person: Person) -> io::Result<()> {
        let what = match self.swap2.stage() {
            Stage::Three => "put three stones, X O X: nobody knows yet whose they are",
            Stage::Four => "may take black or white, or put two more stones, O X, and leave the choice to the other",
            _ => "take black or white",
        };
        let text = format!("{}.", self.does(person, what));
        self.opening.screen.say(&text)
    }

    fn refuse(&mut self, person: Person, why: &str) -> io::Result<()> {
        self.opening.screen.say(why)?;
        self.wish(person)?;
        self.opening.screen.say(COMMANDS)
    }

    fn help(&mut self, person: Person) -> io::Result<()> {
        self.wish(person)?;
        let lines = [
            "Stones are written as moves are, h8, one on a line or several: h8 i8 j10. White moves after the opening.",
            "hint says what the engine would choose; undo takes back the last stone, or your last choice; save and the other commands \
             are there when the opening is over.",
            COMMANDS,
        ];
        lines.iter().try_for_each(|line| self.opening.screen.say(line))
    }
}

fn rules() -> &'static str {
    "one player puts three stones; the other takes black or white, or puts two more and leaves that choice to the first."
}

/// As a sentence.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", chars.as_str())
}
