import ObjectFiles
import SymbolicationModel

extension SymbolTable {
  /// The linkage name, as DWARF would state it, of the function that starts at `address`: the name
  /// of the symbol that starts there, if it is mangled.
  ///
  /// Compilers omit `DW_AT_linkage_name` from some functions: clang up to Xcode 8 and gcc from
  /// static ones and methods of local types, Swift 3 from nearly all. DWARF then has `init`, and
  /// the symbol `_TFC13CrashProbeiOS11SwiftHelpercfT_S0_`.
  ///
  /// - Parameter reveal: what the name of a symbol stands for, if it is hidden.
  func mangledName(
    ofFunctionAt address: LinkAddress, format: ObjectFormat,
    reveal: (String) -> String = { $0 }
  ) -> String? {
    guard let symbol = symbol(at: address), symbol.addresses.lowerBound == address else {
      return nil
    }
    let name = Symbol(rawName: reveal(symbol.rawName), addresses: symbol.addresses)
      .nameWithoutUnderscore(format)
    guard ManglingScheme(of: name) != nil else { return nil }
    // Compilers append `.cold`, `.constprop.0` and the like to C++ names of parts and copies.
    guard name.hasPrefix("_Z"), let suffix = name.firstIndex(of: ".") else { return name }
    return String(name[..<suffix])
  }
}

extension Symbol {
  /// The name without the leading underscore of every name in a Mach-O symbol table.
  func nameWithoutUnderscore(_ format: ObjectFormat) -> String {
    format == .machO && rawName.utf8.first == UInt8(ascii: "_")
      ? String(Substring(rawName.utf8.dropFirst())) : rawName
  }
}
