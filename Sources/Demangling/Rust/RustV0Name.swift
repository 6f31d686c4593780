import SymbolicationModel

/// A name as Rust mangles it now: RFC 2603 and what rustc has added since (`str` and composite
/// constants, pattern types); https://doc.rust-lang.org/rustc/symbol-mangling/v0.html.
///
/// The name is read and written in one pass, because a back reference means that the text at an
/// earlier position is read again. Names may come from strangers, so depth, steps and output are
/// limited.
struct RustV0Name {
  /// The path of `name`.
  ///
  /// - Parameter showsHashes: whether to show the disambiguators of crates
  ///   (`core[846817f741e54dfd]`), the types of constants (`5: usize`) and the suffix `.llvm.123`.
  ///   binutils' `c++filt` shows the first two, `llvm-cxxfilt` none.
  static func demangled(_ name: String, showsHashes: Bool)
    throws(DemanglingFailure) -> String
  {
    let bytes = Array(name.utf8)
    guard bytes.starts(with: "_R".utf8) else { throw .malformed }
    guard bytes.count <= maximalLength else { throw .beyond(.nameLength) }
    // Positions count from the end of the prefix. Names have no dots, so the first one begins the
    // suffix.
    let body = bytes[2...]
    let end = body.firstIndex(of: UInt8(ascii: ".")) ?? body.endIndex
    var reading = RustV0Name(bytes: Array(body[..<end]), showsHashes: showsHashes)
    do {
      try reading.readPath(inValue: true)
      if !reading.isAtEnd {
        // The crate that instantiated a generic function is read and not shown.
        try reading.silently { reading throws(Malformed) in try reading.readPath(inValue: false) }
      }
    } catch {
      throw reading.exceededLimit.map { .beyond($0) } ?? .malformed
    }
    guard reading.isAtEnd else { throw .malformed }
    return String(decoding: reading.shown, as: UTF8.self)
      + RustSuffix.shown(body[end...], keepsLinkerNumber: showsHashes)
  }

  /// The name does not follow the grammar, or is beyond a limit. It is given up.
  struct Malformed: Error {}

  private static let maximalLength = 1 << 16
  /// The deepest nesting. rustc's own names are less than 30 deep; a level takes a few hundred
  /// bytes of stack.
  private static let maximalDepth = 300
  /// The most steps; each reads a path, a type or a constant. With back references, a short name
  /// could take exponentially many.
  private static let maximalStepCount = 1 << 16
  private static let maximalShownLength = 1 << 17

  let bytes: [UInt8]
  let showsHashes: Bool
  private(set) var shown: [UInt8] = []
  private var position = 0
  private var isSilent = false
  private var depth = 0
  private var stepCount = 0
  private var exceededLimit: DemanglingLimit?
  /// How many lifetimes the binders around the current position bind.
  private var boundLifetimeCount: UInt64 = 0

  private init(bytes: [UInt8], showsHashes: Bool) {
    self.bytes = bytes
    self.showsHashes = showsHashes
  }
}

// MARK: - Reading and writing

extension RustV0Name {
  var isAtEnd: Bool { position >= bytes.count }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take() throws(Malformed) -> UInt8 {
    guard position < bytes.count else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Goes back by one byte.
  mutating func untake() { position -= 1 }

  mutating func write(_ text: String) throws(Malformed) { try write(contentsOf: text.utf8) }

  mutating func write(contentsOf text: some Collection<UInt8>) throws(Malformed) {
    guard !isSilent else { return }
    guard shown.count + text.count <= Self.maximalShownLength else {
      exceededLimit = .shownLength
      throw Malformed()
    }
    shown.append(contentsOf: text)
  }

  /// Reads without writing and without following back references.
  mutating func silently(
    _ read: (inout RustV0Name) throws(Malformed) -> Void
  ) throws(Malformed) {
    let wasSilent = isSilent
    isSilent = true
    try read(&self)
    isSilent = wasSilent
  }

  /// Calls the reader one level deeper. Every production that may contain itself goes through here.
  mutating func nested(
    _ read: (inout RustV0Name) throws(Malformed) -> Void
  ) throws(Malformed) {
    stepCount += 1
    guard depth < Self.maximalDepth, stepCount <= Self.maximalStepCount else {
      exceededLimit = depth < Self.maximalDepth ? .shownLength : .nesting
      throw Malformed()
    }
    depth += 1
    try read(&self)
    depth -= 1
  }

  /// Reads the target of a back reference, whose `B` has just been taken.
  mutating func readBackReference(
    _ read: (inout RustV0Name) throws(Malformed) -> Void
  ) throws(Malformed) {
    let start = position - 1
    let target = try takeBase62()
    guard target < start else { throw Malformed() }
    // Without writing, the target need not be read, which could take exponentially many steps.
    guard !isSilent else { return }
    let end = position
    position = Int(target)
    try nested(read)
    position = end
  }

  /// Reads elements up to `E` and writes `separator` between them. Returns how many there are.
  @discardableResult
  mutating func readList(
    separator: String, _ read: (inout RustV0Name) throws(Malformed) -> Void
  ) throws(Malformed) -> Int {
    var count = 0
    while !takes("E") {
      if count > 0 { try write(separator) }
      try read(&self)
      count += 1
    }
    return count
  }
}

// MARK: - Numbers and identifiers

extension RustV0Name {
  /// Reads a base-62 number: `_` is 0, `0_` is 1.
  mutating func takeBase62() throws(Malformed) -> UInt64 {
    if takes("_") { return 0 }
    var number: UInt64 = 0
    while true {
      let byte = try take()
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "_"):
        guard number < .max else { throw Malformed() }
        return number + 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A") + 36
      default: throw Malformed()
      }
      let (product, overflows) = number.multipliedReportingOverflow(by: 62)
      let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
      guard !overflows, !overflowsToo else { throw Malformed() }
      number = sum
    }
  }

  /// Reads an optional number: 0 if `tag` does not follow, else one more than the number after it.
  mutating func takeOptionalBase62(_ tag: Unicode.Scalar) throws(Malformed) -> UInt64 {
    guard takes(tag) else { return 0 }
    let number = try takeBase62()
    guard number < .max else { throw Malformed() }
    return number + 1
  }

  mutating func takeDisambiguator() throws(Malformed) -> UInt64 { try takeOptionalBase62("s") }

  /// Reads an identifier without its disambiguator.
  mutating func takeIdentifier() throws(Malformed) -> Identifier {
    let isPunycode = takes("u")
    var length = 0
    guard let first = next, first.isDecimalDigit else { throw Malformed() }
    repeat {
      length = length * 10 + Int(try take() - UInt8(ascii: "0"))
      guard length <= bytes.count else { throw Malformed() }
      // A number has no leading zeros.
      if length == 0 { break }
    } while next?.isDecimalDigit == true
    _ = takes("_")
    guard length <= bytes.count - position else { throw Malformed() }
    let text = bytes[position..<position + length]
    position += length
    guard isPunycode else { return .ascii(text) }
    let separator = text.lastIndex(of: UInt8(ascii: "_"))
    let basic = separator.map { text[..<$0] } ?? []
    let encoded = separator.map { text[($0 + 1)...] } ?? text
    guard !encoded.isEmpty else { throw Malformed() }
    guard let scalars = Punycode.decode(basic: basic, encoded: encoded) else {
      return .undecodable(text)
    }
    return .decoded(scalars)
  }

  enum Identifier {
    case ascii(ArraySlice<UInt8>)
    case decoded([Unicode.Scalar])
    /// The part that is not Punycode.
    case undecodable(ArraySlice<UInt8>)

    var isEmpty: Bool {
      if case .ascii(let text) = self { text.isEmpty } else { false }
    }
  }

  mutating func write(_ identifier: Identifier) throws(Malformed) {
    switch identifier {
    case .ascii(let text): try write(contentsOf: text)
    case .decoded(let scalars):
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      try write(String(text))
    case .undecodable(let text):
      try write("punycode{")
      try write(contentsOf: text)
      try write("}")
    }
  }
}

// MARK: - Lifetimes

extension RustV0Name {
  /// Reads a binder (`G`) with its lifetimes, if one follows, and then what they are bound in.
  mutating func readInBinder(
    _ read: (inout RustV0Name) throws(Malformed) -> Void
  ) throws(Malformed) {
    let count = try takeOptionalBase62("G")
    let outer = boundLifetimeCount
    // A sound name has fewer lifetimes than bytes. More would make the output very long.
    guard count <= bytes.count else { throw Malformed() }
    if count > 0 {
      try write("for<")
      for index in 0..<count {
        if index > 0 { try write(", ") }
        boundLifetimeCount += 1
        try writeLifetime(1)
      }
      try write("> ")
    }
    try read(&self)
    boundLifetimeCount = outer
  }

  /// - Parameter index: 0 for the lifetime without a name, 1 for the one that was bound last.
  mutating func writeLifetime(_ index: UInt64) throws(Malformed) {
    try write("'")
    guard index > 0 else { return try write("_") }
    guard index <= boundLifetimeCount else {
      // Skipped text may be in binders that were not read.
      if isSilent { return }
      throw Malformed()
    }
    let number = boundLifetimeCount - index
    if number < 26 {
      try write(contentsOf: CollectionOfOne(UInt8(ascii: "a") + UInt8(number)))
    } else {
      // rustc-demangle and llvm-cxxfilt differ here; no real name has 27 lifetimes.
      try write("_\(number)")
    }
  }
}
