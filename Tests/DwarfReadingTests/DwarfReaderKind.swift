import DwarfReader
import LibDwarfReader

/// The readers under test.
enum DwarfReaderKind: CaseIterable, Sendable {
  case builtIn
  case libDwarf

  private static let others = allCases.filter { $0 != .libDwarf }

  /// Readers that accept any bytes. libdwarf is written in C: some damaged files make it read
  /// outside its memory or free memory twice, which would end the tests.
  static let safe = others
  /// Readers that use files beside the image.
  static let withReferencedFiles = others
  /// Readers that accept what libdwarf 20210528 rejects or misreads, as each such test explains.
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

  /// Whether the reader knows the form: libdwarf 20210528 rejects `DW_FORM_strx3` and
  /// `DW_FORM_addrx3` (`DW_DLE_DEBUG_FORM_HANDLING_INCOMPLETE`).
  func knows(form: UInt64) -> Bool {
    switch self {
    case .builtIn: true
    case .libDwarf: form != 0x27 && form != 0x2b
    }
  }

  /// Whether the reader accepts addresses in all index forms. libdwarf 20210528 reads
  /// `DW_AT_low_pc` as `DW_FORM_addrx`, which compilers write, but not as `DW_FORM_addrx1` to
  /// `addrx4`, and rejects `DW_AT_high_pc` in any index form.
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
