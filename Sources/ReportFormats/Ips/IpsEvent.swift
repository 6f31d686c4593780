package import JsonReading
package import ReportModel
import SymbolicationModel

/// An `.ips` report that is not a crash: the header, and what stands below it up to the next report
/// or the end of the input.
///
/// Such reports are often edited by hand before they are shown, so damage is common: parts are cut
/// out, and keys have spaces in them.
package struct IpsEvent {
  /// Nil if it is damaged or missing.
  package let header: JsonHeader?
  /// Without the line end and separators after the last line.
  package let byteRange: Range<Int>
  /// The objects below the header: one, or several if that one is damaged. A later one begins a
  /// line.
  package let objects: [JsonValue]
  package let faults: [ParseFault]

  /// The reports of these types, except those that another reader has claimed.
  ///
  /// - Complexity: O(n), because what follows damage is read from there on.
  package static func all(in input: ReportInput, ofTypes types: Set<String>) -> [IpsEvent] {
    let source = input.source
    let headers = headerLines(of: source)
    var claimedRanges = input.claimedRanges[...]
    var events: [IpsEvent] = []
    for (index, line) in headers.enumerated() {
      var next = index + 1 < headers.count ? headers[index + 1].start : source.count
      claimedRanges = claimedRanges.drop { $0.upperBound <= line.start }
      if let claimed = claimedRanges.first {
        if claimed.lowerBound < line.next { continue }
        next = min(next, claimed.lowerBound)
      }
      let event = IpsEvent(input, line, next)
      if event.bugType.map({ types.contains($0) }) == true { events.append(event) }
    }
    return events
  }

  private init(_ input: ReportInput, _ line: TextLine, _ next: Int) {
    let source = input.source
    header = JsonHeader(source.bytes, in: line.start..<line.end)
    var faults: [ParseFault] = []
    if header == nil {
      faults.append(ParseFault(kind: .damagedJsonHeader, byteRange: line.start..<line.end))
    }
    var end = Self.trimmed(next, after: line, source)
    objects = Self.objects(input, line.end..<end, &faults, end: &end)
    byteRange = line.start..<Self.trimmed(end, after: line, source)
    self.faults = faults
  }

  /// A body without a header.
  ///
  /// - Parameter limit: where it ends at the latest; a damaged one may go on below the damage.
  package init(body: JsonDocument, _ source: TextSource, limit: Int) {
    header = nil
    let start = body.byteRange.lowerBound
    byteRange = start..<Self.trimmed(limit, after: source.line(at: start), source)
    objects = [body.root]
    faults =
      body.damage.map { [ParseFault(kind: .damagedJson, byteRange: $0.offset..<$0.offset)] }
      ?? []
  }

  /// Objects of a body that stand alone.
  package init(objects: [JsonValue], _ range: Range<Int>, _ faults: [ParseFault]) {
    header = nil
    byteRange = range
    self.objects = objects
    self.faults = faults
  }

  private static func trimmed(_ end: Int, after line: TextLine, _ source: TextSource) -> Int {
    var end = end
    while end > line.end, source[end - 1] <= Ascii.space { end -= 1 }
    return end
  }

  package var bugType: String? { text("bug_type") }

  /// The value of a key in the header; spaces around the key do not count.
  package func text(_ key: String) -> String? {
    header?.text(key)
      ?? header?.fields.first { $0.key.filter { $0 != " " } == key }.flatMap {
        header?.text($0.key)
      }
  }

  /// The first value of a key in the objects.
  package subscript(key: String) -> JsonValue? {
    for object in objects { if let value = object[key] { return value } }
    return nil
  }

  /// Lines that are an object with a `bug_type`. What follows one is its body, which may have a
  /// `bug_type` too.
  private static func headerLines(of source: TextSource) -> [TextLine] {
    var lines: [TextLine] = []
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let isBody = lines.last.map { $0.next == line.start } ?? false
      if !isBody || source.isHeaderOfOther(line), source.has("{", at: line.start, limit: line.end),
        source[source.trimEnd(from: line.start, to: line.end) - 1] == Ascii.closeBrace,
        source.find("\"bug_type\"", from: line.start, limit: line.end) != nil
      {
        lines.append(line)
      }
    }
    return lines
  }

  /// - Parameter end: becomes the end of the object if it is whole, or the start of the first line
  ///   of another report, if one follows.
  private static func objects(
    _ input: ReportInput, _ range: Range<Int>, _ faults: inout [ParseFault],
    end reportEnd: inout Int
  ) -> [JsonValue] {
    let source = input.source
    var objects: [JsonValue] = []
    var boundary = ReportBoundary(source, input.signs)
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      let isObject = source[line.start] == Ascii.openBrace
      if isObject
        ? source.isFirstLineOfReport(line, input.signs) : boundary.mayBeReached(at: line)
      {
        reportEnd = line.start
        break
      }
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace,
        let document = input.jsonDocument(in: start..<range.upperBound)
      else {
        next = max(line.next, next + 1)
        continue
      }
      if !objects.isEmpty {
        // A part of a body shows the format of the whole, too.
        let format = input.signs.format(of: document, in: source)
        if format.isReport, format != input.detectedFormat {
          reportEnd = line.start
          break
        }
      }
      objects.append(document.root)
      let end = document.byteRange.upperBound
      if document.damage != nil {
        faults.append(ParseFault(kind: .damagedJson, byteRange: end..<end))
      } else if objects.count == 1, !source.isFollowedByMember(end, limit: range.upperBound) {
        reportEnd = end
        break
      }
      // After a missing comma the next object begins here, or a line that is not JSON.
      let goesOn = end > start && (source[end] == Ascii.openBrace || source.isLineStart(end))
      next = goesOn ? end : max(source.line(at: end).next, end, start + 1)
    }
    return objects
  }
}

extension TextSource {
  /// Whether a line directly below a header is another header, because the body of the first one is
  /// missing, and not that body: an object follows it, and it does not say what a body says.
  fileprivate func isHeaderOfOther(_ line: TextLine) -> Bool {
    guard let below = firstTextLine(after: line), self[below.start] == Ascii.openBrace else {
      return false
    }
    return ["\"product\"", "\"build\"", "\"crashReporterKey\""].allSatisfy {
      find($0, from: line.start, limit: line.end) == nil
    }
  }

  /// Whether more members follow an object that seems to be whole: it has a brace too many.
  fileprivate func isFollowedByMember(_ end: Int, limit: Int) -> Bool {
    var next = end
    while next < limit, Ascii.isJsonSpace(self[next]) { next += 1 }
    return next < limit && (self[next] == Ascii.comma || self[next] == Ascii.quote)
  }

  fileprivate func isLineStart(_ offset: Int) -> Bool {
    offset == textStart || offset > 0 && self[offset - 1] == Ascii.lineFeed
  }
}

extension ReportFacts {
  /// What all such reports say about the device and the system.
  package init(_ event: IpsEvent) {
    self.init()
    incident = event["incident"]?.string ?? event.text("incident_id")
    bugType = event.bugType
    date = event["date"]?.string ?? event.text("timestamp")
    hardwareModel = event["product"]?.string
    crashReporterKey = event["crashReporterKey"]?.string
    if let build = event["build"]?.string ?? event.text("os_version") { system = System(build) }
    for object in event.objects.prefix(1) {
      for member in object.members {
        let value = member.value
        if let text = value.string ?? value.numberText {
          fields.append(Field(name: member.key, value: text, byteRange: member.byteRange))
        }
      }
    }
  }
}
