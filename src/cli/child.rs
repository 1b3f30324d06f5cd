//! Programs that a person named: the gate, the editor.

use std::process::Command;

use crate::settings::secret;

/// Starts it without any variable that holds a secret: what it runs may be of the branch under review.
pub fn without_secrets(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if secret::held_by(&name.to_string_lossy()).is_some() {
            command.env_remove(&name);
        }
    }
}
