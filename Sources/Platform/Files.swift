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
