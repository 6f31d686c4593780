import CrashLogParser
import ReportSymbolication
import SymbolStore
import SymbolicationModel
package import Wording

extension ReportDiagnosis {
  /// A block for each image, and the next step, for people.
  package var lines: [StyledLine] {
    var lines = [StyledLine(headline, .strong)]
    for (index, diagnosis) in images.enumerated() {
      let sentences = sentences(about: diagnosis)
      // Images with the same sentences, such as the system's libraries, share a block.
      if index == 0 || self.sentences(about: images[index - 1]) != sentences {
        lines.append(StyledLine(""))
      }
      lines.append(StyledLine(diagnosis.heading, .wrap(indent: 2)))
      if index + 1 < images.count, self.sentences(about: images[index + 1]) == sentences {
        continue
      }
      lines += sentences.map {
        StyledLine("    \($0)", diagnosis.image.belongsToSystem ? .faint : .plain)
      }
    }
    let imageless = imagelessSentences
    if !imageless.isEmpty { lines += [StyledLine("")] + imageless.map { StyledLine($0) } }
    lines += nameSourceLines
    var next = StyledText("Next: ")
    next.append(nextStep, .strong)
    return lines + [StyledLine(""), StyledLine(next, .whole)]
  }

  /// The same without a look.
  package var text: String { lines.plainText }

  /// The document that docs/doctor.schema.json describes.
  package var json: String {
    JsonWriter.document("symbolicate-doctor") { writer in
      writer.member("input", path)
      writer.member("report", refusal == nil)
      writer.member("refusal", refusal?.message(path: path))
      writer.member("complete", isComplete)
      writer.member("process", process)
      writer.member("system", system)
      writer.member(objects: "images", images) { writer, diagnosis in
        writer.member("name", diagnosis.image.name)
        writer.member("path", diagnosis.image.path)
        writer.member("uuid", diagnosis.image.identity.map { "\($0)" })
        writer.member("architecture", diagnosis.image.architecture?.name)
        writer.member("system", diagnosis.image.belongsToSystem)
        writer.member("cause", diagnosis.cause.schemaName)
        writer.member("frames", diagnosis.frameCount)
        writer.member("namedFrames", diagnosis.namedCount)
        writer.member("resolvedFrames", diagnosis.resolvedCount)
        writer.member("framesWithLines", diagnosis.lineCount)
        writer.member(strings: "messages", sentences(about: diagnosis))
        writer.member(optionalObject: "symbolFile", diagnosis.cause.foundMembers)
        writer.member(objects: "candidates", diagnosis.cause.candidates) { writer, candidate in
          writer.member("path", candidate.candidate.path)
          writer.member("uuid", candidate.candidate.identity.map { "\($0)" })
          writer.member("architecture", candidate.candidate.architecture.knownName)
          writer.member("place", candidate.place.rawValue)
          writer.member(optionalObject: "origin", candidate.origin?.members)
        }
      }
      writer.member("framesWithoutImage", framesWithoutImage)
      writer.member(objects: "nameSources", nameSources) { writer, source in
        writer.member("source", source.kind.name)
        writer.member("frames", source.frameCount)
      }
      writer.member(strings: "problems", problems)
      writer.member("nextStep", nextStep)
    }
  }
}

extension BuildOrigin {
  fileprivate var members: (inout JsonWriter) -> Void {
    { writer in
      writer.member("bundleIdentifier", bundleIdentifier)
      writer.member("version", version)
      writer.member("build", build)
      writer.member("archive", archivePath)
      writer.member("archiveDate", archiveDate.map { "\(UtcTime(secondsSince1970: $0))" })
    }
  }
}

extension ImageDiagnosis.Cause {
  var schemaName: String {
    switch self {
    case .found: "found"
    case .noCandidate: "noCandidate"
    case .otherBuilds: "otherBuild"
    case .otherSlices: "otherSlices"
    case .emptyDsym: "emptyDsym"
    case .unreadable: "unreadable"
    case .refused: "refused"
    case .systemLibrary: "systemLibrary"
    case .unknownIdentity: "unknownUuid"
    }
  }

  fileprivate var candidates: [DiagnosedCandidate] {
    if case .otherBuilds(let candidates) = self { candidates } else { [] }
  }

  fileprivate var foundMembers: ((inout JsonWriter) -> Void)? {
    guard case .found(let found) = self else { return nil }
    return { writer in
      writer.member("path", found.path)
      writer.member("matchedBy", found.basis == .identity ? "uuid" : "name")
      writer.member("place", found.place?.rawValue)
      writer.member("content", found.content.schemaName)
      writer.member("debugFile", found.debugFilePath)
      writer.member("missingSymbolMap", found.missingSymbolMap?.mapPath)
      writer.member(optionalObject: "origin", found.origin?.members)
    }
  }
}

extension FoundSymbols.Content {
  fileprivate var schemaName: String {
    switch self {
    case .debugInformation: "debugInformation"
    case .debugInformationWithoutLines: "debugInformationWithoutLines"
    case .standalone(let format): format.name
    case .symbols: "symbols"
    case .nothing: "nothing"
    }
  }
}
