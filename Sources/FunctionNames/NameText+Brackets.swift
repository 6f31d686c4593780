import SymbolicationModel

// What is in brackets in and behind a name.
extension NameText {
  /// Removes `<…>` behind a name. What begins with it stays: `<A as B>::f` of Rust, and operators.
  mutating func removeGenericArguments() {
    guard bytes.contains(UInt8(ascii: "<")) else { return }
    let closing = matchingEnds(open: UInt8(ascii: "<"), close: UInt8(ascii: ">"))
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let end = endOfOperator(at: index)
      if end > index {
        rest += bytes[index..<end]
        index = end
        // `operator< <int>`
        if bytes[end...].starts(with: " <".utf8), let closed = closing[end + 1] {
          index = closed + 1
        }
        continue
      }
      if bytes[index] == UInt8(ascii: "<"), let last = rest.last, let end = closing[index],
        last.isInName || last == UInt8(ascii: ":") || last == UInt8(ascii: ")")
      {
        if rest.suffix(2).elementsEqual("::".utf8) { rest.removeLast(2) }
        index = end + 1
        continue
      }
      rest.append(bytes[index])
      index += 1
    }
    bytes = rest
  }

  /// Removes the parameters of C++, and `const` behind them. Names of Swift keep their labels.
  mutating func removeParameters() {
    guard bytes.contains(UInt8(ascii: "(")) else { return }
    let isCxx = firstRange(of: "::") != nil
    let closing = matchingEnds(open: UInt8(ascii: "("), close: UInt8(ascii: ")"))
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let operatorEnd = isCxx ? endOfOperator(at: index) : index
      if operatorEnd > index {
        rest += bytes[index..<operatorEnd]
        index = operatorEnd
        continue
      }
      if bytes[index] == UInt8(ascii: "("), let end = closing[index] {
        let isNamespace = bytes[index...end].elementsEqual(Self.anonymousNamespace.utf8)
        if isNamespace || !isCxx && Self.areLabels(bytes[(index + 1)..<end]) {
          rest += bytes[index...end]
        }
        index = end + 1
        continue
      }
      // Long names are cut in their parameters.
      if isCxx, bytes[index] == UInt8(ascii: "("), ends(with: "...") { break }
      rest.append(bytes[index])
      index += 1
    }
    bytes = rest
    for ending in [" const", " volatile", " &&", " &", " noexcept"] where isCxx {
      if ends(with: ending) { bytes.removeLast(ending.utf8.count) }
    }
  }

  /// `_:at:`, or nothing.
  private static func areLabels(_ text: ArraySlice<UInt8>) -> Bool {
    text.last.map { $0 == UInt8(ascii: ":") } ?? true
      && text.allSatisfy { $0.isInName || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "`") }
  }

  /// Demanglers write the return type of templates: `void std::sort`.
  mutating func removeReturnType() {
    guard firstRange(of: "::") != nil else { return }
    var start = 0
    var depth = 0
    var index = 0
    while index < bytes.count {
      if endOfOperator(at: index) > index { break }
      if bytes[index...].starts(with: Self.anonymousNamespace.utf8) {
        index += Self.anonymousNamespace.utf8.count
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: " ") where depth == 0: start = index + 1
      default: break
      }
      index += 1
    }
    if start < bytes.count { bytes.removeFirst(start) }
  }

  /// Where `operator<<` ends that begins at `index`; `index` if none begins there.
  private func endOfOperator(at index: Int) -> Int {
    let word = "operator"
    guard bytes[index] == UInt8(ascii: "o"), bytes[index...].starts(with: word.utf8),
      index == 0 || !bytes[index - 1].isInName
    else { return index }
    var end = index + word.utf8.count
    guard end == bytes.count || !bytes[end].isInName else { return index }
    for brackets in ["()", "[]"] where bytes[end...].starts(with: brackets.utf8) { return end + 2 }
    while end < bytes.count, "<>=-*+/%^&|~!,".utf8.contains(bytes[end]) { end += 1 }
    return end
  }

  /// The place of the closing bracket for each opening one that has one. Angle brackets match only
  /// within the same parentheses, and `->` closes nothing.
  private func matchingEnds(open: UInt8, close: UInt8) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var opened: [(index: Int, depth: Int)] = []
    var depth = 0
    let isAngle = open == UInt8(ascii: "<")
    for (index, byte) in bytes.enumerated() {
      if isAngle, byte == UInt8(ascii: "(") { depth += 1 }
      if isAngle, byte == UInt8(ascii: ")") {
        depth -= 1
        while let last = opened.last, last.depth > depth { opened.removeLast() }
      }
      if byte == open { opened.append((index, depth)) }
      if byte == close, let last = opened.last, last.depth == depth,
        !isAngle || index == 0 || bytes[index - 1] != UInt8(ascii: "-")
      {
        ends[last.index] = index
        opened.removeLast()
      }
    }
    return ends
  }
}
