import BinaryInput
import BreakpadSymbols
import SymbolicationModel

/// Answers as text, so that a test states them in one line for each frame.
extension BreakpadFile {
  init(_ text: String, jobs: Int = 1, partSize: Int = 8 << 20) {
    self.init(ByteRegion(copying: Array(text.utf8)), jobs: jobs, partSize: partSize)
  }

  /// `name +offset path:line` for each frame, innermost first; `symbol name +offset` for a symbol.
  /// Empty if nothing has the address.
  func answer(_ address: UInt64) -> [String] {
    var faults: [BreakpadFault] = []
    return answer(address, &faults)
  }

  func answer(_ address: UInt64, _ faults: inout [BreakpadFault]) -> [String] {
    switch place(of: LinkAddress(address)) {
    case .function(let index):
      let function = function(index)
      faults += function.faults
      var texts = BreakpadTexts()
      return function.frames(
        at: LinkAddress(address), in: self, texts: &texts, faults: &faults
      ).map { frame in
        let place = frame.location.map { " \($0.path):\($0.line)" } ?? ""
        return "\(frame.name) +\(address - frame.start.value)\(place)"
      }
    case .symbol(let index):
      let symbol = symbol(index)
      return ["symbol \(symbol.name) +\(address - symbol.start.value)"]
    case nil: return []
    }
  }
}
