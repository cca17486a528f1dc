//! Every feature of the evaluation, declared once: what it counts, its name in files, the number of its places, and its
//! estimated worth in the middlegame and the endgame, in centipawns.

/// What the estimates need to know of a piece type.
pub(super) struct PieceTypeTraits {
    /// Centipawns.
    pub value: f64,
    /// The royal piece of a game with check.
    pub is_king: bool,
    /// Royal, in a game in which royals are captured.
    pub is_captured_royal: bool,
    pub is_soldier: bool,
    /// Captures only by hopping: such a piece loses value as the board empties.
    pub is_hopper: bool,
    /// The game is one in which royals are captured.
    pub captures_royals: bool,
    /// Pieces move at a royal's command.
    pub obeys_command: bool,
}

impl PieceTypeTraits {
    /// The square root of the piece's value in units of a minor piece.
    fn strength(&self) -> f64 {
        (self.value / 300.0).clamp(0.3, 2.0).sqrt()
    }

    fn is_soldier_or_king(&self) -> bool {
        self.is_soldier || self.is_king
    }
}

/// The declaration of one feature.
pub(super) struct Feature<Traits> {
    pub name: &'static str,
    /// The number of its places: one for each count from 0, the last for all higher counts.
    pub width: usize,
    /// The worth in the middlegame and in the endgame, by place.
    pub estimate: fn(&Traits, usize) -> (f64, f64),
}

macro_rules! features {
    ($(#[$about:meta])* $enum:ident, $table:ident of $traits:ty:
     $($(#[$doc:meta])* $feature:ident $name:literal $width:literal $estimate:expr;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub enum $enum {
            $($(#[$doc])* $feature,)*
        }

        pub(super) const $table: [Feature<$traits>; [$($width),*].len()] =
            [$(Feature { name: $name, width: $width, estimate: $estimate },)*];

        impl $enum {
            const WIDTHS: [usize; [$($width),*].len()] = [$($width),*];
            /// The first place of each feature.
            const FIRST: [usize; Self::WIDTHS.len()] = {
                let mut first = [0; Self::WIDTHS.len()];
                let mut at = 1;
                while at < first.len() {
                    first[at] = first[at - 1] + Self::WIDTHS[at - 1];
                    at += 1;
                }
                first
            };
            /// The number of places of all these features.
            pub const PLACES: usize = Self::FIRST[Self::WIDTHS.len() - 1] + Self::WIDTHS[Self::WIDTHS.len() - 1];

            /// The feature's first place among these features.
            #[inline]
            pub const fn first(self) -> usize {
                Self::FIRST[self as usize]
            }

            /// The feature's place for a count, from 0; the last for all higher counts.
            #[inline]
            pub const fn place(self, number: usize) -> usize {
                let last = Self::WIDTHS[self as usize] - 1;
                self.first() + if number < last { number } else { last }
            }
        }
    };
}

features! {
    /// Features of each piece type.
    PieceTypeFeature, PIECE_TYPE_TABLE of PieceTypeTraits:
    /// Pieces.
    Value "value" 1 |kind, _| {
        let endgame = if kind.is_soldier { 1.15 } else if kind.is_hopper { 0.85 } else { 1.0 };
        (kind.value, kind.value * endgame)
    };
    /// Eighths of the way up the board from its middle.
    Advance "advance" 1 |kind, _| match kind {
        _ if kind.is_king => (-3.0, 1.0),
        _ if kind.is_soldier => (2.0, 5.0),
        _ => (0.5, 0.5),
    };
    /// Nearness to the middle files, in sixteenths.
    File "file" 1 |kind, _| match kind {
        _ if kind.is_king => (-1.5, 1.5),
        _ if kind.is_soldier => (0.7, 0.0),
        _ => (1.0, 1.0),
    };
    /// Nearness to the middle ranks, in sixteenths.
    Rank "rank" 1 |kind, _| if kind.is_king { (0.0, 2.0) } else { (0.6, 0.3) };
    /// Eight times the square root of the number of safe squares that it attacks.
    Mobility "mobility" 1 |kind, _| match kind {
        _ if kind.is_soldier_or_king() => (0.0, 0.0),
        _ => (1.6 * kind.strength(), 1.6 * kind.strength()),
    };
    /// Squares beside an enemy royal that it attacks count two, those one step further count one.
    Zone "zone" 1 |kind, _| if kind.is_soldier_or_king() { (0.0, 0.0) } else { (2.5 * kind.strength(), 0.5) };
    /// Pieces attacked by an enemy soldier.
    AttackedBySoldier "chased" 1 |kind, _| match kind {
        _ if kind.is_captured_royal => (-0.5 * kind.value, -0.5 * kind.value),
        _ if kind.is_soldier_or_king() => (0.0, 0.0),
        _ => (-0.10 * kind.value, -0.08 * kind.value),
    };
    /// Pieces attacked by an enemy piece of a lower class.
    AttackedByMinor "harried" 1 |kind, _| match kind {
        _ if kind.is_soldier_or_king() => (0.0, 0.0),
        _ => (-0.05 * kind.value, -0.05 * kind.value),
    };
    /// Pieces attacked and not defended.
    Hanging "hanging" 1 |kind, _| if kind.is_king { (0.0, 0.0) } else { (-0.06 * kind.value, -0.06 * kind.value) };
    /// Pieces that no royal commands.
    Uncommanded "uncommanded" 1 |kind, _| match kind {
        _ if kind.obeys_command => (-0.35 * kind.value, -0.25 * kind.value),
        _ => (0.0, 0.0),
    };
    /// Where royals are captured: the length of the board less the steps to the nearest enemy royal.
    Nearness "nearness" 1 |kind, _| if kind.captures_royals { (0.0, 14.0) } else { (0.0, 0.0) };
    /// The same, for a side that hunts, in proportion to its lead.
    Pursuit "pursuit" 1 |kind, _| if kind.captures_royals { (20.0, 20.0) } else { (0.0, 0.0) };
    /// Piece types of which a side has so few that the loss of one more would lose the game.
    Scarce "scarce" 1 |kind, _| (-150.0 - 0.3 * kind.value.abs(), -150.0 - 0.3 * kind.value.abs());
}

features! {
    /// Features of a side as a whole.
    SideFeature, SIDE_TABLE of ():
    /// The side is to move.
    Tempo "tempo" 1 |_, _| (14.0, 8.0);
    /// Own pieces beside a royal.
    Shelter "shelter" 1 |_, _| (8.0, 1.0);
    /// Soldiers defended by soldiers.
    Chain "chain" 1 |_, _| (6.0, 3.0);
    /// Pairs of colour-bound pieces on both colours.
    Pair "pair" 1 |_, _| (25.0, 35.0);
    /// Isolated soldiers.
    Isolated "isolated" 1 |_, _| (-6.0, -8.0);
    /// Doubled soldiers.
    Doubled "doubled" 1 |_, _| (-6.0, -12.0);
    /// Own soldiers near a royal.
    Guard "guard" 1 |_, _| (8.0, 0.0);
    /// Where royals are captured: eight times the square root of the number of safe squares that each attacks.
    Flight "flight" 1 |_, _| (1.0, 2.0);
    /// The same, for a side that is hunted, in proportion to the enemy's lead.
    Refuge "refuge" 1 |_, _| (30.0, 30.0);
    /// By the number of pieces that attack the zone of an enemy royal.
    Attackers "attackers" 8 |_, number| ([0.0, 0.0, 8.0, 24.0, 45.0, 65.0, 80.0, 90.0][number], 0.0);
    /// By the number of squares beside an enemy royal that are attacked, and defended by nothing but royals.
    Weak "weak" 8 |_, number| {
        let worth = [0.0, 8.0, 20.0, 36.0, 55.0, 75.0, 95.0, 110.0][number];
        (worth, 0.2 * worth)
    };
    /// Passed soldiers, by their steps to promotion less one.
    Passed "passed" 8 |_, steps| {
        let worth = [180.0, 140.0, 100.0, 65.0, 40.0, 25.0, 15.0, 8.0][steps];
        (0.4 * worth, worth)
    };
    /// Where all royals must be captured, by how many are left: the fewer, the more each is worth.
    Royals "royals" 7 |_, number| {
        let worth = [-4000.0, -1500.0, -600.0, -150.0, 0.0, 0.0, 0.0][number];
        (worth, worth)
    };
    /// Where squares win, by the moves that the nearest piece needs to get there.
    Goal "goal" 12 |_, steps| {
        let worth = [600.0, 320.0, 180.0, 110.0, 70.0, 45.0, 28.0, 17.0, 10.0, 5.0, 2.0, 0.0][steps];
        (worth, worth)
    };
    /// Where checks win, by those still to be given, less one.
    Checks "checks" 8 |_, left| {
        let worth = [500.0, 200.0, 80.0, 40.0, 20.0, 10.0, 5.0, 0.0][left];
        (worth, worth)
    };
}
