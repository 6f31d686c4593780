import DwarfReader
import LibDwarfReader

/// The readers that are asked.
enum DwarfReaderKind: CaseIterable, Sendable {
  case builtIn
  case libDwarf

  private static let others = allCases.filter { $0 != .libDwarf }

  /// Those that any bytes may be given to. libdwarf is C: some damaged files make it read outside its
  /// memory or free it twice, which would end the tests.
  static let safe = others
  /// Those that look into files beside the image.
  static let withReferencedFiles = others
  /// Those that take what libdwarf 20210528 refuses or reads wrongly, as each such test says.
  static let complete = others

  func open(
    _ sections: DwarfSections, referencedFiles: (any DwarfReferencedFiles)? = nil
  ) throws(DwarfReadError) -> any DwarfReading {
    switch self {
    case .builtIn:
      try BuiltInDwarfReader(sections: sections, referencedFiles: referencedFiles)
    case .libDwarf: try LibDwarfReader(sections: sections)
    }
  }

  /// Whether the reader knows the form: libdwarf 20210528 refuses `DW_FORM_strx3` and `DW_FORM_addrx3`
  /// (`DW_DLE_DEBUG_FORM_HANDLING_INCOMPLETE`).
  func knows(form: UInt64) -> Bool {
    switch self {
    case .builtIn: true
    case .libDwarf: form != 0x27 && form != 0x2b
    }
  }

  /// Whether the reader takes addresses of each form of index. libdwarf 20210528 reads `DW_AT_low_pc` as
  /// `DW_FORM_addrx`, which compilers write, but not as `DW_FORM_addrx1` to `addrx4`, and refuses
  /// `DW_AT_high_pc` as any index.
  var readsEveryAddressIndex: Bool {
    switch self {
    case .builtIn: true
    case .libDwarf: false
    }
  }

  func open(_ image: DwarfImageBuilder) throws(DwarfReadError) -> any DwarfReading {
    try open(image.sections())
  }
}
