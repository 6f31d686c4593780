import BinaryInput
import SymbolicationModel

/// Reads the header and the load commands of a thin Mach-O file (`<mach-o/loader.h>`), of either
/// word size and byte order.
///
/// Nothing after the load commands is read. If they point beyond the end of the file, that is a
/// fault of the result.
struct MachOParser {
  private let path: String
  let region: ByteRegion
  /// The size of the whole slice in bytes. `region` may be only its start.
  let sliceSize: UInt64
  private let byteOrder: ByteOrder
  private let is64Bit: Bool
  private let architecture: Architecture
  let fileType: ObjectFileType

  var segments: [Segment] = []
  var sections: [Section] = []
  private var identity: ImageIdentity?
  var symbolTableSource = ObjectFile.SymbolTableSource.none
  var indirectSymbols: ObjectFile.IndirectSymbolTable?
  var functionStarts: Range<UInt64>?
  var exportTrie: Range<UInt64>?
  var faults: [ObjectFileError] = []

  /// - Parameters:
  ///   - statedArchitecture: the architecture that a fat header states for the slice. Errors name
  ///     it as long as the slice's own is not known.
  ///   - sliceSize: the size of the slice in bytes, if `region` holds only its header and its load
  ///     commands. The result then has the right headers, and no content.
  static func parse(
    _ region: ByteRegion, path: String, statedArchitecture: Architecture?, sliceSize: UInt64? = nil
  ) throws(ObjectFileError) -> ObjectFile {
    func error(_ reason: ObjectFileError.Reason) -> ObjectFileError {
      ObjectFileError(path: path, architecture: statedArchitecture, reason: reason)
    }
    guard !region.isEmpty else { throw error(.empty) }
    guard case .machO(let is64Bit, let isBigEndian)? = SymbolFileMagic(region.prefix(4)) else {
      throw error(.unrecognized(firstBytes: region.prefix(8)))
    }
    let byteOrder: ByteOrder = isBigEndian ? .big : .little
    let header: Header
    do {
      header = try Header(region, byteOrder: byteOrder, is64Bit: is64Bit)
    } catch let failure {
      throw error(.truncation(.machHeader, failure))
    }
    var parser = MachOParser(
      path: path, region: region, sliceSize: sliceSize ?? UInt64(region.count),
      byteOrder: byteOrder, is64Bit: is64Bit, header: header)
    try parser.readLoadCommands(header)
    return ObjectFile(
      path: path, format: .machO, fileType: parser.fileType, architecture: parser.architecture,
      identity: parser.identity, byteOrder: byteOrder, addressSize: is64Bit ? 8 : 4,
      segments: parser.segments, sections: parser.sections, faults: parser.faults, region: region,
      symbolTableSource: parser.symbolTableSource, indirectSymbols: parser.indirectSymbols,
      functionStarts: parser.functionStarts, exportTrie: parser.exportTrie)
  }

  /// `mach_header` or `mach_header_64`.
  private struct Header {
    let cpuType: UInt32
    let cpuSubtype: UInt32
    let fileType: UInt32
    let commandCount: UInt32
    let commandsSize: UInt32
    /// The header's size, which is also the offset of the load commands.
    let size: UInt64

    init(_ region: ByteRegion, byteOrder: ByteOrder, is64Bit: Bool) throws(ByteReadError) {
      size = is64Bit ? 32 : 28
      var reader = try region.subregion(offset: 0, count: size).reader(byteOrder: byteOrder)
      try reader.skip(4)
      cpuType = try reader.read()
      cpuSubtype = try reader.read()
      fileType = try reader.read()
      commandCount = try reader.read()
      commandsSize = try reader.read()
    }
  }

  private init(
    path: String, region: ByteRegion, sliceSize: UInt64, byteOrder: ByteOrder, is64Bit: Bool,
    header: Header
  ) {
    self.path = path
    self.region = region
    self.sliceSize = sliceSize
    self.byteOrder = byteOrder
    self.is64Bit = is64Bit
    architecture = Architecture(machCpuType: header.cpuType, subtype: header.cpuSubtype)
    fileType =
      switch header.fileType {
      case 1: .relocatable  // MH_OBJECT
      case 2: .executable  // MH_EXECUTE
      case 4: .core  // MH_CORE
      case 6: .dynamicLibrary  // MH_DYLIB
      case 7: .dynamicLinker  // MH_DYLINKER
      case 8: .bundle  // MH_BUNDLE
      case 10: .debugSymbols  // MH_DSYM
      case 11: .kernelExtension  // MH_KEXT_BUNDLE
      default: .other(header.fileType)
      }
  }

  func error(_ reason: ObjectFileError.Reason) -> ObjectFileError {
    ObjectFileError(path: path, architecture: architecture, reason: reason)
  }

  /// How many bytes of a load command are read here.
  private func smallestSize(of command: UInt32) -> UInt32 {
    switch command {
    case LoadCommand.segment: 56
    case LoadCommand.segment64: 72
    case LoadCommand.uuid, LoadCommand.symbolTable: 24
    default: 8
    }
  }

  private mutating func readLoadCommands(_ header: Header) throws(ObjectFileError) {
    let commands: ByteRegion
    do {
      commands = try region.subregion(offset: header.size, count: UInt64(header.commandsSize))
    } catch {
      throw self.error(.truncation(.loadCommands, error))
    }
    var reader = commands.reader(byteOrder: byteOrder)
    for index in 0..<header.commandCount {
      let available = UInt64(reader.remaining)
      guard available >= 8, let command = try? reader.read(UInt32.self),
        let size = try? reader.read(UInt32.self)
      else {
        throw error(.loadCommandCount(stated: header.commandCount, index: index))
      }
      guard size >= smallestSize(of: command), UInt64(size) <= available else {
        throw error(
          .loadCommandSize(index: index, command: command, size: size, available: available))
      }
      do {
        var body = try reader.readRegion(count: UInt64(size) - 8).reader(byteOrder: byteOrder)
        switch command {
        case LoadCommand.segment: try readSegment(&body, wordSize: 4)
        case LoadCommand.segment64: try readSegment(&body, wordSize: 8)
        case LoadCommand.uuid: identity = ImageIdentity(bytes: try body.readRegion(count: 16).bytes)
        case LoadCommand.symbolTable: try readSymbolTableCommand(&body, wordSize: is64Bit ? 8 : 4)
        case LoadCommand.dynamicSymbolTable where size >= 64:
          try readDynamicSymbolTableCommand(&body)
        case LoadCommand.functionStarts where size >= 16:
          functionStarts = try readLinkEditData(&body)
        case LoadCommand.exportTrie where size >= 16:
          exportTrie = try readLinkEditData(&body)
        case LoadCommand.loaderInfo where size >= 48, LoadCommand.loaderInfoOnly where size >= 48:
          try body.skip(32)  // from rebase_off to lazy_bind_size
          exportTrie = try readLinkEditData(&body)
        case LoadCommand.dynamicSymbolTable, LoadCommand.functionStarts, LoadCommand.exportTrie,
          LoadCommand.loaderInfo, LoadCommand.loaderInfoOnly:
          // The file is usable without them.
          faults.append(
            error(
              .loadCommandSize(index: index, command: command, size: size, available: available)))
        default: break
        }
      } catch let error as ObjectFileError {
        throw error
      } catch {
        // Cannot happen: the body has the size of smallestSize(of:), and a segment that of its
        // sections.
        throw self.error(
          .loadCommandSize(index: index, command: command, size: size, available: available))
      }
    }
  }
}

/// The load commands that are read; all others are skipped.
private enum LoadCommand {
  /// LC_SEGMENT
  static let segment: UInt32 = 0x1
  /// LC_SYMTAB
  static let symbolTable: UInt32 = 0x2
  /// LC_DYSYMTAB
  static let dynamicSymbolTable: UInt32 = 0xb
  /// LC_SEGMENT_64
  static let segment64: UInt32 = 0x19
  /// LC_UUID
  static let uuid: UInt32 = 0x1b
  /// LC_DYLD_INFO
  static let loaderInfo: UInt32 = 0x22
  /// LC_DYLD_INFO_ONLY
  static let loaderInfoOnly: UInt32 = 0x8000_0022
  /// LC_FUNCTION_STARTS
  static let functionStarts: UInt32 = 0x26
  /// LC_DYLD_EXPORTS_TRIE
  static let exportTrie: UInt32 = 0x8000_0033
}
