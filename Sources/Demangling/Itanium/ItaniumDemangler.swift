import SymbolicationModel

/// Demangles C++ names (Itanium ABI), and shows them as LLVM's demangler does, because Apple's
/// tools use that one.
///
/// Names may come from strangers. The tree of a name is in proportion to it; its text may be
/// exponentially longer, so the steps and the length of the text are limited.
///
/// The memory is kept for the next name: allocating it would take a tenth of the time.
struct ItaniumDemangler {
  /// The longest name that is demangled, in bytes.
  static let maximalLength = 1 << 16

  private var reader = ItaniumReader()
  private var printer = ItaniumPrinter()

  mutating func demangled(_ name: String) throws(DemanglingFailure) -> String {
    guard name.utf8.count <= Self.maximalLength else { throw .beyond(.nameLength) }
    reader.reset(to: name)
    guard let root = try? reader.readMangledName() else {
      throw reader.isTooDeep ? .beyond(.nesting) : .malformed
    }
    // The printer has the only references while it writes, and so does the reader afterwards.
    printer.takeTree(from: &reader)
    defer { printer.giveTree(to: &reader) }
    guard (try? printer.write(root)) != nil else {
      throw .beyond(printer.isTooDeep ? .nesting : .shownLength)
    }
    return String(decoding: printer.output, as: UTF8.self)
  }
}

extension ItaniumReader {
  /// Reads a whole name.
  fileprivate mutating func readMangledName() throws(Malformed) -> NodeID {
    if takes("_", "Z") {
      let encoding = try readEncoding()
      guard next == "." else {
        guard isAtEnd else { throw Malformed() }
        return encoding
      }
      // A suffix of the optimiser or the linker.
      let suffix = NameText(start: position, end: bytes.count)
      return tree.add(EncodingForm.suffixed(encoding, suffix))
    }
    // Clang puts two underscores in front of the name of a block's function; older versions put
    // three.
    guard takes(text: "___Z") || takes(text: "____Z") else { throw Malformed() }
    let function = try readEncoding()
    guard takes(text: "_block_invoke") else { throw Malformed() }
    if takes("_") { _ = try takeRequiredNumber() } else { _ = takeNumber() }
    guard isAtEnd || next == "." else { throw Malformed() }
    return tree.add(EncodingForm.special(.block, function))
  }
}
