import SymbolicationModel

/// A name under change, as bytes. `SignatureName` puts the steps in order.
struct NameText {
  package var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// `-[Class method]`, or a block in such a method.
  var isObjectiveC: Bool { starts(with: "-[") || starts(with: "+[") }

  // MARK: Endings

  /// Removes the offset that old writers put behind the name, or into it: `main + 20`,
  /// `-[NSRunLoop+ 32796 (NSRunLoop) runMode:beforeDate:]`.
  mutating func removeWrittenOffsets() {
    var index = 0
    while let plus = bytes[index...].firstIndex(of: UInt8(ascii: "+")) {
      index = plus + 1
      guard index < bytes.count, bytes[index] == UInt8(ascii: " ") else { continue }
      let end = endOfDigits(from: index + 1)
      guard end > index + 1, end == bytes.count || bytes[end] == UInt8(ascii: " ") else { continue }
      var start = plus
      while start > 0, bytes[start - 1] == UInt8(ascii: " ") { start -= 1 }
      bytes.removeSubrange(start..<min(end + 1, bytes.count))
      index = start
    }
  }

  /// Removes what compilers and linkers put behind the name of a part or copy of a function:
  /// `.cold.1`, `.llvm.123`, ` (.resume.0)`, ` [clone .isra.0]`, `$VARIANT$mp`, and Rust's hash.
  mutating func removeEndings() {
    while removeEnding() {}
  }

  private mutating func removeEnding() -> Bool {
    if bytes.last == UInt8(ascii: ")"), let start = lastRange(of: " (.") {
      bytes.removeSubrange(start...)
      return true
    }
    if bytes.last == UInt8(ascii: "]"), let start = lastRange(of: " [clone ") {
      bytes.removeSubrange(start...)
      return true
    }
    if let start = startOfLastNumber, start > 0, bytes[start - 1] == UInt8(ascii: ".") {
      bytes.removeSubrange((start - 1)...)
      return true
    }
    for ending in Self.partEndings where ends(with: ending) {
      bytes.removeLast(ending.utf8.count)
      return true
    }
    if let start = lastRange(of: "$VARIANT$"), start > 0 {
      bytes.removeSubrange(start...)
      return true
    }
    // `::h` and 16 digits.
    if bytes.count > 19, bytes[bytes.count - 19..<bytes.count - 16].elementsEqual("::h".utf8),
      bytes.suffix(16).allSatisfy({ hexadecimalDigitValue($0) != nil })
    {
      bytes.removeLast(19)
      return true
    }
    return false
  }

  /// After their numbers are removed.
  private static let partEndings = [
    ".cold", ".llvm", ".part", ".isra", ".constprop", ".lto_priv", ".resume", ".destroy",
    ".cleanup", "$NOCANCEL", "$UNIX2003", "$INODE64", "$DARWIN_EXTSN", "$V2",
  ]

  private var startOfLastNumber: Int? {
    let start = bytes.lastIndex { !$0.isDecimalDigit }.map { $0 + 1 } ?? 0
    return start < bytes.count ? start : nil
  }

  // MARK: Blocks

  /// Shortens `__36-[Window run:]_block_invoke_2` to `-[Window run:]_block_invoke`, and
  /// `__f_block_invoke` to `f_block_invoke`.
  mutating func shortenBlock() {
    let mark = "_block_invoke"
    if starts(with: Self.invocation) {
      bytes.removeFirst(Self.invocation.utf8.count)
      bytes += Array(mark.utf8)
      return
    }
    guard let start = firstRange(of: mark) else { return }
    let rest = bytes[(start + mark.utf8.count)...]
    // `_2`, `.263` and `375`, and further blocks in the block.
    guard rest.allSatisfy({ $0.isDecimalDigit || "_.blockinve".utf8.contains($0) }) else { return }
    bytes.removeSubrange((start + mark.utf8.count)...)
    guard starts(with: "__") else { return }
    var end = endOfDigits(from: 2)
    if end == 2 || !(bytes[end...].starts(with: "-[".utf8) || bytes[end...].starts(with: "+[".utf8))
    {
      end = 2
    }
    bytes.removeFirst(end)
  }

  private static let invocation = "invocation function for block in "

  // MARK: C++

  /// Gives lambdas, Rust's closures and anonymous namespaces one spelling, whoever demangled them.
  mutating func unifyAnonymous() {
    replace("{{closure}}", with: "{closure}")
    replaceNumbered("{closure#", with: "{closure") { $0 == UInt8(ascii: "}") }
    for spelling in ["{anonymous}", "`anonymous namespace'", "_GLOBAL__N_1"] {
      replace(spelling, with: NameText.anonymousNamespace)
    }
    replaceNumbered("$_", with: Self.lambda)
    replaceNumbered("'lambda", with: "'lambda") { $0 == UInt8(ascii: "'") }
    // `{lambda(int)#1}`
    while let start = firstRange(of: "{lambda("),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "}"))
    {
      bytes.replaceSubrange(start...end, with: Self.lambda.utf8)
    }
  }

  static let anonymousNamespace = "(anonymous namespace)"
  private static let lambda = "'lambda'"

  /// Replaces `start` and the digits behind it. Without `condition`, there must be a digit; else
  /// the byte behind the digits must meet it.
  private mutating func replaceNumbered(
    _ start: String, with replacement: String, if condition: ((UInt8) -> Bool)? = nil
  ) {
    var index = 0
    while let found = firstRange(of: start, from: index) {
      let numbers = found + start.utf8.count
      let end = endOfDigits(from: numbers)
      index = found + 1
      if let condition {
        guard end < bytes.count, condition(bytes[end]) else { continue }
      } else if end == numbers {
        continue
      }
      bytes.replaceSubrange(found..<end, with: replacement.utf8)
      index = found + replacement.utf8.count
    }
  }

  /// Removes `[abi:ne180100]`.
  mutating func removeTags() {
    while let start = firstRange(of: "[abi:"),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "]"))
    {
      bytes.removeSubrange(start...end)
    }
  }

  // MARK: Swift

  /// Removes what is around the name of the function that somebody wrote: `@objc `, `specialized `,
  /// `(1) await resume partial function for `. A witness of a protocol gets the name of the method
  /// that it calls.
  mutating func unwrap() {
    var isShorter = true
    while isShorter {
      isShorter = false
      for wrapper in Self.wrappers where starts(with: wrapper) {
        bytes.removeFirst(wrapper.utf8.count)
        isShorter = true
      }
      if bytes.first == UInt8(ascii: "("), let end = resumption {
        bytes.removeFirst(end)
        isShorter = true
      }
    }
    unwrapWitness()
  }

  private static let wrappers = [
    "@objc ", "@nonobjc ", "specialized ", "generic specialization of ",
    "function signature specialization of ", "partial apply forwarder for ", "partial apply for ",
    "merged ", "dispatch thunk of ", "vtable thunk for ", "distributed thunk ",
    "non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
    "async function pointer to ",
  ]

  /// Where `(1) suspend resume partial function for ` ends.
  private var resumption: Int? {
    let digits = endOfDigits(from: 1)
    guard digits > 1, bytes[digits...].starts(with: ") ".utf8) else { return nil }
    let words = " resume partial function for "
    guard let start = firstRange(of: words, from: digits), start < digits + 12 else { return nil }
    return start + words.utf8.count
  }

  private mutating func unwrapWitness() {
    let (start, middle) = ("protocol witness for ", " in conformance ")
    guard starts(with: start), let end = lastRange(of: middle), end >= start.utf8.count else {
      return
    }
    var requirement = Array(bytes[start.utf8.count..<end])
    let type = bytes[(end + middle.utf8.count)...].drop { $0 == UInt8(ascii: " ") }
    let isStatic = requirement.starts(with: "static ".utf8)
    if isStatic { requirement.removeFirst("static ".utf8.count) }
    guard let dot = requirement.firstIndex(of: UInt8(ascii: ".")) else { return }
    bytes = (isStatic ? Array("static ".utf8) : []) + type + requirement[dot...]
  }

  /// Removes the numbers of closures and local functions: `closure #1 in f()`.
  mutating func removeNumbers() {
    replace("implicit closure #", with: "closure #")
    var index = 0
    while let found = firstRange(of: " #", from: index) {
      let end = endOfDigits(from: found + 2)
      index = found + 1
      if end > found + 2 { bytes.removeSubrange(found..<end) }
    }
  }

  /// An initialiser that allocates calls the one that does not, unless that is inlined.
  mutating func unifyInitializers() {
    replace(".__allocating_init", with: ".init")
    replace(".__deallocating_deinit", with: ".deinit")
  }
}

// MARK: - Searching

extension NameText {
  func starts(with text: String) -> Bool { bytes.starts(with: text.utf8) }

  func ends(with text: String) -> Bool {
    bytes.count > text.utf8.count && bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  func endOfDigits(from start: Int) -> Int {
    bytes[start...].firstIndex { !$0.isDecimalDigit } ?? bytes.count
  }

  func firstRange(of text: String, from start: Int = 0) -> Int? {
    guard let first = text.utf8.first, start <= bytes.count else { return nil }
    var rest = bytes[start...]
    while let index = rest.firstIndex(of: first) {
      rest = rest[index...]
      if rest.starts(with: text.utf8) { return index }
      rest = rest.dropFirst()
    }
    return nil
  }

  fileprivate func lastRange(of text: String) -> Int? {
    var found: Int?
    while let next = firstRange(of: text, from: found.map { $0 + 1 } ?? 0) { found = next }
    return found
  }

  fileprivate mutating func replace(_ text: String, with replacement: String) {
    var index = 0
    while let found = firstRange(of: text, from: index) {
      bytes.replaceSubrange(found..<(found + text.utf8.count), with: replacement.utf8)
      index = found + replacement.utf8.count
    }
  }
}

extension UInt8 {
  /// A letter, a digit, `_`, `$` or a part of a character that is not ASCII.
  var isInName: Bool {
    isDecimalDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
      || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "$") || self >= 0x80
  }
}
