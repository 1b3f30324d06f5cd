//! A text in the person's own editor.

use std::fs;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crate::cli::without_secrets;
use crate::settings::Env;

/// Opens `$VISUAL`, `$EDITOR` or `vi` on the text, as git does: through the shell, so that it may have
/// arguments. `None` where the text comes back as it was.
///
/// # Errors
///
/// The editor cannot be started or ends with another code than 0; the text is no UTF-8.
pub fn edit(text: &str, env: &Env) -> io::Result<Option<String>> {
    let mut file = tempfile::Builder::new().prefix("dai-").suffix(".md").tempfile()?;
    writeln!(file, "{text}")?;
    file.flush()?;
    let named = env.bytes("VISUAL").or_else(|| env.bytes("EDITOR"));
    let mut command = match named {
        Some(editor) => {
            let mut script = editor.to_owned();
            script.push(" \"$@\"");
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(script).arg(editor);
            shell
        }
        None => Command::new("vi"),
    };
    without_secrets(&mut command);
    // The answers' own streams may be elsewhere: an editor needs the terminal.
    let status = command.arg(file.path()).stdout(Stdio::inherit()).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("it ended with {status}")));
    }
    // Read by name: many editors write beside and rename.
    let new = fs::read_to_string(file.path())?;
    let new = new.trim_end_matches(['\n', '\r']).replace("\r\n", "\n");
    Ok((new != text.trim_end_matches(['\n', '\r'])).then_some(new))
}
