extension ShownFrame {
  /// What is known about the line.
  enum LineKnowledge {
    /// A line of source code.
    case line
    /// The compiler merged the code of several lines of a file that somebody wrote (line 0).
    case zero
    /// The compiler generated the code.
    case none
    /// Unknown, because there is no debug information.
    case unknown
  }

  var lineKnowledge: LineKnowledge {
    let location = location
    guard let file = location.file else { return .unknown }
    // `<compiler-generated>`, `/<compiler-generated>`, `<stdin>` and `<unknown>` are not files.
    let isFile = !file.isEmpty && !file.hasPrefix("<") && !file.hasPrefix("/<")
    guard isFile else { return .none }
    return location.line.map { $0 > 0 ? .line : .zero } ?? .unknown
  }

  /// Who wrote a function.
  enum Authorship {
    case user
    /// A thunk, merged or outlined code, or a function of the C++ standard library that was
    /// compiled into the program.
    case toolchain
    /// Not a function: the name says why the code traps.
    case trap
  }

  var authorship: Authorship {
    guard let traits else { return .user }
    if traits.authorship != .user { return traits.authorship }
    return isInStandardHeader ? .toolchain : .user
  }

  /// As far as the name of the function says so.
  static func authorship(_ function: String) -> Authorship {
    if TrapMessage(function: function) != nil { return .trap }
    if thunkStarts.contains(where: { function.hasPrefixBytes($0) }) { return .toolchain }
    return isNameOfStandardLibrary(function) ? .toolchain : .user
  }

  /// Judges by the name, which may follow a return type, or by the folder of its headers.
  func isOfStandardLibrary(_ function: String) -> Bool {
    isInStandardHeader || Self.isNameOfStandardLibrary(function)
  }

  private var isInStandardHeader: Bool {
    guard let path else { return false }
    return path.hasBytes(of: "/c++/v1/") || path.hasBytes(of: "/include/c++/")
  }

  private static func isNameOfStandardLibrary(_ function: String) -> Bool {
    standardLibraryStarts.contains { function.hasPrefixBytes($0) }
  }

  private static let standardLibraryStarts = [
    "std::", "void std::", "bool std::", "decltype(std::", "decltype(auto) std::",
  ]

  /// How the names of code that compilers and linkers make begin: Swift's thunks (between the
  /// caller's calling convention and the callee's), its metadata and outlined code, functions that
  /// the linker merged because their code is the same, and those that LLVM outlined.
  private static let thunkStarts = [
    "@objc ", "@nonobjc ", "thunk for ", "reabstraction thunk ", "partial apply ",
    "dispatch thunk of ",
    "vtable thunk for ", "protocol witness for ", "merged ", "outlined ", "OUTLINED_FUNCTION_",
    "<deduplicated_symbol>", "<redacted>", "type metadata accessor ", "type metadata completion ",
    "type metadata instantiation ", "lazy protocol witness table ", "value witness ", "__swift_",
    "_swift_",
  ]
}
