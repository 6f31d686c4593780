import Wording
import CrashLogParser
import ReportSymbolication
import SymbolStore
import SymbolicationModel

/// The images of a report in a page, and whether their symbols were found. Images in which frames
/// lie come first; the others are folded.
struct HtmlImages {
  private let report: SymbolicatedReport
  private let missing: [ReportImage: Int]
  private let withFrames: [(entry: JsonImages.Entry, frameCount: Int)]
  private let others: [JsonImages.Entry]

  init(_ report: SymbolicatedReport, _ options: SymbolicationOptions) {
    self.report = report
    missing = Dictionary(
      report.missingImages.map { ($0.image, $0.frameCount) }, uniquingKeysWith: +)
    var counts: [ReportImage: Int] = [:]
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      for frame in report.backtraces[backtrace].frames.indices {
        guard report.backtraces[backtrace].frames[frame].isShown(options),
          let image = report.backtraces[backtrace].frames[frame].image
        else { continue }
        counts[image, default: 0] += 1
      }
    }
    let entries = JsonImages(report).entries
    let used = entries.compactMap { entry in
      counts[entry.image].map { (entry: entry, frameCount: $0) }
    }
    withFrames =
      used.filter { !$0.entry.image.belongsToSystem }
      + used.filter { $0.entry.image.belongsToSystem }
    others = entries.filter { counts[$0.image] == nil }
  }

  package var count: Int { withFrames.count + others.count }

  /// Whether there is anything to show.
  var isShown: Bool { count > 0 || !report.joinRefusals.isEmpty }

  package func write(to writer: inout HtmlWriter) {
    for refusal in report.joinRefusals { writer.element(.p, text: refusal) }
    if !withFrames.isEmpty {
      writer.element(.ul, .classes([.images]), .listRole) { writer in
        for item in withFrames { write(item.entry, item.frameCount, to: &writer) }
      }
    }
    guard !others.isEmpty else { return }
    writer.element(.details) { writer in
      writer.element(.summary, text: PageWords.otherImages(others.count))
      writer.element(.ul, .classes([.images]), .listRole) { writer in
        for entry in others { write(entry, 0, to: &writer) }
      }
    }
  }

  private func write(
    _ entry: JsonImages.Entry, _ frameCount: Int, to writer: inout HtmlWriter
  ) {
    let image = entry.image
    writer.element(.li) { writer in
      writer.element(.b) { $0.name(image.name) }
      writer.space()
      writeState(of: image, frameCount, to: &writer)
      writer.element(.div) { writer in
        writer.element(.code) { writer in
          if let identity = image.identity { writer.text("\(identity) ") }
          if let architecture = image.architecture { writer.text("\(architecture.name) ") }
          writer.address(image.loadAddress.value)
          if let last = entry.lastAddress {
            writer.text(" – ")
            writer.address(last.value)
          }
        }
      }
      if let path = image.path { writePath(path, to: &writer) }
      if let file = report.symbolFiles[image] { writePath(file.path, to: &writer) }
    }
  }

  private func writePath(_ path: String, to writer: inout HtmlWriter) {
    writer.element(.div) { writer in
      writer.element(.code) { $0.name(path) }
    }
  }

  /// Whether there are symbols for the image, and how they were matched.
  private func writeState(of image: ReportImage, _ frameCount: Int, to writer: inout HtmlWriter) {
    let (text, style): (String?, HtmlClass) =
      if let file = report.symbolFiles[image] {
        switch file.basis {
        case .identity:
          (
            image.identity?.bytes.count == 16
              ? PageWords.foundByIdentity : PageWords.foundByBuildId, .good
          )
        default: (PageWords.foundByName, .bad)
        }
      } else if image.belongsToSystem {
        (PageWords.ofSystem, .detail)
      } else if let count = missing[image] {
        (PageWords.noSymbols(count), .bad)
      } else {
        (frameCount > 0 ? PageWords.nothingToLookUp : nil, .detail)
      }
    if let text { writer.element(.span, .classes([style]), text: text) }
    guard frameCount > 0, missing[image] == nil || image.belongsToSystem else { return }
    writer.element(.span, .classes([.detail])) {
      $0.text(" · \(counted(frameCount, "frame"))")
    }
  }
}
