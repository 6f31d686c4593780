package import FunctionNames
import Wording

extension ShownFrame {
  /// What is known about the line.
  package enum LineKnowledge {
    /// A line of source code.
    case line
    /// The compiler merged the code of several lines of a file that somebody wrote (line 0).
    case zero
    /// The compiler generated the code.
    case none
    /// Unknown, because there is no debug information.
    case unknown
  }

  package var lineKnowledge: LineKnowledge {
    let location = location
    guard let file = location.file else { return .unknown }
    // `<compiler-generated>`, `/<compiler-generated>`, `<stdin>` and `<unknown>` are not files.
    let isFile = !file.isEmpty && !file.hasPrefix("<") && !file.hasPrefix("/<")
    guard isFile else { return .none }
    return location.line.map { $0 > 0 ? .line : .zero } ?? .unknown
  }

  package var authorship: FunctionTraits.Authorship {
    guard let traits else { return .user }
    if traits.authorship != .user { return traits.authorship }
    return isInStandardHeader ? .toolchain : .user
  }

  /// Judges by the name, which may follow a return type, or by the folder of its headers.
  package func isOfStandardLibrary(_ function: String) -> Bool {
    isInStandardHeader || FunctionTraits.isNameOfStandardLibrary(function)
  }

  private var isInStandardHeader: Bool {
    guard let path else { return false }
    return path.hasBytes(of: "/c++/v1/") || path.hasBytes(of: "/include/c++/")
  }
}
