import SystemPackage

/// Standard error: everything that is not the result.
enum Diagnostics {
  /// Writes `program: message` and a line end. What cannot be written is lost: there is nowhere left
  /// to say so.
  static func print(_ message: String, program: String = "symbolicate") {
    write("\(program): \(message)\n")
  }

  /// Writes `line` and a line end.
  static func note(_ line: String) {
    write(line + "\n")
  }

  private static func write(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
  }
}
