import Wording

/// A line of output, in the format of Apple's `atos`.
enum AtosLine {
  /// What comes before the number of the line, or, without a file, before the distance from the
  /// start of the function.
  static func beginning(name: String, imageName: String, file: String?) -> String {
    let function = "\(name) (in \(imageName))"
    return (file.map { "\(function) (\($0):" } ?? "\(function) + ").withoutControlCharacters
  }

  /// What comes behind the number.
  static func end(hasFile: Bool) -> String { hasFile ? ")" : "" }
}
