package import SymbolicationModel

/// A file that a layout may hold for an image.
package struct LayoutFile: Hashable, Sendable {
  /// Relative to the root of the layout, with slashes between its components. No component is `.`
  /// or `..`.
  package let path: String
  package let content: Content

  package enum Content: Hashable, Sendable {
    /// A dSYM's DWARF file, or a separate debug file.
    case debugInformation
    /// The program or library, with or without debug information.
    case executable
    /// Breakpad's text.
    case breakpad
  }
}

extension SymbolLayout {
  /// The paths at which the layout may hold a file for the image, debug information first; empty
  /// if the image has no identity. Nothing is looked at.
  ///
  /// A report does not say whether an image is Mach-O or ELF. 16 bytes are taken for a UUID or a
  /// build-id, any other number for a build-id.
  package func files(for image: ImageDescription) -> [LayoutFile] {
    guard let identity = image.identity else { return [] }
    let names = image.names.sorted().filter(\.isPathComponent)
    let key = LayoutKey(identity)
    switch self {
    case .native: return Self.native(key, names: names)
    case .symstore: return Self.symstore(key, names: names)
    case .ssqp: return Self.symstore(key, names: names.map { $0.lowercased() }.withoutRepetitions)
    case .index2: return Self.symstore(key, names: names).map(\.inIndex2)
    case .unified: return Self.unified(key)
    case .breakpad: return Self.breakpad(key.plainDebugId, names)
    case .debuginfod:
      return [
        LayoutFile("buildid/\(key.digits)/debuginfo", .debugInformation),
        LayoutFile("buildid/\(key.digits)/executable", .executable),
      ]
    }
  }

  private static func native(_ key: LayoutKey, names: [String]) -> [LayoutFile] {
    var files: [LayoutFile] = []
    if let uuidPath = key.uuidPath {
      files += [
        LayoutFile(uuidPath, .debugInformation), LayoutFile(uuidPath + ".app", .executable),
      ]
    }
    files += buildIdFiles(key)
    return files + key.debugIds.flatMap { breakpad($0, names) }
  }

  /// The files in folders of build-ids: `bb/b….debug` and `bb/b…`.
  static func buildIdFiles(_ identity: ImageIdentity) -> [LayoutFile] {
    buildIdFiles(LayoutKey(identity))
  }

  private static func buildIdFiles(_ key: LayoutKey) -> [LayoutFile] {
    key.splitDigits.map {
      [LayoutFile($0 + ".debug", .debugInformation), LayoutFile($0, .executable)]
    } ?? []
  }

  private static func breakpad(_ debugId: String?, _ names: [String]) -> [LayoutFile] {
    guard let debugId else { return [] }
    return names.map { LayoutFile("\($0)/\(debugId)0/\($0).sym", .breakpad) }
  }

  private static func symstore(_ key: LayoutKey, names: [String]) -> [LayoutFile] {
    var files: [LayoutFile] = []
    if key.isUuid {
      files.append(LayoutFile("_.dwarf/mach-uuid-sym-\(key.digits)/_.dwarf", .debugInformation))
    }
    files.append(LayoutFile("_.debug/elf-buildid-sym-\(key.digits)/_.debug", .debugInformation))
    for name in names {
      if key.isUuid {
        files.append(LayoutFile("\(name)/mach-uuid-\(key.digits)/\(name)", .executable))
      }
      files.append(LayoutFile("\(name)/elf-buildid-\(key.digits)/\(name)", .executable))
    }
    return files
  }

  private static func unified(_ key: LayoutKey) -> [LayoutFile] {
    guard let split = key.splitDigits else { return [] }
    return [
      LayoutFile(split + "/debuginfo", .debugInformation),
      LayoutFile(split + "/executable", .executable),
      LayoutFile(split + "/breakpad", .breakpad),
    ]
  }
}

extension LayoutFile {
  fileprivate init(_ path: String, _ content: Content) {
    self.init(path: path, content: content)
  }

  /// The path in a store with `index2.txt`: in a folder of its first two characters, or of the
  /// first alone if the second is `.` or `/`.
  fileprivate var inIndex2: LayoutFile {
    var prefix = path.prefix(2)
    if prefix.hasSuffix(".") || prefix.hasSuffix("/") { prefix.removeLast() }
    return LayoutFile("\(prefix)/\(path)", content)
  }
}

extension String {
  /// Whether the text can name a file in a folder. Names come from reports, which may be forged.
  fileprivate var isPathComponent: Bool {
    !isEmpty && self != "." && self != ".." && utf8.count <= 255
      && utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 >= 0x20 && $0 != 0x7F }
  }
}

/// The forms of an image's identity that occur in the paths of layouts.
struct LayoutKey {
  private let identity: ImageIdentity

  init(_ identity: ImageIdentity) { self.identity = identity }

  /// Whether it may be a Mach-O UUID.
  var isUuid: Bool { identity.bytes.count == 16 }

  /// All digits, in lower case, without dashes.
  var digits: String { identity.bytes.hexadecimalDigits }

  /// `uu/u…`: the first byte as a folder. Nil for an identity of one byte.
  var splitDigits: String? {
    guard identity.bytes.count > 1 else { return nil }
    return identity.bytes.prefix(1).hexadecimalDigits + "/"
      + identity.bytes.dropFirst().hexadecimalDigits
  }

  /// `UUUU/UUUU/UUUU/UUUU/UUUU/UUUUUUUUUUUU`, in upper case: LLDB's folders of UUIDs. Nil unless it
  /// may be a UUID.
  var uuidPath: String? {
    guard isUuid else { return nil }
    let digits = Array(identity.bytes.hexadecimalDigits.uppercased())
    let groups = stride(from: 0, to: 20, by: 4).map { String(digits[$0..<($0 + 4)]) }
    return (groups + [String(digits[20...])]).joined(separator: "/")
  }

  /// The identity as Breakpad writes it, without the age, in upper case: a UUID as it stands, and
  /// the first 16 bytes of a build-id as a GUID whose first three fields are little-endian. Both
  /// for 16 bytes, which may be either.
  var debugIds: [String] {
    var ids: [String] = []
    if isUuid { ids.append(digits.uppercased()) }
    if let debugId = identity.debugId {
      ids.append(debugId.bytes.hexadecimalDigits.uppercased())
    }
    return ids.withoutRepetitions
  }

  /// The most likely of them: 16 bytes are taken for a UUID.
  var plainDebugId: String? { debugIds.first }
}
