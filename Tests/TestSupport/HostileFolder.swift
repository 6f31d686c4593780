import Foundation
import Platform

extension TemporaryDirectory {
  /// Makes what a search must not follow or open in a folder: links to what the kernel shows as
  /// files and to all of the machine, links in a circle, pipes, sockets and, if the tests may make
  /// them, devices.
  ///
  /// - Returns: the names of what was made.
  public func makeHostileEntries(in folder: String) throws -> [String] {
    try makeDirectory(folder)
    var names: [String] = []
    for (name, target) in [
      ("proc", "/proc"), ("self", "/proc/self"), ("task", "/proc/self/task"), ("sys", "/sys"),
      ("dev", "/dev"), ("descriptors", "/dev/fd"), ("root", "/"), ("up", ".."), ("here", "."),
      ("circle", "circle"), ("log.crash", "/proc/kmsg"),
      ("environment.crash", "/proc/self/environ"),
      ("memory.crash", "/proc/self/mem"), ("zero.crash", "/dev/zero"), ("null.crash", "/dev/null"),
      ("terminal.crash", "/dev/tty"), ("setting.crash", "/sys/kernel/uevent_seqnum"),
    ] {
      try link("\(folder)/\(name)", to: target)
      names.append(name)
    }
    guard unsafe mkfifo(path("\(folder)/pipe.crash"), 0o600) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    names.append("pipe.crash")
    // The device of /dev/zero. Only the superuser may make one, and not in every container.
    if unsafe mknod(path("\(folder)/device.crash"), S_IFCHR | 0o600, makedev(1, 5)) == 0 {
      names.append("device.crash")
    }
    return names
  }

  /// The number of a device, as the C library's macro makes it.
  private func makedev(_ major: UInt64, _ minor: UInt64) -> dev_t { dev_t(major << 8 | minor) }
}
