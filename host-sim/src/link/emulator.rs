//! The firmware under QEMU.
//!
//! With `-icount` an instruction takes a fixed virtual time, so that the board's microseconds are exact and the same in
//! every run, however busy the desktop is. The board's serial port is QEMU's standard input and output.

use core::time::Duration;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

use super::{Link, OpenError};

/// The program.
pub const QEMU: &str = "qemu-system-arm";
/// The machine: an STM32F405 with its UARTs, in every QEMU since 2.x.
const MACHINE: &str = "netduinoplus2";
/// The target of its processor.
const TARGET: &str = "thumbv7em-none-eabihf";

/// A running QEMU. It is killed when the link is dropped.
pub struct Emulator {
    child: Child,
    stdin: ChildStdin,
    bytes: Receiver<Vec<u8>>,
    left: Vec<u8>,
    monitor: Option<Monitor>,
}

impl Emulator {
    /// Starts QEMU with an image, or with the workspace's own firmware, which is built if needed.
    pub fn start(shift: u8, image: Option<&Path>) -> Result<Self, OpenError> {
        Self::start_with(QEMU, shift, image)
    }

    /// The same with a hand on QEMU's reset button.
    pub fn start_with_monitor(shift: u8, image: Option<&Path>) -> Result<Self, OpenError> {
        let monitor = Listener::new()
            .map_err(|source| OpenError::Io { context: "cannot make a socket for QEMU's monitor".into(), source })?;
        let mut emulator = Self::launch(QEMU, shift, image, &monitor.arguments())?;
        emulator.monitor = Some(
            monitor
                .accept()
                .map_err(|source| OpenError::Io { context: "QEMU's monitor does not answer".into(), source })?,
        );
        Ok(emulator)
    }

    /// The same with another program in QEMU's place.
    pub fn start_with(program: &str, shift: u8, image: Option<&Path>) -> Result<Self, OpenError> {
        Self::launch(program, shift, image, &[])
    }

    fn launch(program: &str, shift: u8, image: Option<&Path>, more: &[String]) -> Result<Self, OpenError> {
        let image = match image {
            Some(image) => image.to_path_buf(),
            None => build()?,
        };
        if !image.is_file() {
            return Err(OpenError::Tool(format!("there is no firmware image {}", image.display())));
        }
        let mut child = Command::new(program)
            .args(["-M", MACHINE, "-nodefaults", "-display", "none", "-monitor", "none", "-serial", "stdio"])
            .args(more)
            .args(["-icount", &format!("shift={shift}"), "-kernel"])
            .arg(&image)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => OpenError::Tool(format!(
                    "{program} is not installed: run `cargo xtask setup`, or `sudo apt-get install qemu-system-arm`"
                )),
                _ => OpenError::Io { context: format!("cannot start {program}"), source },
            })?;
        let (Some(stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(OpenError::Tool(format!("{program} has no standard input or output")));
        };
        let (sender, bytes) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, stdin, bytes, left: Vec::new(), monitor: None })
    }

    /// The process, for tests that want to see it die.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }
}

#[cfg(unix)]
use monitor::{Listener, Monitor};
#[cfg(not(unix))]
use no_monitor::{Listener, Monitor};

/// QEMU's control line (QMP), over a socket that QEMU connects to: nobody listens once it has.
#[cfg(unix)]
mod monitor {
    use core::sync::atomic::{AtomicU32, Ordering};
    use core::time::Duration;
    use std::io::{self, BufRead, BufReader, Write};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::PathBuf;
    use std::time::Instant;

    /// How long QEMU may take to start or to obey, on a busy desktop.
    const PATIENCE: Duration = Duration::from_secs(30);

    /// A socket that waits for QEMU. Its file is gone when it is dropped.
    pub(super) struct Listener {
        socket: UnixListener,
        path: PathBuf,
    }

    impl Listener {
        pub(super) fn new() -> io::Result<Self> {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("rival-qemu-{}-{number}", std::process::id()));
            let _ = std::fs::remove_file(&path);
            let socket = UnixListener::bind(&path)?;
            socket.set_nonblocking(true)?;
            Ok(Self { socket, path })
        }

        pub(super) fn arguments(&self) -> Vec<String> {
            let socket = format!("socket,id=monitor,path={}", self.path.display());
            ["-chardev", &socket, "-mon", "chardev=monitor,mode=control"].map(String::from).to_vec()
        }

        pub(super) fn accept(self) -> io::Result<Monitor> {
            let until = Instant::now() + PATIENCE;
            let stream = loop {
                match self.socket.accept() {
                    Ok((stream, _)) => break stream,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < until => {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    Err(error) => return Err(error),
                }
            };
            stream.set_nonblocking(false)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let mut monitor = Monitor { lines: BufReader::new(stream) };
            monitor.execute("qmp_capabilities")?;
            Ok(monitor)
        }
    }

    impl Drop for Listener {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    pub(super) struct Monitor {
        lines: BufReader<UnixStream>,
    }

    impl Monitor {
        /// Has QEMU do something, and waits until it says that it is done.
        pub(super) fn execute(&mut self, command: &str) -> io::Result<()> {
            writeln!(self.lines.get_mut(), "{{\"execute\":\"{command}\"}}")?;
            let mut line = String::new();
            loop {
                line.clear();
                if self.lines.read_line(&mut line)? == 0 {
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "QEMU has ended"));
                }
                if line.contains("\"error\"") {
                    return Err(io::Error::other(line));
                }
                // Before it come a greeting and news of what QEMU does.
                if line.contains("\"return\"") {
                    return Ok(());
                }
            }
        }
    }
}

/// Where there are no such sockets the reset button cannot be reached.
#[cfg(not(unix))]
mod no_monitor {
    use std::io;

    pub(super) struct Listener;
    pub(super) struct Monitor;

    impl Listener {
        pub(super) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(super) fn arguments(&self) -> Vec<String> {
            Vec::new()
        }

        pub(super) fn accept(self) -> io::Result<Monitor> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl Monitor {
        pub(super) fn execute(&mut self, _command: &str) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

/// Builds the emulated board's firmware; quick when it is up to date.
pub fn build() -> Result<PathBuf, OpenError> {
    build_as("firmware", "board-qemu")
}

/// The same with every check on, and with words on the line that make it fall over: for tests.
pub fn build_checked() -> Result<PathBuf, OpenError> {
    build_as("checked", "board-qemu,sabotage")
}

fn build_as(profile: &str, features: &str) -> Result<PathBuf, OpenError> {
    let root = workspace()?;
    let image = root.join("target").join(TARGET).join(profile).join("rival-firmware");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(&cargo)
        .args(["build", "--quiet", "--package", "rival-firmware", "--target", TARGET])
        .args(["--profile", profile, "--features", features])
        .current_dir(&root)
        // Flags for the desktop, such as those of a test run, are not for the board.
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .output()
        .map_err(|source| OpenError::Io { context: "cannot start cargo to build the firmware".into(), source })?;
    if output.status.success() {
        return Ok(image);
    }
    let log = String::from_utf8_lossy(&output.stderr);
    let advice = "run `cargo xtask setup` once: it installs the target, flip-link and QEMU";
    Err(OpenError::Tool(format!("the firmware could not be built ({advice}):\n{log}")))
}

/// The workspace that this program was built from.
fn workspace() -> Result<PathBuf, OpenError> {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf);
    let here = std::env::current_dir().ok();
    let found = here.into_iter().chain(built_in).find(|root| root.join("firmware/Cargo.toml").is_file());
    found.ok_or_else(|| OpenError::Tool("the firmware's source is not here: run rival inside its workspace".into()))
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Link for Emulator {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdin.write_all(bytes)?;
        self.stdin.flush()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.left.is_empty() {
            match self.bytes.recv_timeout(timeout) {
                Ok(bytes) => self.left = bytes,
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "QEMU has ended"));
                }
            }
        }
        let length = self.left.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.left[..length]);
        self.left.drain(..length);
        if self.left.is_empty() {
            // Not even the room for it is kept.
            self.left = Vec::new();
        }
        Ok(length)
    }

    /// Virtual time may run many times slower than real time on a busy desktop.
    fn patience(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn reset(&mut self) -> io::Result<bool> {
        match &mut self.monitor {
            Some(monitor) => monitor.execute("system_reset").map(|()| true),
            None => Ok(false),
        }
    }
}
