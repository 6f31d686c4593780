import Demangling
import SymbolIndex
import SymbolicationModel

/// The opened GSYM index of an image, asked instead of the image's debug information and symbol
/// table.
///
/// It answers only if they would certainly answer the same, apart from columns, which it does not
/// hold. The caller asks them about everything else. It belongs to one owner.
final class OpenedIndex {
  let path: String
  let records: IndexRecords
  /// What the index states about the image; nil if another program wrote it.
  private let trailer: IndexTrailer?
  /// Reused by each lookup, so that none allocates.
  private var answer = GsymAnswer()

  typealias Source = IndexRecords.Source

  init(_ index: IndexFile, besides source: Source) {
    self.path = index.path
    self.records = IndexRecords(file: index.gsym, source: source)
    self.trailer = index.trailer
  }

  /// Nil if the index does not state it.
  var architecture: Architecture? { trailer?.architecture }

  var isEmpty: Bool { records.file.functionCount == 0 }

  /// Whether the index has the answer for `address`. Throws if its record cannot be read. Cost:
  /// that of `GsymFile.lookup`.
  func answers(_ address: LinkAddress) throws(GsymError) -> Bool {
    try records.answers(address, into: &answer)
  }

  /// The answer for `address`; nil if the index has none. Throws if its record or a name cannot be
  /// read.
  func resolve(
    _ address: LinkAddress, _ demangler: inout SymbolDemangler
  ) throws(GsymError) -> ResolvedAddress? {
    guard try answers(address) else { return nil }
    var frames: [ResolvedFrame] = []
    frames.reserveCapacity(answer.frames.count)
    for frame in answer.frames {
      var location: SourceLocation?
      if let place = frame.location, let path = try records.file.path(ofFile: place.file) {
        location = SourceLocation(path: path, line: place.line)
      }
      let name = try records.file.name(at: frame.name) ?? ""
      if case .none = records.source {
      } else if name.isEmpty || (location == nil) != (frame.location == nil) {
        return nil
      }
      frames.append(
        ResolvedFrame(
          // The leading underscore of Mach-O symbols was left out when the index was made.
          name: name.isEmpty ? "<unnamed>" : demangler.shownName(of: name, isMachOSymbol: false),
          rawName: name, location: location, rangeStart: frame.range.lowerBound))
    }
    guard let function = frames.popLast() else { return nil }
    // Symbols have neither lines nor inlined calls.
    let isSymbol = frames.isEmpty && function.location == nil
    return ResolvedAddress(
      inlinedFrames: frames, function: function, origin: isSymbol ? .symbolTable : .dwarf)
  }

  /// Where the image is linked to begin, and whether that is only assumed. Nil without any
  /// function.
  var linkBase: (address: LinkAddress, isAssumed: Bool)? {
    if let statedLinkBase = trailer?.linkBase { return (statedLinkBase, false) }
    return records.file.extent.map { (Self.assumedLinkBase(ofFunctionsFrom: $0.lowerBound), true) }
  }

  /// The addresses that the image occupies, as far as the index states them.
  var range: Range<LinkAddress>? {
    guard let extent = records.file.extent else { return nil }
    return min(linkBase?.address ?? extent.lowerBound, extent.lowerBound)..<extent.upperBound
  }

  /// The link base that an image with its first function at `start` most likely has.
  ///
  /// Below 4 GiB it is 0: libraries, and Linux executables, which may be loaded anywhere. From
  /// there on up to 2^47 it is a multiple of 4 GiB: Apple's linker puts 64-bit executables at
  /// 0x100000000. Above, where kernels are, it is a multiple of 2 MiB: x86-64 Linux begins at
  /// 0xffffffff81000000 and XNU at 0xffffff8000200000.
  static func assumedLinkBase(ofFunctionsFrom start: LinkAddress) -> LinkAddress {
    switch start.value {
    case ..<(1 << 32): LinkAddress(0)
    case ..<(1 << 47): LinkAddress(start.value & ~0xffff_ffff)
    default: LinkAddress(start.value & ~0x1f_ffff)
    }
  }
}

/// The records of an index, and which of them answer. Several threads may use it.
struct IndexRecords: Sendable {
  let file: GsymFile
  let source: Source

  /// What else is known about the image.
  enum Source {
    /// Nothing: the index answers alone.
    case none
    /// A file with debug information. Records with lines were made from it. The others were made
    /// from the symbol table, and debug information may know more about their code.
    case debugInformation
    /// A file with a symbol table and no debug information.
    case symbolTable
  }

  /// Whether the index has the answer for `address`, which is then in `answer`. Throws if its
  /// record cannot be read. Cost: that of `GsymFile.lookup`.
  func answers(
    _ address: LinkAddress, into answer: inout GsymAnswer
  ) throws(GsymError) -> Bool {
    guard try file.lookup(address, into: &answer) else { return false }
    switch source {
    case .none: return true
    case .debugInformation:
      return answer.frames.allSatisfy { $0.name != 0 && $0.location != nil }
    case .symbolTable:
      guard let function = answer.frames.first, answer.frames.count == 1 else { return false }
      return function.location == nil && function.name != 0 && !function.range.isEmpty
    }
  }
}
