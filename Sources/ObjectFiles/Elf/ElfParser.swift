import BinaryInput
import CLibElf
import SymbolicationModel

/// Reads the headers of an ELF file (System V gABI, chapters 4 and 5) through libelf, and its
/// notes.
struct ElfParser {
  private let path: String
  let region: ByteRegion
  let byteOrder: ByteOrder
  private let is64Bit: Bool
  private let architecture: Architecture
  private let fileType: ObjectFileType

  private var segments: [Segment] = []
  private var sections: [Section] = []
  private var identity: ImageIdentity?
  private var relocationTables: [ObjectFile.ElfRelocationTable] = []
  var faults: [ObjectFileError] = []

  static func parse(_ region: ByteRegion, path: String) throws(ObjectFileError) -> ObjectFile {
    let outline: ElfOutline
    let handle: LibElfHandle
    do throws(ObjectFileError.Reason) {
      outline = try ElfOutline(region)
    } catch {
      throw ObjectFileError(path: path, reason: error)
    }
    do throws(LibElfError) {
      handle = try LibElfHandle(region)
    } catch {
      throw ObjectFileError(path: path, reason: .libelf(code: error.code))
    }
    var parser = ElfParser(path: path, region: region, outline: outline, header: handle.header)
    let headers = try parser.readHeaders(handle)
    parser.makeSegments(headers)
    let source = parser.makeSections(headers)
    parser.identity = parser.findBuildId(headers)
    return ObjectFile(
      path: path, format: .elf, fileType: parser.fileType, architecture: parser.architecture,
      identity: parser.identity, byteOrder: outline.byteOrder,
      addressSize: outline.is64Bit ? 8 : 4, segments: parser.segments, sections: parser.sections,
      faults: parser.faults, region: region, symbolTableSource: source,
      relocationTables: parser.relocationTables)
  }

  private init(path: String, region: ByteRegion, outline: ElfOutline, header: GElf_Ehdr) {
    self.path = path
    self.region = region
    byteOrder = outline.byteOrder
    is64Bit = outline.is64Bit
    architecture = Architecture(
      elfMachine: header.e_machine, is64Bit: outline.is64Bit, byteOrder: outline.byteOrder)
    fileType = ObjectFileType(elfType: header.e_type)
  }

  func error(_ reason: ObjectFileError.Reason) -> ObjectFileError {
    ObjectFileError(path: path, architecture: architecture, reason: reason)
  }

  /// All headers. After they are read, libelf is no longer needed.
  struct Headers {
    var program: [GElf_Phdr] = []
    /// Without the null section at 0.
    var sections: [GElf_Shdr] = []
    /// The index of the section that holds the names, counted from 0 for the null section; 0 if
    /// there is none.
    var nameTable = 0
  }

  private func readHeaders(_ handle: borrowing LibElfHandle) throws(ObjectFileError) -> Headers {
    var headers = Headers()
    do throws(LibElfError) {
      for index in 0..<(try handle.programHeaderCount()) {
        headers.program.append(try handle.programHeader(index))
      }
      let count = try handle.sectionCount()
      if count > 1 {
        headers.sections.reserveCapacity(count - 1)
        for index in 1..<count { headers.sections.append(try handle.sectionHeader(index)) }
        headers.nameTable = try handle.sectionNameTable()
      }
    } catch {
      throw self.error(.libelf(code: error.code))
    }
    return headers
  }

  private mutating func makeSegments(_ headers: Headers) {
    for header in headers.program where header.p_type == UInt32(PT_LOAD) {
      guard let addresses = addressRange(start: header.p_vaddr, size: header.p_memsz) else {
        faults.append(
          error(.overflow(.programHeaders, start: header.p_vaddr, size: header.p_memsz)))
        continue
      }
      segments.append(
        Segment(
          name: "", addresses: addresses,
          fileRange: fileRange(start: header.p_offset, size: header.p_filesz) ?? 0..<0,
          isExecutable: header.p_flags & UInt32(PF_X) != 0))
    }
  }

  /// Fills `sections` and `relocationTables`, and returns where the symbol tables are.
  private mutating func makeSections(_ headers: Headers) -> ObjectFile.SymbolTableSource {
    let names = nameTable(headers)
    let relocated = unappliedRelocationTargets(headers)
    var misnamed = NamesOutsideStringTable()
    var table: ObjectFile.ElfSymbolTableHeader?
    var dynamicTable: ObjectFile.ElfSymbolTableHeader?
    sections.reserveCapacity(headers.sections.count)
    for (index, header) in headers.sections.enumerated() {
      var name = ""
      if let names {
        if let text = names.text(at: UInt64(header.sh_name)) {
          name = text
        } else {
          misnamed.add(index + 1)
        }
      }
      sections.append(
        makeSection(header, name: name, needsRelocation: relocated.contains(index + 1)))
      switch Int32(bitPattern: header.sh_type) {
      case SHT_SYMTAB where table == nil: table = symbolTableHeader(header, at: index)
      case SHT_DYNSYM where dynamicTable == nil: dynamicTable = symbolTableHeader(header, at: index)
      case SHT_REL where isForLoader(header), SHT_RELA where isForLoader(header):
        relocationTables.append(
          ObjectFile.ElfRelocationTable(
            section: index, symbols: Int(header.sh_link) - 1,
            hasAddends: header.sh_type == UInt32(SHT_RELA)))
      default: break
      }
    }
    if let reason = misnamed.reason(.sectionHeaders) { faults.append(error(reason)) }
    if table == nil, dynamicTable == nil { return .none }
    return .elf(full: table, dynamic: dynamicTable)
  }

  private func symbolTableHeader(
    _ header: GElf_Shdr, at index: Int
  ) -> ObjectFile.ElfSymbolTableHeader {
    ObjectFile.ElfSymbolTableHeader(
      section: index, strings: Int(header.sh_link) - 1, entrySize: header.sh_entsize)
  }

  /// Whether the loader applies these relocations. It does not see those that the linker keeps for
  /// other tools (`--emit-relocs`).
  private func isForLoader(_ header: GElf_Shdr) -> Bool {
    fileType != .relocatable && header.sh_flags & UInt64(SHF_ALLOC) != 0
  }

  private mutating func makeSection(
    _ header: GElf_Shdr, name: String, needsRelocation: Bool
  ) -> Section {
    let isLoaded = header.sh_flags & UInt64(SHF_ALLOC) != 0
    var addresses = LinkAddress(0)..<LinkAddress(0)
    if isLoaded {
      if let range = addressRange(start: header.sh_addr, size: header.sh_size) {
        addresses = range
      } else {
        faults.append(
          error(.overflow(.section(name), start: header.sh_addr, size: header.sh_size)))
      }
    }
    var range: Range<UInt64>?
    if header.sh_type != UInt32(SHT_NOBITS), header.sh_type != UInt32(SHT_NULL) {
      range = fileRange(start: header.sh_offset, size: header.sh_size)
      let available = UInt64(region.count)
      if let range {
        if range.upperBound > available, !range.isEmpty {
          faults.append(
            error(
              .truncated(
                .section(name), offset: header.sh_offset, wanted: header.sh_size,
                available: available)))
        }
      } else {
        faults.append(
          error(.overflow(.section(name), start: header.sh_offset, size: header.sh_size)))
      }
    }
    return Section(
      segmentName: "", name: name, addresses: addresses, fileRange: range,
      holdsCode: isLoaded && header.sh_flags & UInt64(SHF_EXECINSTR) != 0,
      isSymbolStubs: name == ".plt" || name.hasPrefix(".plt.") || name == ".iplt",
      stubLayout: nil,
      isCompressed: header.sh_flags & UInt64(SHF_COMPRESSED) != 0,
      needsRelocation: needsRelocation)
  }

  /// The bytes of the section names; nil if there are none. Adds a fault if they are not in the
  /// file.
  private mutating func nameTable(_ headers: Headers) -> ByteRegion? {
    guard headers.nameTable > 0 else { return nil }
    guard headers.nameTable <= headers.sections.count else {
      faults.append(
        error(
          .namesOutsideStringTable(
            .sectionHeaders, count: headers.sections.count, first: 1)))
      return nil
    }
    let header = headers.sections[headers.nameTable - 1]
    do {
      return try region.subregion(offset: header.sh_offset, count: header.sh_size)
    } catch {
      faults.append(self.error(.truncation(.stringTable, error)))
      return nil
    }
  }

  /// The indices of the sections whose relocations have not been applied, counted from 0 for the
  /// null section. Only a relocatable file has such sections; in others the linker has applied even
  /// the relocations that it kept (`--emit-relocs`).
  private func unappliedRelocationTargets(_ headers: Headers) -> Set<Int> {
    guard fileType == .relocatable else { return [] }
    var targets: Set<Int> = []
    for header in headers.sections
    where [SHT_REL, SHT_RELA].contains(Int32(bitPattern: header.sh_type)) && header.sh_size > 0 {
      targets.insert(Int(header.sh_info))
    }
    return targets
  }
}

extension ObjectFileType {
  /// The type of an ELF header's `e_type`.
  init(elfType type: UInt16) {
    self =
      switch Int32(type) {
      case ET_REL: .relocatable
      case ET_EXEC: .executable
      case ET_DYN: .dynamicLibrary
      case ET_CORE: .core
      default: .other(UInt32(type))
      }
  }
}

extension Architecture {
  /// The architecture of an ELF header's `e_machine`: Apple's name for it if there is one, else the
  /// usual one. Any other machine is named `unknown(machine)`, in decimal.
  init(elfMachine machine: UInt16, is64Bit: Bool, byteOrder: ByteOrder) {
    let isLittle = byteOrder == .little
    let name =
      switch machine {
      case 2: "sparc"  // EM_SPARC
      case 3: "i386"  // EM_386
      case 4: "m68k"  // EM_68K
      case 8:  // EM_MIPS
        (is64Bit ? "mips64" : "mips") + (isLittle ? "el" : "")
      case 20: "ppc"  // EM_PPC
      case 21: isLittle ? "ppc64le" : "ppc64"  // EM_PPC64
      case 22: is64Bit ? "s390x" : "s390"  // EM_S390
      case 40: "armv7"  // EM_ARM
      case 43: "sparc64"  // EM_SPARCV9
      case 50: "ia64"  // EM_IA_64
      case 62: is64Bit ? "x86_64" : "x32"  // EM_X86_64
      case 183: is64Bit ? "arm64" : "arm64_32"  // EM_AARCH64
      case 243: is64Bit ? "riscv64" : "riscv32"  // EM_RISCV
      case 258: is64Bit ? "loongarch64" : "loongarch32"  // EM_LOONGARCH
      default: "unknown(\(machine))"
      }
    self.init(name: name)
  }
}
