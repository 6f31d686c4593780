package import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// One sentence: which file, what was found, what was expected, what to try.
  package var message: String {
    switch kind {
    case .inaccessible(let errno):
      return "cannot read \(path): \(Errno(rawValue: errno))"
    case .empty:
      return "\(path) is empty; expected a Mach-O or ELF file"
    case .notASymbolFile(let bytes):
      return
        "\(path) is neither Mach-O nor ELF: it begins with \(Self.shown(bytes)); give a dSYM, a DWARF file, an executable or an ELF file"
    case .truncated(let structure, let offset, let wanted, let available):
      return
        "\(path) is cut short or damaged: \(structure) at offset \(offset) should have \(wanted) bytes, but the file has only \(available); copy it again"
    case .malformed(let structure, let value):
      return
        "\(path) is damaged: its \(structure) cannot be \(value) (\(value.hexadecimal)); copy it again"
    case .unsupported(let structure, let value):
      return "\(path) is not supported: its \(structure) is \(value.hexadecimal)"
    case .unsupportedIndexVersion(let version):
      return
        "\(path) is a GSYM index of version \(version), but only version 1 is supported; build it again with 'symbolicate index' or llvm-gsymutil, or give the dSYM or ELF file"
    case .assumedLinkBase(let address):
      return
        "\(path) does not say where its image starts, so \(address.value.hexadecimal) is assumed; if the answers are wrong, give the dSYM or ELF file, or an index from 'symbolicate index'"
    case .damagedCompression(let section):
      return "\(path) is damaged: its section \(section) cannot be decompressed; copy it again"
    case .mislabelledSlice(let stated, let found):
      return
        "\(path): the header of the fat file calls a slice \(stated), but it is \(found) and is used as that"
    case .needsRelocation(let structure):
      return
        "\(path) is not linked yet, so \(structure) means nothing in it; give the linked file or its dSYM"
    case .missingSegment(let name):
      return
        "\(path) has no \(name.map { "segment \($0)" } ?? "segment"), so a load address cannot be used with it"
    case .missingArchitecture(let wanted, let found):
      let names = found.map(\.name).joined(separator: ", ")
      return "\(path) has no \(wanted) slice; it has \(names.isEmpty ? "none" : names)"
    case .emptyBundle:
      return "\(path) has no DWARF file in Contents/Resources/DWARF; export the dSYM again"
    case .directory:
      return "\(path) is a directory; give a dSYM or the file in it"
    case .specialFile:
      return "\(path) is a pipe, a device or a socket; expected a file"
    case .unusableSupplementaryFile(let search):
      return search.message(for: path)
    case .unusableDebugMapObjects(let searches, let count):
      return searches.message(count: count, for: path)
    case .unusableIndex(let fault):
      return fault.message(path: path)
    case .noSymbolFiles:
      return "no Mach-O or ELF file was found in \(path) or below it"
    case .noSymbols:
      return
        "\(path) has neither debug information nor symbols; give the dSYM or the debug file of that build"
    case .unreadableDebugInformation(let section, let offset, let detail):
      let detail = detail.isEmpty ? "" : ": \(detail)"
      return
        "\(path): skipped debug information that cannot be read, in \(section) at \(offset.hexadecimal)\(detail)"
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    bytes.prefix(8).map { $0.hexadecimalDigits(count: 2) }.joined(separator: " ")
  }
}
