extension ShownFrame {
  /// What is known about the line.
  enum LineKnowledge {
    /// A line of source code.
    case line
    /// The compiler says that there is none: it generated the code, or merged the code of several
    /// lines.
    case none
    /// Unknown, because there is no debug information.
    case unknown
  }

  var lineKnowledge: LineKnowledge {
    guard let file else { return .unknown }
    // `<compiler-generated>`, `/<compiler-generated>`, `<stdin>` and `<unknown>` are not files.
    let isFile = !file.isEmpty && !file.hasPrefix("<") && !file.hasPrefix("/<")
    guard isFile else { return .none }
    return line.map { $0 > 0 ? .line : .none } ?? .unknown
  }

  /// Who wrote a function.
  enum Authorship {
    case user
    /// A thunk, or a function of the C++ standard library that was compiled into the program.
    case toolchain
    /// Not a function: the name says why the code traps.
    case trap
  }

  var authorship: Authorship {
    guard let function else { return .user }
    if TrapMessage(function: function) != nil { return .trap }
    if Self.thunkStarts.contains(where: { function.hasPrefix($0) }) { return .toolchain }
    return isOfStandardLibrary(function) ? .toolchain : .user
  }

  /// Judges by the name, which may follow a return type, or by the folder of its headers.
  private func isOfStandardLibrary(_ function: String) -> Bool {
    if let path, path.contains("/c++/v1/") || path.contains("/include/c++/") { return true }
    return Self.standardLibraryStarts.contains { function.hasPrefix($0) }
  }

  private static let standardLibraryStarts = [
    "std::", "void std::", "bool std::", "decltype(std::", "decltype(auto) std::",
  ]

  /// How the demangled names of Swift's thunks begin: code between the caller's calling convention
  /// and the callee's.
  private static let thunkStarts = [
    "@objc ", "@nonobjc ", "thunk for ", "reabstraction thunk ", "partial apply ",
    "dispatch thunk of ",
    "vtable thunk for ", "protocol witness for ", "merged ",
  ]
}
