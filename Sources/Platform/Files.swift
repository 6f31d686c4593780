import CPlatform

extension stat {
  /// When the content was last changed.
  package var contentTime: timespec { st_mtim }

  /// When content, name, owner or permissions were last changed.
  package var changeTime: timespec { st_ctim }
}

/// A file without a name, which is in memory only and ends with its last descriptor.
///
/// - Returns: its descriptor, which another program does not inherit; -1 with `errno` if there is
///   none to give.
package func makeMemoryFile(name: String) -> CInt {
  unsafe memfd_create(name, SYMBOLICATE_MFD_CLOEXEC)
}

/// A pair of connected sockets that another program does not inherit. Unlike a pipe, a socket can
/// be written to without a signal if nobody reads.
///
/// - Returns: nil with `errno` if the system has none to give.
package func makeSocketPair() -> (CInt, CInt)? {
  var sockets: [CInt] = [-1, -1]
  let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
  guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0 else { return nil }
  return (sockets[0], sockets[1])
}

/// Writes to a socket, as `write` does, but without SIGPIPE if nobody reads.
@unsafe package func sendWithoutSignal(_ socket: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe send(socket, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
}

/// The number of the kind of file system that `path` leads to (`f_type` of statfs(2)).
///
/// - Returns: nil with `errno` if the system does not say.
@unsafe package func fileSystemType(of path: UnsafePointer<CChar>) -> UInt? {
  var status = statfs()
  guard unsafe statfs(path, &status) == 0 else { return nil }
  return UInt(bitPattern: Int(status.f_type))
}

/// Makes a file in a directory that has no name there (`O_TMPFILE`), for reading and writing. It
/// ends with its last descriptor unless it gets a name.
///
/// - Returns: its descriptor, which another program does not inherit; -1 with `errno` if the file
///   system or the system has no such files.
@unsafe package func openUnnamedFile(
  in directory: UnsafePointer<CChar>, permissions: mode_t
) -> CInt {
  // `__O_TMPFILE`, which is the same number on x86 and ARM and not imported.
  let withoutName: CInt = 0o20_000_000
  return unsafe open(
    directory, withoutName | O_DIRECTORY | O_RDWR | O_CLOEXEC, permissions)
}

/// Reserves room for the first `size` bytes of a file, which it has then.
///
/// - Returns: 0, or -1 with `errno`: `EOPNOTSUPP` if the file system cannot promise room.
package func reserveRoom(_ size: Int64, in file: CInt) -> CInt {
  fallocate(file, 0, 0, off_t(size))
}
