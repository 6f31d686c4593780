import SymbolIndex
import SymbolicationModel

extension GsymFile {
  /// What `llvm-gsymutil --address` prints behind the address, one line for each frame; nil if no
  /// function contains the address.
  func text(at address: UInt64) throws(GsymError) -> [String]? {
    guard let answer = try lookup(LinkAddress(address)) else { return nil }
    var lines: [String] = []
    for (index, frame) in answer.frames.enumerated() {
      var line = try name(at: frame.name) ?? "?"
      let offset = address - frame.start.value
      if offset > 0 { line += " + \(offset)" }
      if let location = frame.location {
        let path = try path(ofFile: location.file)
        line += " @ \(path ?? "?"):\(location.line)"
      }
      if index < answer.frames.count - 1 { line += " [inlined]" }
      lines.append(line)
    }
    return lines
  }
}
