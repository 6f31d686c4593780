import SymbolicationModel

/// The folders, or the whole path, that paths may begin with. Whole components count: `/a/b` is not
/// the beginning of `/a/bc/x.swift`. Nothing is normalised: `/a/./b` does not begin with `/a/b`.
package struct PathPrefix: Hashable, Sendable {
  /// Without the separators at its end; the root keeps its slash.
  package let text: String

  /// Nil for an empty text, which no path begins with.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text.withoutTrailingSeparators
  }

  var length: Int { text.utf8.count }

  /// What follows the prefix in `path`, without the separators between the two; nil for a path that
  /// begins otherwise.
  ///
  /// `.` is the folder that relative paths start from: every one of them begins with it, with `./`
  /// in front or without.
  func remainder(of path: String) -> Substring? {
    let isWindowsPath = path.isAbsoluteWindowsPath
    func isSeparator(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "/") || (isWindowsPath && byte == UInt8(ascii: "\\"))
    }
    if text == "." {
      guard !isWindowsPath, path.utf8.first != UInt8(ascii: "/") else { return nil }
      var rest = path[...]
      while rest.utf8.starts(with: "./".utf8) {
        rest = Substring(rest.utf8.dropFirst(2).drop(while: isSeparator))
      }
      return rest
    }
    var rest = path.utf8[...]
    for byte in text.utf8 {
      guard let next = rest.popFirst(),
        next == byte || (isSeparator(next) && isSeparator(byte))
      else { return nil }
    }
    if let next = rest.first, !isSeparator(next), let last = text.utf8.last, !isSeparator(last) {
      return nil
    }
    return Substring(rest.drop(while: isSeparator))
  }
}

/// Folders to put in the place of others: where sources lie here, or in a repository, for where
/// they lay when the app was built.
package struct PathMapping: Hashable, Sendable {
  let old: PathPrefix
  /// Without the separators at its end; the root keeps its slash. Empty: what follows the old
  /// folders becomes a relative path.
  let new: String

  /// Nil for an empty `old`.
  package init?(from old: String, to new: String) {
    guard let old = PathPrefix(old) else { return nil }
    self.old = old
    self.new = new.withoutTrailingSeparators
  }

  /// - Parameter argument: `OLD=NEW`; the first `=` separates. Nil for anything else, and for an
  ///   empty OLD.
  package init?(_ argument: String) {
    guard let separator = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    self.init(
      from: String(argument[..<separator]),
      to: String(argument[argument.utf8.index(after: separator)...]))
  }

  /// The path with its folders replaced; nil for one that does not begin with the old ones.
  func applied(to path: String) -> String? {
    guard let rest = old.remainder(of: path) else { return nil }
    // A path that would vanish stays.
    if rest.isEmpty { return new.isEmpty ? path : new }
    var tail = String(rest)
    if path.isAbsoluteWindowsPath, !new.isAbsoluteWindowsPath {
      tail = String(
        decoding: tail.utf8.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }, as: UTF8.self
      )
    }
    return new.isEmpty || new.utf8.last == UInt8(ascii: "/") ? new + tail : "\(new)/\(tail)"
  }
}

extension String {
  fileprivate var withoutTrailingSeparators: String {
    let isWindowsPath = isAbsoluteWindowsPath
    var rest = utf8[...]
    while rest.count > 1, let last = rest.last,
      last == UInt8(ascii: "/") || (isWindowsPath && last == UInt8(ascii: "\\"))
    {
      rest.removeLast()
    }
    return String(Substring(rest))
  }
}
