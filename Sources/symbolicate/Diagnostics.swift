import SystemPackage

/// Messages on standard error.
enum Diagnostics {
  /// Writes `program: message` and a newline. A message that cannot be written is lost: there is
  /// nowhere left to report it.
  static func print(_ message: String, program: String = "symbolicate") {
    write("\(program): \(message)\n")
  }

  /// Writes `line` and a newline.
  static func note(_ line: String) {
    write(line + "\n")
  }

  private static func write(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
