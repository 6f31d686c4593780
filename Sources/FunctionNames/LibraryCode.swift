import SymbolicationModel
import Wording

/// Runtimes and libraries that apps bring along. Their frames are not the user's code, although
/// they are in the app's bundle, or in its executable.
///
/// A frame belongs to a library if its image or its function does. Add a row for another library to
/// the later ones; name a public source for its names.
package enum LibraryCode {
  package struct Row {
    /// What a reader calls it.
    package let title: String
    /// Names of images, without folders. `*` at the end stands for any rest.
    package var images: [String] = []
    /// How names of functions begin; for Objective-C the class, which fits `+[Class`, `-[Class` and
    /// blocks in its methods.
    var functions: [String] = []
    var classes: [String] = []
    /// Whether the names have no parameters. C++ may have namespaces called `core` too, but its
    /// names end with parameters.
    var hasNoParameters = false
    /// Whether it reports crashes, so that its frames are on the way down from every crash.
    var isCrashHandler = false
    /// Where the names are from.
    package let source: String
  }

  package static let rows: [Row] = firstRows + laterRows

  /// The index of the first row that version 1 of signatures does not know.
  package static var laterStart: Int { firstRows.count }

  /// Whether a title of a row is that of a crash SDK.
  package static func isCrashHandler(_ title: String) -> Bool {
    rows.contains { $0.isCrashHandler && $0.title == title }
  }

  /// The title of the library that a function or an image belongs to; nil if it is none of these.
  package static func title(function: String?, image: String) -> String? {
    title(functionRow: function.flatMap { row(function: $0) }, imageRow: row(image: image))
  }

  /// The title of the first of two rows.
  package static func title(functionRow: Int?, imageRow: Int?) -> String? {
    switch (functionRow, imageRow) {
    case (let one?, let other?): rows[min(one, other)].title
    case (let only?, nil), (nil, let only?): rows[only].title
    case (nil, nil): nil
    }
  }

  /// The index of the first row with the function.
  ///
  /// - Parameter function: demangled.
  package static func row(function: String) -> Int? {
    let name = FunctionName(function)
    let first = name.name.utf8.first
    // A closure would get a copy of each row.
    for index in rows.indices {
      if rows[index].hasNoParameters, name.hasParameters { continue }
      for start in rows[index].functions
      where start.utf8.first == first && name.name.hasPrefixBytes(start) {
        return index
      }
      guard let className = name.className else { continue }
      for start in rows[index].classes where className.hasPrefixBytes(start) { return index }
    }
    return nil
  }

  /// The index of the first row with the function that a closure is in, however deep:
  /// `closure #1 in closure #2 in Deck.shuffle()`. Nil for other names.
  static func row(closure: String) -> Int? {
    let (start, end, digits) = ("closure #", " in ", UInt8(ascii: "0")...UInt8(ascii: "9"))
    guard closure.hasPrefixBytes(start) else { return nil }
    var name = closure[...]
    while name.utf8.starts(with: start.utf8) {
      let rest = name.utf8.dropFirst(start.utf8.count).drop { digits.contains($0) }
      guard rest.starts(with: end.utf8) else { return nil }
      name = Substring(rest.dropFirst(end.utf8.count))
    }
    return row(function: String(name))
  }

  /// The index of the first row with the image.
  package static func row(image: String) -> Int? {
    guard let first = image.utf8.first else { return nil }
    // A closure would get a copy of each.
    for index in imageNames.indices where imageNames[index].first == first {
      if fits(imageNames[index].name, image) { return imageNames[index].row }
    }
    return nil
  }

  /// The names of the rows' images, in their order, with what rules nearly all of them out.
  private static let imageNames: [(first: UInt8, row: Int, name: String)] = {
    var names: [(first: UInt8, row: Int, name: String)] = []
    for row in rows.indices {
      for name in rows[row].images { names.append((name.utf8.first ?? 0, row, name)) }
    }
    return names
  }()

  private static func fits(_ pattern: String, _ name: String) -> Bool {
    pattern.withBytes { wanted in
      name.withBytes { text in
        let isStart = wanted.count > 0 && wanted[wanted.count - 1] == UInt8(ascii: "*")
        let length = isStart ? wanted.count - 1 : wanted.count
        guard isStart ? text.count >= length : text.count == length else { return false }
        for index in 0..<length where text[index] != wanted[index] { return false }
        return true
      }
    }
  }
}

/// The name of a function as all rows look at it.
struct FunctionName {
  /// Without what demanglers and compilers put in front of it.
  let name: String
  let hasParameters: Bool
  /// `Class` of `-[Class(Category) method]` and of `__31-[Class method]_block_invoke`.
  let className: String?

  init(_ function: String) {
    var name = Substring(function)
    for start in Self.decorations where name.utf8.starts(with: start.utf8) {
      name = name[name.utf8.index(name.startIndex, offsetBy: start.utf8.count)...]
    }
    self.name = name.startIndex == function.startIndex ? function : String(name)
    hasParameters = Self.hasParameters(name)
    className = Self.className(in: name).map { String($0) }
  }

  /// Whether a parenthesis is behind a name. Go has receivers in some (`main.(*Page).load`), and
  /// Rust tuples (`FnOnce<(A,)>`).
  private static func hasParameters(_ name: Substring) -> Bool {
    var last: UInt8 = 0
    for byte in name.utf8 {
      if byte == UInt8(ascii: "("), last != UInt8(ascii: "."), last != UInt8(ascii: "<") {
        return true
      }
      last = byte
    }
    return false
  }

  /// What stands in front of the name of a function that belongs to another.
  private static let decorations = [
    // Of Mono, around a method.
    "(wrapper managed-to-native) ", "(wrapper native-to-managed) ", "(wrapper runtime-invoke) ",
    "invocation function for block in ", "protocol witness for ", "closure #1 in ",
    "specialized ", "partial apply for ", "void ", "static ",
  ]

  static func className(in name: Substring) -> Substring? {
    guard let bracket = name.utf8.firstIndex(of: UInt8(ascii: "[")), bracket > name.startIndex
    else { return nil }
    let sign = name.utf8[name.utf8.index(before: bracket)]
    guard sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return nil }
    let rest = name[name.utf8.index(after: bracket)...]
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }
    return rest[..<(end ?? rest.endIndex)]
  }
}

extension LibraryCode {
  /// Whether a library of that name belongs to Swift or Clang, whatever its path: programs may
  /// bring their own copy.
  package static func isOfToolchain(_ name: String) -> Bool {
    toolchainNames.contains { beginning, end in
      name.hasPrefix(beginning) && name.hasSuffix(end)
    }
  }

  /// Prefixes and suffixes of the names of the compilers' libraries on Apple's systems, Linux and
  /// Windows.
  private static let toolchainNames = [
    // The latter are the same with the names that Rust gives them (`librustc-nightly_rt.asan`).
    ("libclang_rt.", ""), ("librustc-", ".dylib"), ("libswift", ".dylib"), ("libswift", ".so"),
    ("libFoundation", ".so"),
    ("lib_Foundation", ".so"), ("libdispatch", ".so"), ("libBlocksRuntime", ".so"),
    ("swift", ".dll"), ("Foundation", ".dll"), ("_Foundation", ".dll"), ("dispatch", ".dll"),
    ("BlocksRuntime", ".dll"),
  ]
}
