import Demangling
import SymbolicationModel

/// Demangles the input as a name, and as a C++ and a Rust v0 name, whatever it begins with.
func exerciseNames(_ bytes: [UInt8]) throws(Violation) {
  let text = String(decoding: bytes, as: UTF8.self)
  // The Swift runtime demangles Swift, and is not under test here: it is written in C++, and takes
  // exponential time for some names.
  let names = [
    "_RNv" + text, "_RINvC1f1g" + text, "_RINvC1f1gK" + text, "_Z" + text, "_Z1f" + text,
    "_ZN1A" + text, "_Z1fIJicEE" + text, "_Z1fIiEDT" + text, text,
  ]
  for name in names {
    for isMachOSymbol in [false, true] {
      let scheme = ManglingScheme(of: name, isMachOSymbol: isMachOSymbol)
      switch scheme {
      case nil, .itanium, .rustV0, .rustLegacy, .oldSwift: break
      case .swift: continue
      }
      for style: DemanglingStyle in [.simplified, .full, .atos, .raw] {
        var demangler = SymbolDemangler(style: style)
        let shown = demangler.shownName(of: name, isMachOSymbol: isMachOSymbol)
        try require(!shown.isEmpty || name.utf8.count <= 1, "a name is shown as something")
        try require(
          shown.utf8.count <= max(3 << 18, 2 * name.utf8.count),
          "what is shown is of limited length")
        if scheme == nil || scheme == .oldSwift || style == .raw {
          let rest = name.utf8.count - shown.utf8.count
          try require(
            name.utf8.reversed().starts(with: shown.utf8.reversed())
              && (0...(isMachOSymbol ? 1 : 0)).contains(rest),
            "what is not demangled is as it was, without an underscore")
        }
        try require(
          demangler.shownName(of: name, isMachOSymbol: isMachOSymbol) == shown,
          "a name is remembered as it was")
        var another = SymbolDemangler(style: style)
        try require(
          another.shownName(of: name, isMachOSymbol: isMachOSymbol) == shown,
          "a name is shown the same again")
      }
    }
  }
}
