import SymbolicationModel
import Wording

extension ReleaseCheck {
  /// The document that docs/check.schema.json describes.
  package var json: String {
    JsonWriter.document("symbolicate-check") { writer in
      writer.member("input", path)
      writer.member("complete", isComplete)
      writer.member("failure", failure)
      writer.member(objects: "images", images) { writer, image in
        writer.member("name", image.name)
        writer.member("path", image.path)
        writer.member("uuid", image.identity.map { "\($0)" })
        writer.member("architecture", image.architecture.knownName)
        writer.member("verdict", image.verdict.word)
        writer.member("debugFile", image.debugFile)
        writer.member("defect", image.verdict.defect?.schemaName)
        writer.member("message", image.explanation)
        writer.member("symbolsFile", image.symbolsFile)
      }
      writer.member(objects: "strayDsyms", strayDsyms) { writer, stray in
        writer.member("path", stray.path)
        writer.member(strings: "uuids", stray.identities.map { "\($0)" })
      }
      writer.member(strings: "unusedAllowances", unusedAllowances)
      writer.member(strings: "problems", (problems + searchProblems).map(\.message))
    }
  }
}

extension CheckedImage {
  /// The file with its complete debug information, or the one that is not complete; nil if there is
  /// none.
  fileprivate var debugFile: String? {
    if case .complete(let path) = verdict { path } else { verdict.defect?.path }
  }
}

extension CheckedImage.Verdict {
  /// What is wrong, whether or not that is allowed.
  var defect: CheckedImage.Defect? {
    switch self {
    case .complete, .apple: nil
    case .incomplete(let defect), .allowed(let defect): defect
    }
  }
}

extension CheckedImage.Defect {
  fileprivate var path: String? {
    switch self {
    case .noDsym, .noDsymInXcframework, .noUuid: nil
    case .otherBuild(let path, _), .otherSlices(let path, _), .emptyDsym(let path),
      .noDebugInformation(let path), .damagedDebugInformation(let path, _), .noLines(let path),
      .hiddenNames(let path, _):
      path
    case .unreadable(let problem): problem.path
    }
  }
}
