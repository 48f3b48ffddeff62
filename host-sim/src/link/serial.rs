//! A board on a serial port.

use core::time::Duration;
use std::io::{self, Read, Write};

use serialport::{SerialPort, SerialPortType};

use super::{Link, OpenError};

/// An open port.
pub struct Serial {
    port: Box<dyn SerialPort>,
}

impl Serial {
    /// Opens a port, or says what to do about it.
    pub fn open(name: &str, baud: u32) -> Result<Self, OpenError> {
        let mut port = serialport::new(name, baud)
            .timeout(Duration::from_millis(20))
            .open()
            .map_err(|error| OpenError::Port(explain(name, &error)))?;
        // USB serial ports stay silent until somebody says that the terminal is ready.
        let _ = port.write_data_terminal_ready(true);
        Ok(Self { port })
    }
}

/// What to do about a port that cannot be opened.
fn explain(name: &str, error: &serialport::Error) -> String {
    use serialport::ErrorKind;
    match error.kind() {
        ErrorKind::NoDevice | ErrorKind::Io(io::ErrorKind::NotFound) => {
            format!("there is no port {name}: is the board plugged in? `rival ports` lists the ports there are")
        }
        ErrorKind::Io(io::ErrorKind::PermissionDenied) => format!("no permission to open {name}: {}", permission(name)),
        _ => format!("cannot open {name}: {error}"),
    }
}

/// The group that owns the port, and the command that lets the user into it.
#[cfg(unix)]
fn permission(name: &str) -> String {
    use std::os::unix::fs::MetadataExt;
    let group = std::fs::metadata(name).ok().and_then(|node| {
        let groups = std::fs::read_to_string("/etc/group").ok()?;
        let owner = node.gid().to_string();
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)? == owner).then(|| name.to_owned())
        })
    });
    match group {
        Some(group) => format!("run `sudo usermod -aG {group} $USER`, then log out and in again"),
        None => "your user needs access to the device file".into(),
    }
}

/// Whether the port could be opened. It is not: opening one resets some boards.
#[cfg(unix)]
fn may_open(name: &str) -> bool {
    use rustix::fs::{Access, access};
    access(name, Access::READ_OK | Access::WRITE_OK) != Err(rustix::io::Errno::ACCESS)
}

#[cfg(not(unix))]
fn may_open(_name: &str) -> bool {
    true
}

#[cfg(not(unix))]
fn permission(_name: &str) -> String {
    "another program may have it open".into()
}

impl Link for Serial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.port.write_all(bytes)?;
        self.port.flush()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.port.set_timeout(timeout.max(Duration::from_millis(1)))?;
        match self.port.read(buffer) {
            // A port that is gone reads as an end of file.
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the port is gone")),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Ok(0),
            other => other,
        }
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(1_500)
    }
}

/// The ports of this computer, a line each, with their USB names and whether they can be opened.
pub fn ports() -> Result<Vec<String>, OpenError> {
    let ports =
        serialport::available_ports().map_err(|error| OpenError::Port(format!("cannot list ports: {error}")))?;
    let lines = ports.into_iter().map(|port| {
        let kind = match &port.port_type {
            SerialPortType::UsbPort(usb) => {
                let product = usb.product.as_deref().unwrap_or("USB serial port");
                let maker = usb.manufacturer.as_deref().unwrap_or("unknown maker");
                format!("{product} ({maker}) [{:04x}:{:04x}]", usb.vid, usb.pid)
            }
            SerialPortType::PciPort => "built-in port".into(),
            SerialPortType::BluetoothPort => "Bluetooth".into(),
            SerialPortType::Unknown => "unknown kind".into(),
        };
        let trouble = if may_open(&port.port_name) {
            String::new()
        } else {
            format!("  -- no permission: {}", permission(&port.port_name))
        };
        format!("{:<16} {kind}{trouble}", port.port_name)
    });
    Ok(lines.collect())
}
