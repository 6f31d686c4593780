import JsonReading
package import ReportModel
import SymbolicationModel

/// The table of processes in a jetsam report as text, which iOS wrote up to version 8:
///
/// ```text
/// Free pages:        1131
/// Largest process:   Board
///
/// Processes
///      Name             <UUID>   rpages   recent_max   [reason]          (state)
///      Board <0000…00000000001>   22810        22810   [vm-pageshortage]  (frontmost)
/// ```
///
/// Up to iOS 5 the only column is `Count resident pages`, and who was ended is `(jettisoned)`.
///
/// Source: Apple, Technical Note TN2151, "Low Memory Reports".
struct MemoryTable {
  /// The names of the columns with numbers.
  private var columns: [String] = []
  private var processes: [MemoryEvent.Process] = []

  static func isHeading(_ line: TextLine, of source: TextSource) -> Bool {
    let range = source.trimmed(line.start..<line.end)
    return range.count == 9
      && source.has("Processes", at: range.lowerBound, limit: range.upperBound)
  }

  /// Takes the line with the names of the columns, or one of a process.
  ///
  /// - Returns: false if the line is neither.
  mutating func takeProcess(_ line: TextLine, of source: TextSource) -> Bool {
    let range = source.trimmed(line.start..<line.end)
    guard range.count < 1024 else { return false }
    let text = source.string(range)
    if columns.isEmpty, text.hasPrefix("Name "), let end = text.firstRange(of: "UUID")?.upperBound {
      let names = text[end...].drop { $0 == ">" }.split(whereSeparator: \.isWhitespace)
        .prefix { !$0.hasPrefix("[") && !$0.hasPrefix("(") }
      // These have more than one word.
      columns = names.filter { !["CPU", "Count", "resident"].contains($0) }.map { String($0) }
      return true
    }
    guard let open = text.firstIndex(of: "<"), let close = text[open...].firstIndex(of: ">") else {
      return false
    }
    let identity = text[open...].dropFirst().prefix { $0 != ">" }
    guard identity.utf8.count == 32 || identity.utf8.count == 36,
      identity.allSatisfy({ $0.isHexDigit || $0 == "-" })
    else { return false }
    let words = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
    let numbers = words.prefix { !$0.hasPrefix("[") && !$0.hasPrefix("(") }
    func number(_ names: String...) -> UInt64? {
      let index = columns.firstIndex { names.contains($0) }
      return index.flatMap { $0 < numbers.count ? UInt64(numbers[$0]) : nil }
    }
    let marks = words.dropFirst(numbers.count)
    let states = marks.filter { $0.hasPrefix("(") && $0.hasSuffix(")") }
      .map { String($0.dropFirst().dropLast()) }
    let reason = marks.first { $0.hasPrefix("[") && $0.hasSuffix("]") }
      .map { String($0.dropFirst().dropLast()) }
    let name = text[..<open].split(separator: " ").joined(separator: " ")
    processes.append(
      MemoryEvent.Process(
        name: name.isEmpty ? nil : name, identifier: nil, pages: number("rpages", "pages"),
        greatestPages: number("lifetime_max") ?? number("recent_max"),
        reason: reason ?? (states.contains(Self.ended) ? Self.ended : nil),
        states: states.filter { $0 != Self.ended }, byteRange: range))
    return true
  }

  private static let ended = "jettisoned"

  /// What the table and the fields above it say. Where the table was cut off, a crash has no such
  /// fields. Nil for any other head.
  func event(_ fields: [HeaderField]) -> MemoryEvent? {
    let largest = fields["Largest process"]
    guard !processes.isEmpty || largest != nil && fields.firstIndex(of: "Free pages") != nil else {
      return nil
    }
    var event = MemoryEvent()
    event.processes = processes
    event.largestProcess = largest
    // Of processors with 32 bits. Source: XNU, osfmk/mach/arm/vm_param.h (`PAGE_SHIFT`).
    // What the first ones with 64 bits state as `Page Size` is not what they count in.
    if fields["Kernel Version"]?.firstRange(of: "RELEASE_ARM_") != nil { event.pageSize = 4096 }
    event.pages = fields.compactMap { field in
      guard field.key.hasSuffix(" pages"), let count = UInt64(field.value) else { return nil }
      return MemoryEvent.Pages(
        name: field.key.dropLast(" pages".utf8.count).lowercased(), count: count)
    }
    return event
  }
}

extension [HeaderField] {
  /// Whether a head is that of a report about memory.
  var areAboutMemory: Bool {
    firstIndex(of: "Largest process") != nil || firstIndex(of: "Free pages") != nil
  }
}

extension ReportFacts {
  /// Takes what a report about memory says.
  package mutating func take(_ memory: MemoryEvent) {
    event = .memory
    self.memory = memory
    let killed = memory.killed
    if killed.count == 1, let process = killed.first {
      self.process.name = process.name
      self.process.identifier = process.identifier
    }
    let reasons = Set(killed.compactMap(\.reason))
    if let reason = reasons.first, reasons.count == 1 {
      termination.namespace = "JETSAM"
      termination.indicator = reason
    }
  }
}
