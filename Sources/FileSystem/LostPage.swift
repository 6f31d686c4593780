import Platform
import Synchronization

/// The end of the process because a page of a mapped file is gone.
///
/// All of it runs in a signal handler: it makes no objects and takes no locks. The system knows
/// which file is mapped where, so nothing is noted when a file is mapped.
enum LostPage {
  // Soundness: set once, before the handler is installed, and only read afterwards. One thread
  // writes the buffers: another that gets here meanwhile waits for the end.
  private nonisolated(unsafe) static var words: (before: StaticString, after: StaticString) =
    ("", "")
  private nonisolated(unsafe) static var status: CInt = 1
  private nonisolated(unsafe) static var input = UnsafeMutablePointer<UInt8>.allocate(
    capacity: inputSize)
  private nonisolated(unsafe) static var message = UnsafeMutablePointer<UInt8>.allocate(
    capacity: messageSize)
  private static let isEnding = Atomic(false)

  private static let inputSize = 4096
  /// Each byte of a path may take four.
  private static let messageSize = 4 * Int(PATH_MAX) + 512

  static func prepare(
    _ words: (before: StaticString, after: StaticString), status: CInt
  ) {
    unsafe Self.words = words
    unsafe Self.status = status
    _ = unsafe (input, message, isEnding.load(ordering: .relaxed))
  }

  /// Returns if no file is mapped at `address`.
  static func end(at address: UInt) {
    if isEnding.exchange(true, ordering: .sequentiallyConsistent) { while true { pause() } }
    var length = 0
    unsafe append(words.before, &length)
    let start = length
    appendPath(at: address, &length)
    guard length > start else { return isEnding.store(false, ordering: .sequentiallyConsistent) }
    unsafe append(words.after, &length)
    unsafe write(STDERR_FILENO, message, length)
    TemporaryFiles.removeAll()
    unsafe _exit(status)
  }

  private static func append(_ text: StaticString, _ length: inout Int) {
    for index in 0..<text.utf8CodeUnitCount {
      unsafe append(byte: text.utf8Start[index], &length)
    }
  }

  private static func append(byte: UInt8, _ length: inout Int) {
    guard length < messageSize else { return }
    unsafe message[length] = byte
    length &+= 1
  }

  /// Appends the path of the file that is mapped at `address`: the rest of a line of
  /// `/proc/self/maps` from the first slash on (proc_pid_maps(5)). What is not ASCII is escaped, so
  /// that nothing in it reaches a terminal.
  private static func appendPath(at address: UInt, _ length: inout Int) {
    let file = unsafe open(ThisProcess.mapsPath, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var (start, end): (UInt, UInt) = (0, 0)
    var field = Field.start
    while true {
      let count = uninterrupted { unsafe read(file, input, inputSize) }
      guard count > 0 else { return }
      for index in 0..<count {
        let byte = unsafe input[index]
        switch field {
        case .start:
          if byte == UInt8(ascii: "-") { field = .end } else { start = start << 4 | digit(byte) }
        case .end:
          if byte == UInt8(ascii: " ") {
            field = start <= address && address < end ? .beforePath : .others
          } else {
            end = end << 4 | digit(byte)
          }
        case .others, .beforePath, .path:
          if byte == UInt8(ascii: "\n") {
            if field != .others { return }
            (start, end, field) = (0, 0, .start)
          } else if field == .path || (field == .beforePath && byte == UInt8(ascii: "/")) {
            field = .path
            appendShown(byte, &length)
          }
        }
      }
    }
  }

  /// Where in a line the next byte is.
  private enum Field { case start, end, others, beforePath, path }

  private static func digit(_ byte: UInt8) -> UInt {
    UInt(byte <= UInt8(ascii: "9") ? byte & 0xf : (byte & 0xf) &+ 9)
  }

  private static func appendShown(_ byte: UInt8, _ length: inout Int) {
    guard byte < 0x20 || byte >= 0x7f else { return append(byte: byte, &length) }
    append("\\x", &length)
    appendDigit(byte >> 4, &length)
    appendDigit(byte & 0xf, &length)
  }

  private static func appendDigit(_ digit: UInt8, _ length: inout Int) {
    append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit, &length)
  }
}
