//! Patterns on names: `*` for anything, `?` for one character, `[abc]`, `[a-z]` and `[!a-z]` for one of or none of these.
//!
//! Upper and lower case are the same: the same bolt is `BOLT M6` in one file and `bolt_m6` in the next.

/// A pattern that names are compared with as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Anything,
    One,
    Exactly(char),
    Among { ranges: Vec<(char, char)>, inside: bool },
}

impl Glob {
    /// Reads a pattern; `Err` says what to write.
    pub fn new(pattern: &str) -> Result<Glob, String> {
        let lower = lowered(pattern);
        let mut pieces = Vec::new();
        let mut rest = lower.as_slice();
        while let [first, after @ ..] = rest {
            rest = after;
            let piece = match first {
                // Stars in a row are one.
                '*' if pieces.last() == Some(&Piece::Anything) => continue,
                '*' => Piece::Anything,
                '?' => Piece::One,
                '[' => {
                    let (piece, after) = among(after)?;
                    rest = after;
                    piece
                }
                other => Piece::Exactly(*other),
            };
            pieces.push(piece);
        }
        match pieces.is_empty() {
            true => Err("the pattern is empty; write * for all parts".into()),
            false => Ok(Glob(pieces)),
        }
    }

    /// Whether the pattern is the whole of a name that went through [`lowered`].
    ///
    /// After a mismatch only the last star is given one more character: what the stars before it took was the least
    /// they could, which leaves the most to the rest. `O(name * pattern)`.
    pub fn matches(&self, name: &[char]) -> bool {
        let (mut piece, mut at) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while at < name.len() {
            match self.0.get(piece) {
                Some(Piece::Anything) => {
                    star = Some((piece, at));
                    piece += 1;
                }
                Some(other) if other.takes(name[at]) => {
                    piece += 1;
                    at += 1;
                }
                _ => match &mut star {
                    Some((last, taken)) => {
                        *taken += 1;
                        (piece, at) = (*last + 1, *taken);
                    }
                    None => return false,
                },
            }
        }
        self.0[piece..].iter().all(|piece| *piece == Piece::Anything)
    }
}

impl Piece {
    fn takes(&self, c: char) -> bool {
        match self {
            Piece::Anything => false,
            Piece::One => true,
            Piece::Exactly(wanted) => *wanted == c,
            Piece::Among { ranges, inside } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) == *inside
            }
        }
    }
}

/// A name as patterns see it.
pub fn lowered(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// The characters up to the closing bracket; one that comes first stands for itself.
fn among(text: &[char]) -> Result<(Piece, &[char]), String> {
    let unclosed = || "a `[` is not closed; write [abc], or [[] for the bracket itself".to_owned();
    let inside = text.first() != Some(&'!');
    let start = usize::from(!inside);
    let end = (start + 1..text.len()).find(|&i| text[i] == ']').ok_or_else(unclosed)?;
    let mut ranges = Vec::new();
    let mut rest = &text[start..end];
    loop {
        rest = match rest {
            [first, '-', last, after @ ..] => {
                if first > last {
                    return Err(format!("the range `{first}-{last}` is empty; swap its ends"));
                }
                ranges.push((*first, *last));
                after
            }
            [one, after @ ..] => {
                ranges.push((*one, *one));
                after
            }
            [] => break,
        };
    }
    Ok((Piece::Among { ranges, inside }, &text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearance::math::Random;

    fn matches(pattern: &str, name: &str) -> bool {
        Glob::new(pattern).unwrap().matches(&lowered(name))
    }

    #[test]
    fn patterns_are_compared_with_whole_names() {
        for (pattern, yes, no) in [
            ("*bolt*", "M6 Bolt long", "blot"),
            ("bolt", "BOLT", "bolts"),
            ("bolt-?", "bolt-7", "bolt-17"),
            ("pin[0-9]", "pin3", "pinx"),
            ("pin[!0-9]", "pinx", "pin3"),
            ("a[[]b", "a[b", "ab"),
            ("a[]]b", "a]b", "a[b"),
            ("[a-]", "-", "b"),
            ("*a*b*c", "xxaxxbxxbc", "xxaxxcxxb"),
            ("*", "", "\u{0}impossible"),
            ("über*", "ÜBERWURF", "uber"),
        ] {
            assert!(matches(pattern, yes), "{pattern} {yes}");
            assert!(no.starts_with('\u{0}') || !matches(pattern, no), "{pattern} {no}");
        }
        for bad in ["", "a[bc", "[", "[!", "[z-a]"] {
            assert!(Glob::new(bad).is_err(), "{bad}");
        }
    }

    /// Oracle: by recursion on the definition.
    fn slow(pieces: &[Piece], name: &[char]) -> bool {
        match (pieces, name) {
            ([], _) => name.is_empty(),
            ([Piece::Anything, rest @ ..], _) => (0..=name.len()).any(|i| slow(rest, &name[i..])),
            ([piece, rest @ ..], [first, after @ ..]) => piece.takes(*first) && slow(rest, after),
            _ => false,
        }
    }

    #[test]
    fn random_patterns_agree_with_the_definition() {
        let mut random = Random::new(7);
        let mut found = [0; 2];
        for _ in 0..20_000 {
            let mut text = |alphabet: &[&str], longest: u64| -> String {
                let length = 1 + random.below(longest);
                (0..length).map(|_| alphabet[random.below(alphabet.len() as u64) as usize]).collect()
            };
            let glob = Glob::new(&text(&["a", "b", "*", "?", "[ab]", "[!a]"], 6)).unwrap();
            let name = lowered(&text(&["a", "b", "c"], 7));
            let expected = slow(&glob.0, &name);
            assert_eq!(glob.matches(&name), expected, "{glob:?} {name:?}");
            found[usize::from(expected)] += 1;
        }
        assert!(found[0] > 1000 && found[1] > 1000, "{found:?}");
    }
}
