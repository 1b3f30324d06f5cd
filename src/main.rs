use std::process::ExitCode;

fn main() -> ExitCode {
    dai::main()
}
