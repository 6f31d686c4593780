import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension StatementReading {
  /// Takes the function from a sentence that says it calls itself, or recurses, until the exception
  /// that the sentence names: `` `-[Board turn]` re-enters itself until … `EXC_BAD_ACCESS
  /// (SIGSEGV)` ``.
  ///
  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - range: of the line.
  /// - Returns: whether the sentence says how the process ended.
  mutating func takeRecursion(at sign: Int, _ range: Range<Int>) -> Bool {
    guard innermost == nil, source.saysRecursion(range),
      let name = source.quotedFunction(range)
    else { return false }
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.symbol = FrameSymbol(name: name)
    innermost = StackFrame(address: nil, carrier: .values(values))
    guard facts.exception.type == nil, let words = CodeWords(at: sign, range, source),
      words.message == ReportFacts.toldOverflow
    else { return false }
    facts.exception.type = words.type
    facts.exception.signal = words.signal
    facts.exception.subtype = words.subtype
    facts.exception.message = words.message
    return true
  }
}

extension TextSource {
  /// Whether a sentence says that a function calls itself without end.
  fileprivate func saysRecursion(_ line: Range<Int>) -> Bool {
    let limit = min(line.upperBound, line.lowerBound + 1024)
    return Self.recursions.contains { find($0, from: line.lowerBound, limit: limit) != nil }
  }

  private static let recursions = [
    "nfinite recursion", "ndless recursion", "nbounded recursion", "re-enters itself",
    "reenters itself", "calls itself", "calling itself", "recursive call", "recurses",
    "无限递归", "無限再帰", "ndlosrekursion", "récursion infinie", "recursión infinita",
  ]

  /// The first function in code quotes, or the first method of Objective-C.
  fileprivate func quotedFunction(_ line: Range<Int>) -> String? {
    let limit = min(line.upperBound, line.lowerBound + 1024)
    var start = line.lowerBound
    for _ in 0..<12 {
      let mark = bytes[start..<limit].firstIndex {
        $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
      }
      guard let mark, mark + 1 < limit else { return nil }
      if self[mark] == UInt8(ascii: "`") {
        let close = bytes[(mark + 1)..<limit].firstIndex(of: UInt8(ascii: "`")) ?? limit
        if let name = functionInSentence(mark + 1..<close) { return name }
      } else if self[mark + 1] == Ascii.openBracket,
        let name = functionInSentence(mark..<limit)
      {
        return name
      }
      // The first mark may be one that ends code.
      start = mark + 1
    }
    return nil
  }
}
