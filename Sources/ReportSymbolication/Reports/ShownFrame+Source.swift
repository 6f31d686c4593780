extension ShownFrame {
  /// What is known of the line.
  enum SourcePlace {
    /// A line that somebody wrote.
    case line
    /// The compiler says that there is none: it made the code up, or merged that of several lines.
    case none
    /// Nothing is said: there is no debug information.
    case unknown
  }

  var sourcePlace: SourcePlace {
    guard let file else { return .unknown }
    // `<compiler-generated>`, `/<compiler-generated>`, `<stdin>`, `<unknown>`: no files.
    let isFile = !file.isEmpty && !file.hasPrefix("<") && !file.hasPrefix("/<")
    guard isFile else { return .none }
    return line.map { $0 > 0 ? .line : .none } ?? .unknown
  }

  /// Whose code a function is.
  enum Authorship {
    case user
    /// A thunk, or a function of the C++ standard library that was compiled into the program.
    case toolchain
    /// No function but why the code traps.
    case trap
  }

  var authorship: Authorship {
    guard let function else { return .user }
    if TrapMessage(function: function) != nil { return .trap }
    if Self.thunkStarts.contains(where: { function.hasPrefix($0) }) { return .toolchain }
    return isOfStandardLibrary(function) ? .toolchain : .user
  }

  /// By the name, which a return type may precede, or by where its headers lie.
  private func isOfStandardLibrary(_ function: String) -> Bool {
    if let path, path.contains("/c++/v1/") || path.contains("/include/c++/") { return true }
    return Self.standardLibraryStarts.contains { function.hasPrefix($0) }
  }

  private static let standardLibraryStarts = [
    "std::", "void std::", "bool std::", "decltype(std::", "decltype(auto) std::",
  ]

  /// What the names begin with that Swift demangles to where it puts code between a caller's
  /// convention and a callee's.
  private static let thunkStarts = [
    "@objc ", "@nonobjc ", "thunk for ", "reabstraction thunk ", "partial apply ",
    "dispatch thunk of ",
    "vtable thunk for ", "protocol witness for ", "merged ",
  ]
}
