package import SymbolicationModel

/// What a GSYM file says of an address. Names and files are numbers, so that a lookup copies no text:
/// `GsymFile.name(at:)`, `GsymFile.nameBytes(at:)` and `GsymFile.path(ofFile:)` give it.
package struct GsymAnswer: Hashable, Sendable {
  /// Innermost first: the inlined calls that hold the address, and last the function. Empty only
  /// before the first lookup into it.
  package internal(set) var frames: [GsymFrame] = []

  /// One to look up into.
  package init() {}

  /// The contiguous range (half-open) of the function's code. It is empty where the size is not
  /// known: such a function reaches up to the next one.
  package var functionRange: Range<LinkAddress> {
    frames.last?.range ?? LinkAddress(0)..<LinkAddress(0)
  }
}

/// One function of an answer.
package struct GsymFrame: Hashable, Sendable {
  /// The offset of the (mangled) name in the string table; 0 for an inlined call without a name.
  package internal(set) var name: UInt32
  /// The contiguous range (half-open) of this function's or inlined body's code that holds the
  /// address; for a function of unknown size empty, at its start.
  package internal(set) var range: Range<LinkAddress>
  /// The lowest address of all ranges of this inlined body; the function's start. What
  /// llvm-gsymutil counts a frame's offset from.
  package internal(set) var start: LinkAddress
  /// For the innermost frame the row of the line table that covers the address, for every other the
  /// call site of the frame before it. Nil where the file says nothing.
  package internal(set) var location: GsymLocation?
}

/// A place in a source file.
package struct GsymLocation: Hashable, Sendable {
  /// The file's number in the file table; never 0, which stands for no file.
  package let file: UInt32
  /// 1-based; 0 where the compiler says that the code belongs to no line.
  package let line: UInt32

  package init(file: UInt32, line: UInt32) {
    self.file = file
    self.line = line
  }

  /// Nil where the number stands for no file.
  init?(known file: UInt32, line: UInt32) {
    guard file != 0 else { return nil }
    self.init(file: file, line: line)
  }
}
