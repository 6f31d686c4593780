import BinaryInput
package import SymbolicationModel

/// A Breakpad symbol file, read for what its head states about the image. `BreakpadSymbols` reads
/// the records after it.
struct BreakpadOutline: StandaloneHead {
  private let region: ByteRegion

  static let size = BreakpadModule.headLimit

  init(_ region: ByteRegion) { self.region = region }

  var isSelfContained: Bool { true }

  /// Throws `unrecognized` if the file does not begin with a sound `MODULE` record.
  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    guard let module = BreakpadModule(region.prefix(BreakpadModule.headLimit)) else {
      throw ObjectFileError(path: path, reason: .unrecognized(firstBytes: region.prefix(8)))
    }
    var file = ObjectFile(
      path: path, format: .breakpad, fileType: .debugSymbols, architecture: module.architecture,
      identity: module.identity, byteOrder: .little,
      addressSize: module.architecture.is32Bit ? 4 : 8, segments: [], sections: [], faults: [],
      region: region, symbolTableSource: .none)
    // Addresses are relative to the start of the image.
    file.standaloneLinkBase = LinkAddress(0)
    file.moduleName = module.name.isEmpty ? nil : module.name
    file.isIdentityPrefix = module.isIdentityPrefix
    return file
  }
}

/// What the head of a Breakpad symbol file states about its image: the `MODULE` record, and the
/// `INFO CODE_ID` record after it.
///
/// Source: https://chromium.googlesource.com/breakpad/breakpad/+/HEAD/docs/symbol_files.md; what it
/// leaves open follows the files that Breakpad's and Mozilla's dump_syms write.
package struct BreakpadModule: Hashable, Sendable {
  /// `unknown` if the file says so.
  package let architecture: Architecture
  /// The UUID (Mach-O), the build-id or the first 16 bytes of it (ELF), or the GUID of a PDB file;
  /// nil if the record has only zeros.
  package let identity: ImageIdentity?
  /// Whether the build-id may be longer than `identity`, which is then 16 bytes of it.
  package let isIdentityPrefix: Bool
  /// The name of the executable or library, without folders.
  package let name: String

  /// More of a file is not read for its head.
  static let headLimit = 1 << 16
  /// The size of an identifier in hexadecimal digits, without the age that follows it.
  private static let identifierDigits = 32
  /// The age has up to 32 bits.
  private static let ageDigits = 8

  /// - Parameter start: the first bytes of a file. Nil if they are not a `MODULE` record with a
  ///   sound identifier: `MODULE` is also a word with which texts begin.
  package init?(_ start: some Collection<UInt8>) {
    let head = Array(start.prefix(Self.headLimit))
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .lazy.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }.makeIterator()
    guard let module = lines.next() else { return nil }
    let fields = module.split(separator: UInt8(ascii: " "), maxSplits: 4)
    guard fields.count >= 4, fields[0].elementsEqual("MODULE".utf8),
      let identifier = Self.identifier(fields[3])
    else { return nil }
    let system = OperatingSystem(fields[1])
    var identity = system == .elf ? identifier.swappingGuidFields : identifier
    var isPrefix = system == .elf
    while isPrefix, let line = lines.next(), line.starts(with: "INFO ".utf8) {
      let info = line.split(separator: UInt8(ascii: " "))
      // Files without a build-id have 16 bytes there that were made up from their code.
      guard info.count >= 3, info[1].elementsEqual("CODE_ID".utf8),
        let code = ImageIdentity(hexadecimal: info[2])?.bytes, code.isBuildId(beginning: identity)
      else { continue }
      identity = code
      isPrefix = false
    }
    self.architecture = Architecture(breakpadName: String(decoding: fields[2], as: UTF8.self))
    self.identity = ImageIdentity(bytes: identity)
    self.isIdentityPrefix = isPrefix
    self.name = fields.count > 4 ? String(decoding: fields[4], as: UTF8.self) : ""
  }

  /// The 16 bytes of `text`: 32 digits, and those of the age, which counts how often a PDB file was
  /// written. Dashes do not matter.
  private static func identifier(_ text: some Sequence<UInt8>) -> [UInt8]? {
    let digits = text.filter { $0 != UInt8(ascii: "-") }
    guard digits.count >= identifierDigits, digits.count <= identifierDigits + ageDigits else {
      return nil
    }
    let values = digits.compactMap { hexadecimalDigitValue($0) }
    guard values.count == digits.count else { return nil }
    return stride(from: 0, to: identifierDigits, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// What decides how the identifier was made from the number that identifies the image.
  private enum OperatingSystem {
    /// The UUID, as it is.
    case machO
    /// The GUID of a PDB file, as it is written.
    case windows
    /// The first 16 bytes of the build-id as a little-endian GUID.
    case elf

    init(_ name: some Sequence<UInt8>) {
      switch String(decoding: Array(name), as: UTF8.self).lowercased() {
      case "mac", "ios", "tvos", "watchos", "visionos", "xros": self = .machO
      case "windows": self = .windows
      default: self = .elf
      }
    }
  }
}

extension [UInt8] {
  /// Whether it is a build-id whose first 16 bytes, padded with zeros, are `prefix`.
  fileprivate func isBuildId(beginning prefix: [UInt8]) -> Bool {
    let start = self.prefix(prefix.count)
    return start.elementsEqual(prefix.prefix(start.count))
      && prefix.dropFirst(start.count).allSatisfy { $0 == 0 }
  }
}

extension Architecture {
  /// The architecture that a `MODULE` record names. Breakpad takes the names from Apple's tools,
  /// except for Intel's 32 bits; `arm` stands for any 32-bit ARM.
  fileprivate init(breakpadName name: String) {
    switch name.lowercased() {
    case "x86": self = .i386
    case "arm": self = .armv7
    case "aarch64": self = .arm64
    case "amd64": self = .x86_64
    case "", "unknown": self = .unknown
    default: self.init(name: name)
    }
  }
}
