import ReportCompletion
import ReportRendering
import ReportSymbolication
import SymbolicationModel
import Wording

/// The line that answers a record, and what the statistics count of it.
package struct WorkerAnswer: Sendable {
  /// With its line end.
  package let line: [UInt8]
  let failure: WorkerFailure.Code?
  let counts: FrameCounts
  /// The identities of the images without symbol files, without repetitions.
  let missing: [ImageIdentity]

  init(id: [UInt8], failure: WorkerFailure) {
    line = Self.line(id, isOk: false) { writer in
      writer.member(object: "error") { writer in
        writer.member("code", failure.code.rawValue)
        writer.member("message", failure.message.withoutControlCharacters)
      }
    }
    self.failure = failure.code
    counts = FrameCounts()
    missing = []
  }

  init(id: [UInt8], frames: [WorkerFrameAnswer]) {
    line = Self.line(id, isOk: true) { writer in
      writer.key("frames")
      writer.array { writer in
        for (index, result) in frames.enumerated() {
          writer.element()
          JsonFrame.writeBare(
            result.answer, index: index, address: result.frame.statedAddress,
            imageName: result.frame.imageName, imageOffset: result.imageOffset,
            symbolFile: result.symbolFile, to: &writer)
        }
      }
    }
    failure = nil
    var counts = FrameCounts()
    counts.resolved = frames.count { $0.answer != nil }
    counts.unresolved = frames.count - counts.resolved
    self.counts = counts
    missing =
      Set(frames.lazy.filter { $0.symbolFile == nil }.compactMap(\.frame.identity)).map(\.self)
  }

  /// - Parameter spelling: the input as a JSON string, if it is known.
  init(
    id: [UInt8], _ input: SymbolicatedInput, shownPath: String, spelling: ArraySlice<UInt8>?,
    _ output: WorkerOutput
  ) {
    line = Self.line(id, isOk: true) { writer in
      switch output {
      case .json:
        JsonRenderer(input, inputName: shownPath, .document).writeMembers(to: &writer)
      case .report:
        writer.key("report")
        // A wrapping that an answer would break keeps its report as it is.
        let completed = input.completedInput ?? input.input
        if let spelling, completed == input.input {
          writer.value(json: spelling)
        } else {
          writer.value(utf8: completed)
        }
      case .summary:
        writer.member("summary", SummaryRenderer(input).text)
      }
    }
    failure = nil
    counts = input.outcome.counts
    missing = Array(Set(input.outcome.missingImages.compactMap(\.image.identity)))
  }

  private static func line(
    _ id: [UInt8], isOk: Bool, _ members: (inout JsonWriter) -> Void
  ) -> [UInt8] {
    var writer = JsonWriter(.oneLine)
    writer.object { writer in
      writer.key("id")
      writer.value(json: id)
      writer.member("ok", isOk)
      members(&writer)
    }
    writer.finish()
    return writer.bytes
  }
}
