//! BattleTech on the desktop: the referee, the original simulator's files, maps, designs and opponents.

pub mod conform;
pub mod damage;
pub mod files;
