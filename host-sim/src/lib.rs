//! The program `rival`: referees the games and brings the agent's decisions in.
pub mod games;
