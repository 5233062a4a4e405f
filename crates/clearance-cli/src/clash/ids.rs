//! Ids of findings that are the same in every run.

/// FNV-1a, 64 bits (Fowler, Noll and Vo): written out here, since an id must not change with a library.
struct Hash(u64);

impl Hash {
    const START: Hash = Hash(0xcbf2_9ce4_8422_2325);

    /// Takes in a text and a byte that no UTF-8 text has, so that texts cannot run into each other.
    fn text(self, text: &str) -> Hash {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Hash(text.bytes().chain([0xff]).fold(self.0, step))
    }
}

/// The id of what a rule says about two parts, in either order: 16 hexadecimal digits.
pub fn finding_id(rule: &str, part_a: &str, part_b: &str) -> String {
    let (first, second) = if part_a <= part_b { (part_a, part_b) } else { (part_b, part_a) };
    let Hash(hash) = Hash::START.text(rule).text(first).text(second);
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Reports of older versions hold these: they must never change.
    #[test]
    fn ids_stay_what_they_are() {
        assert_eq!(finding_id("default", "housing", "pin"), "c2da29514ad13337");
        assert_eq!(finding_id("default", "pin", "housing"), finding_id("default", "housing", "pin"));
        // Published test vector of FNV-1a: "foobar" and nothing behind it.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        assert_eq!("foobar".bytes().fold(Hash::START.0, step), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn different_pairs_have_different_ids() {
        let names: Vec<String> = (0..300).map(|i| format!("part-{i}")).collect();
        let mut ids = BTreeSet::new();
        for (i, a) in names.iter().enumerate() {
            ids.extend(names[..i].iter().map(|b| finding_id("default", a, b)));
        }
        assert_eq!(ids.len(), 300 * 299 / 2);
        assert_ne!(finding_id("a", "b", "cd"), finding_id("a", "bc", "d"));
        assert_ne!(finding_id("ab", "c", "d"), finding_id("a", "bc", "d"));
    }
}
