//! BattleTech on the desktop: the referee, the original simulator's files, maps, designs and opponents.

pub mod conform;
pub mod damage;
pub mod design;
pub mod designs;
pub mod files;
pub mod mapgen;
pub mod opponents;
pub mod referee;
