import SymbolicationModel

/// What a file is that is neither a symbol file nor a report, so that a message can say it.
package struct FileNature: Hashable, Sendable {
  /// With an article: `a Java class`.
  package let text: String
  /// What to do with it; nil if there is nothing to try.
  package private(set) var advice: String?

  /// So many first bytes decide.
  package static let startSize = 4096

  /// - Parameters:
  ///   - start: the first `startSize` bytes.
  ///   - path: tells source code from other text, and a nib from other property lists.
  package init(_ start: [UInt8], path: String) {
    let suffix = path.utf8.lastIndex(of: UInt8(ascii: "."))
      .flatMap { String(path.utf8[path.utf8.index(after: $0)...]) }?.lowercased()
    if let known = Self.certain(start) {
      text = known
      advice = known.contains("archive") || known.contains("compressed") ? "unpack it" : nil
    } else if start.isEmpty {
      text = "empty"
    } else if start.starts(with: "bplist0".utf8) {
      text = suffix == "nib" ? "a compiled nib" : "a binary property list"
    } else if let content = Self.text(start) {
      text = Self.kind(ofText: content, suffix: suffix)
    } else {
      let bytes = start.prefix(4).map { $0.hexadecimalDigits(count: 2) }.joined(separator: " ")
      text = "a binary file of an unknown format, which begins with \(bytes)"
    }
  }

  /// A binary file of a known format; nil for text and everything else.
  package init?(ofBinary start: [UInt8]) {
    guard let known = Self.certain(Array(start.prefix(Self.startSize))) else { return nil }
    text = known
  }

  /// What begins like a symbol file and is none: a Java class, which has the first bytes of a fat
  /// file. Its version follows where that has the number of slices; Java's first is 45.
  package init?(unlikeSymbols start: [UInt8]) {
    guard start.starts(with: [0xCA, 0xFE, 0xBA, 0xBE]), start.count >= 8,
      start[6] == 0, (45..<128).contains(start[7])
    else { return nil }
    text = "a Java class"
  }

  // MARK: - Binary files

  private static func certain(_ start: [UInt8]) -> String? {
    if let java = FileNature(unlikeSymbols: start) { return java.text }
    let row = magics.first { start.dropFirst($0.offset).starts(with: $0.bytes) }
    if let row { return row.text }
    // DER: a sequence, then the object identifier of signed data (RFC 5652, 5.1).
    let signedData: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    guard start.first == 0x30, start.prefix(24).containsRun(signedData) else { return nil }
    return start.containsRun(Array("<plist".utf8))
      ? "a provisioning profile" : "signed data (CMS)"
  }

  private static let magics: [(offset: Int, bytes: [UInt8], text: String)] = [
    (0, [0x42, 0x43, 0xC0, 0xDE], "LLVM bitcode"),
    (0, [0xDE, 0xC0, 0x17, 0x0B], "LLVM bitcode"),
    (0, [0xE2, 0x9C, 0xA8, 0x0E], "a Swift module"),
    (0, [0xE2, 0x9C, 0xA8, 0x07], "the documentation of a Swift module"),
    (0, Array("!<arch>\n".utf8), "a static library, whose object files have no UUID"),
    (0, Array("!<thin>\n".utf8), "a thin static library, whose object files have no UUID"),
    (0, Array("CPCH".utf8), "a precompiled header or module of clang"),
    (0, Array("DIAG".utf8), "diagnostics of a compiler"),
    (0, [0x81, 0x72, 0x66, 0x6F, 0x72, 0x70, 0x6C, 0xFF], "a raw profile of LLVM"),
    (0, [0xFF, 0x6C, 0x70, 0x72, 0x6F, 0x66, 0x69, 0x81], "a profile of LLVM"),
    (0, Array("NIBArchive".utf8), "a compiled nib"),
    (0, Array("BOMStore".utf8), "an asset catalog (.car) or another BOM file"),
    (0, Array("MTLB".utf8), "a Metal library"),
    (0, Array("xar!".utf8), "an installer package (xar archive)"),
    (0, Array("MDMP".utf8), "a minidump"),
    (0, Array("Microsoft C/C++ MSF 7.00".utf8), "a PDB file"),
    (0, [0x4D, 0x5A, 0x90, 0], "a Windows program or library"),
    (0, [0, 0x61, 0x73, 0x6D], "a WebAssembly module"),
    (0, Array("dex\n".utf8), "Android bytecode (.dex)"),
    (0, Array("SQLite format 3\0".utf8), "an SQLite database"),
    (0, [0x89, 0x50, 0x4E, 0x47], "a picture (PNG)"),
    (0, [0xFF, 0xD8, 0xFF], "a picture (JPEG)"),
    (0, Array("GIF8".utf8), "a picture (GIF)"),
    (0, Array("icns".utf8), "an icon (ICNS)"),
    (0, Array("%PDF-".utf8), "a PDF document"),
    (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"),
    (0, Array("Rar!".utf8), "a RAR archive"),
    (0, Array("MSCF".utf8), "a cabinet archive"),
    (0, Array("LZIP".utf8), "compressed with lzip"),
    (0, [0x04, 0x22, 0x4D, 0x18], "compressed with lz4"),
    (0, [0x1F, 0x9D], "compressed with compress"),
    (0, Array("bvx".utf8), "compressed with LZFSE"),
    (0, Array("AA01".utf8), "an Apple archive"),
    (0, Array("pbz".utf8), "an Apple archive"),
    (0, [0xFF, 0xFE], "text in UTF-16"),
    (0, [0xFE, 0xFF], "text in UTF-16"),
    (4, Array("ftyp".utf8), "a picture or film (HEIC, MP4)"),
    (8, Array("WEBP".utf8), "a picture (WebP)"),
  ]

  // MARK: - Text

  /// The start as text; nil if it is binary. The last character may be cut.
  private static func text(_ start: [UInt8]) -> String? {
    let isPlain = start.allSatisfy { $0 >= 0x20 || (9...13).contains($0) || $0 == 0x1B }
    guard isPlain else { return nil }
    for cut in 0..<4 {
      if let text = String(validating: start.dropLast(cut), as: UTF8.self) { return text }
    }
    return nil
  }

  private static func kind(ofText text: String, suffix: String?) -> String {
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if let (_, kind) = beginnings.first(where: { start.hasPrefix($0.0) }) { return kind }
    if start.hasPrefix("<?xml") || start.hasPrefix("<plist") {
      if start.contains("<plist") { return "a property list" }
      return start.contains("InterfaceBuilder") ? "an Interface Builder document" : "XML"
    }
    if let suffix, sourceSuffixes.contains(suffix) { return "source code (.\(suffix))" }
    if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
    return "text"
  }

  private static let beginnings = [
    ("BCSymbolMap Version", "a symbol map of a build with bitcode (its name is the UUID)"),
    ("#!", "a script"),
    ("// swift-interface-format-version", "a Swift interface"),
    ("--- !tapi", "a stub of a library (.tbd)"),
    ("-----BEGIN ", "a certificate or key"),
    ("# compiler: R8", "a mapping of R8"),
  ]

  private static let sourceSuffixes: Set<String> = [
    "swift", "m", "mm", "c", "h", "cc", "cpp", "cxx", "hpp", "s", "java", "kt", "kts", "rs", "go",
    "py", "rb", "js", "ts", "dart", "cs", "sh", "metal",
  ]
}

extension Sequence<UInt8> {
  /// Whether the bytes are somewhere in these.
  fileprivate func containsRun(_ bytes: [UInt8]) -> Bool {
    let all = Array(self)
    return all.indices.contains { all[$0...].starts(with: bytes) }
  }
}
