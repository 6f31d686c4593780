import CrashLogParser
import SymbolicationModel

extension SymbolicatedInput {
  /// Apple's text of every report, one after the other.
  ///
  /// Reports as JSON are translated, those too of which the input holds Apple's own translation. An
  /// input of text alone comes out as it is, what stands between its reports included.
  var crashText: [UInt8] {
    guard reports.contains(where: \.isJson) else { return splicedBytes }
    return joined(
      shownReports.map { report in
        switch report.source {
        case .text, .swiftBacktrace: splicedBytes(of: report)
        case .ips(let ips): IpsTranslator.translate(report, ips)
        }
      }, separator: "\n")
  }

  /// The reports as JSON, without what stands around them; nil where there is one as text alone.
  var ipsDocuments: [UInt8]? {
    guard shownReports.allSatisfy(\.isJson) else { return nil }
    if reports.count == 1, let range = reports.first?.source.byteRange, range.lowerBound == 0,
      bytes[range.upperBound...].allSatisfy({ [0x20, 0x09, 0x0a, 0x0d].contains($0) })
    {
      return splicedBytes
    }
    return joined(shownReports.map { splicedBytes(of: $0) }, separator: "")
  }

  private func joined(_ texts: [[UInt8]], separator: String) -> [UInt8] {
    var output: [UInt8] = []
    for text in texts {
      if !output.isEmpty { output += separator.utf8 }
      output += text
      if output.last != UInt8(ascii: "\n") { output += "\n".utf8 }
    }
    return output
  }

  /// The bytes of one report, with what was found out in its place.
  private func splicedBytes(of report: SymbolicatedReport) -> [UInt8] {
    var edits = ByteEdits()
    edits.remove(0..<report.source.byteRange.lowerBound)
    splice(report, into: &edits)
    edits.remove(report.source.byteRange.upperBound..<bytes.count)
    return edits.applied(to: bytes)
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
            file: answer.function.shownFile,
            line: answer.function.location.map { Int($0.line) },
            sourceLines: answer.function.source?.shownLines ?? [])))
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
          name: text.name, offset: text.offset, file: text.shownFile,
          line: text.location.map { Int($0.line) }, isInlined: isInlined,
          sourceLines: text.source?.shownLines ?? [])))
  }
}
