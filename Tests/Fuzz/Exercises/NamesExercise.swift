import Demangling
import SymbolicationModel

/// Demangles the input as a name, and as a name of each language, whatever it begins with.
func exerciseNames(_ bytes: [UInt8]) throws(Violation) {
  let text = String(decoding: bytes, as: UTF8.self)
  let names = [
    "_RNv" + text, "_RINvC1f1g" + text, "_RINvC1f1gK" + text, "_Z" + text, "_Z1f" + text,
    "_ZN1A" + text, "_Z1fIJicEE" + text, "_Z1fIiEDT" + text, "$s" + text, "$s4main1aV" + text,
    "_T0" + text, text,
  ]
  for name in names {
    for isMachOSymbol in [false, true] {
      let scheme = ManglingScheme(of: name, isMachOSymbol: isMachOSymbol)
      if scheme == .swift { try exerciseSwift(name, isMachOSymbol: isMachOSymbol) }
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

/// The Swift runtime gets only names that are known to be small, and writes no more than was said.
private func exerciseSwift(_ rawName: String, isMachOSymbol: Bool) throws(Violation) {
  let name =
    isMachOSymbol && rawName.utf8.first == UInt8(ascii: "_")
    ? String(Substring(rawName.utf8.dropFirst())) : rawName
  var meter = SwiftNameMeter()
  let isRead = (try? meter.check(name)) != nil
  for style: DemanglingStyle in [.simplified, .full] {
    var demangler = SymbolDemangler(style: style)
    let shown = demangler.shownName(of: rawName, isMachOSymbol: isMachOSymbol)
    try require(
      shown == name || (isRead && shown.utf8.count <= 3 * meter.size),
      "a Swift name is shown within its bound")
  }
  _ = isSwiftThunk(name)
}
