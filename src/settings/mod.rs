//! What a run is told besides its arguments: the environment, and the dot-env files at the
//! repository's root. A setting is looked for in that order, and always knows where it came from.

pub mod dotenv;
mod env;
mod layers;
pub mod secret;

pub use dotenv::DotEnv;
pub use env::{Env, NotUtf8};
pub use layers::{DOTENV_SETTINGS, Origin, Setting, Settings, refused_consent};
pub use secret::TOKEN_VARIABLES;
