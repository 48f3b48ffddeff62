//! Every die roll of a game: one seeded generator, one line of words a roll.

/// The dice and the game's log.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
    faces: u8,
    /// What happened, in words.
    pub log: Vec<String>,
    /// Whether to keep the log.
    pub keep: bool,
    /// How often each sum of two dice came up.
    pub sums: [u32; 13],
}

impl Dice {
    /// Dice with so many faces; the same seed gives the same game.
    pub const fn new(seed: u64, faces: u8) -> Self {
        Self { state: seed, faces, log: Vec::new(), keep: true, sums: [0; 13] }
    }

    /// A line of the log.
    pub fn say(&mut self, line: impl FnOnce() -> String) {
        if self.keep {
            self.log.push(line());
        }
    }

    /// A random number below `bound` (`SplitMix64`, multiplied into the range).
    pub fn below(&mut self, bound: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (((z >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// One die.
    pub fn one(&mut self, what: &str) -> u8 {
        let faces = u32::from(self.faces);
        let die = 1 + self.below(faces) as u8;
        self.say(|| format!("  {what}: a die shows {die}"));
        die
    }

    /// Two dice.
    pub fn two(&mut self, what: &str) -> u8 {
        let faces = u32::from(self.faces);
        let (a, b) = (1 + self.below(faces) as u8, 1 + self.below(faces) as u8);
        self.sums[usize::from(a + b)] += 1;
        self.say(|| format!("  {what}: {a} and {b} make {}", a + b));
        a + b
    }

    /// Two dice against a number.
    pub fn test(&mut self, what: &str, need: i32) -> bool {
        let faces = u32::from(self.faces);
        let (a, b) = (1 + self.below(faces) as u8, 1 + self.below(faces) as u8);
        self.sums[usize::from(a + b)] += 1;
        let passed = i32::from(a + b) >= need;
        let verdict = if passed { "passed" } else { "failed" };
        self.say(|| format!("  {what}: needs {need}, {a} and {b} make {}, {verdict}", a + b));
        passed
    }
}
