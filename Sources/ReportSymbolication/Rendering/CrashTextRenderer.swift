import CrashLogParser
import SymbolicationModel

extension SymbolicatedInput {
  /// Apple's text of every report, one after the other.
  ///
  /// Where the input holds Apple's own translation of a report and its JSON, the translation comes out,
  /// symbolicated; other reports as JSON are translated. An input of text alone comes out as it is, what
  /// stands between its reports included.
  var crashText: [UInt8] {
    guard reports.contains(where: \.isJson) else { return splicedBytes }
    let translated = Set(reports.filter { !$0.isJson }.compactMap(\.incidentIdentifier))
    var output: [UInt8] = []
    for report in reports {
      let isTranslated = report.incidentIdentifier.map { translated.contains($0) } ?? false
      if report.isJson, isTranslated { continue }
      if !output.isEmpty { output += "\n".utf8 }
      switch report.source {
      case .text: output += splicedText(of: report)
      case .ips(let ips): output += IpsTranslator.translate(report, ips)
      }
      if output.last != UInt8(ascii: "\n") { output += "\n".utf8 }
    }
    return output
  }

  /// The bytes of one report as text, with what was found out in its place.
  private func splicedText(of report: SymbolicatedReport) -> [UInt8] {
    var edits = ByteEdits()
    edits.remove(0..<report.source.byteRange.lowerBound)
    TextSplicer.splice(report, of: bytes, into: &edits)
    edits.remove(report.source.byteRange.upperBound..<bytes.count)
    return edits.applied(to: bytes)
  }
}

extension SymbolicatedReport {
  /// The incident's identifier as the report's body gives it: what its text and its JSON share.
  var incidentIdentifier: String? {
    switch source {
    case .text(let report): report.incidentIdentifier
    case .ips(let report): report.incidentIdentifier
    }
  }
}

extension IpsTranslator {
  fileprivate static func translate(_ report: SymbolicatedReport, _ ips: IpsReport) -> [UInt8] {
    translate(ips) { backtrace in
      let symbolicated = report.backtraces.first { candidate in
        switch (backtrace, candidate.kind) {
        case (.lastException, .lastException): true
        case (.thread(let index), .thread(let place)): ips.threads[place].index == index
        default: false
        }
      }
      guard let symbolicated, symbolicated.isSelected else { return nil }
      return symbolicated.frames.filter { !$0.isSuperseded }.flatMap { frame in
        (frame.answer?.inlined ?? []).map { Frame(frame, $0, isInlined: true) }
          + [Frame(frame, in: ips)]
      }
    }
  }
}

extension IpsTranslator.Frame {
  /// A frame with what is known of it: the answer, else what the report says.
  fileprivate init(_ frame: SymbolicatedFrame, in report: IpsReport) {
    guard let answer = frame.answer else {
      guard case .json(let object) = frame.origin else {
        self.init(imageName: frame.imageName, address: frame.address, content: .unknown)
        return
      }
      self = IpsTranslator.frames(of: [object], in: report)[0]
      return
    }
    if answer.keepsStatedName, let stated = frame.stated {
      self.init(
        imageName: frame.imageName, address: frame.address,
        content: .symbol(
          Symbol(
            name: stated.name, offset: stated.offset.flatMap { UInt64(exactly: $0) },
            file: answer.function.location?.fileName,
            line: answer.function.location.map { Int($0.line) })))
    } else {
      self.init(frame, answer.function, isInlined: false)
    }
  }

  fileprivate init(
    _ frame: SymbolicatedFrame, _ text: FrameAnswer.FrameText, isInlined: Bool
  ) {
    self.init(
      imageName: frame.imageName, address: frame.address,
      content: .symbol(
        Symbol(
          name: text.name, offset: text.offset, file: text.location?.fileName,
          line: text.location.map { Int($0.line) }, isInlined: isInlined)))
  }
}
