import Archives
import ObjectFiles
import SymbolicationModel

/// The symbol files of an archive as text, for the cache: the next run need not read the archive.
///
/// The first line names the format. Each further line is a member (`M`: depth, index, size, offset
/// or `-`, name) or a slice of the last member (`S`: format, architecture, identity or `-`, whether
/// it has debug information: `1`, `0` or `-`, whether the identity is the start of a longer one:
/// `1` or `0`, and the stated name, if there is one). Fields are separated by tabs, and what is not
/// a printable character of ASCII is written as `%XX`.
enum ArchiveListing {
  private static let firstLine = "symbolicate archive listing 2"

  static func encode(_ slices: [ArchivedSlice]) -> [UInt8] {
    var lines = [firstLine]
    var written: [ArchiveMember] = []
    for slice in slices {
      for (depth, member) in slice.members.enumerated()
      where depth >= written.count || written[depth] != member {
        written = Array(written.prefix(depth)) + [member]
        lines.append(
          [
            "M", String(depth), String(member.index), String(member.size),
            member.offset.map { String($0) } ?? "-", escaped(member.name),
          ].joined(separator: "\t"))
      }
      let head = slice.head
      lines.append(
        [
          "S", head.format.name, escaped(head.architecture.name),
          head.identity?.bytes.hexadecimalDigits ?? "-",
          head.hasDebugInfo.map { $0 ? "1" : "0" } ?? "-", head.isIdentityPrefix ? "1" : "0",
          escaped(head.moduleName ?? ""),
        ].joined(separator: "\t"))
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Nil if the text is not what `encode` writes.
  static func decode(_ bytes: [UInt8], archivePath: String) -> [ArchivedSlice]? {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == firstLine, lines.last == "" else { return nil }
    var members: [ArchiveMember] = []
    var slices: [ArchivedSlice] = []
    for line in lines.dropFirst().dropLast() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      switch fields.first {
      case "M":
        guard fields.count == 6, let depth = Int(fields[1]), (0...1).contains(depth),
          depth <= members.count, let index = Int(fields[2]), let size = UInt64(fields[3]),
          let name = unescaped(fields[5])
        else { return nil }
        let offset = UInt64(fields[4])
        guard offset != nil || fields[4] == "-" else { return nil }
        members =
          Array(members.prefix(depth))
          + [ArchiveMember(index: index, name: name, size: size, offset: offset)]
      case "S":
        guard fields.count == 7, !members.isEmpty,
          let format = ObjectFormat.allCases.first(where: { $0.name == fields[1] }),
          let architecture = unescaped(fields[2]), let moduleName = unescaped(fields[6])
        else { return nil }
        let identity = ImageIdentity(hexadecimal: fields[3].utf8)
        guard identity != nil || fields[3] == "-" else { return nil }
        let head = SymbolFileHead(
          format: format, architecture: Architecture(name: architecture), identity: identity,
          hasDebugInfo: fields[4] == "-" ? nil : fields[4] == "1",
          moduleName: moduleName.isEmpty ? nil : moduleName, isIdentityPrefix: fields[5] == "1")
        slices.append(ArchivedSlice(members: members, archivePath: archivePath, head: head))
      default:
        return nil
      }
    }
    return slices
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { escaped, byte in
      if byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "%") {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        escaped += "%" + byte.hexadecimalDigits(count: 2)
      }
    }
  }

  private static func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap({ hexadecimalDigitValue($0) }),
        let low = rest.popFirst().flatMap({ hexadecimalDigitValue($0) })
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
