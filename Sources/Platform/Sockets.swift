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
