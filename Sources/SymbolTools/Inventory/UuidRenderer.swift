import CrashLogParser
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

/// Writes a `UuidListing`.
package enum UuidRenderer {
  /// One line for each slice and each image, as `dwarfdump --uuid` prints them:
  /// `UUID: 4C4C4421-5555-3144-A1AE-D843571BB5E2 (arm64) path`. For an image of a report, its name
  /// takes the place of the path, and what the report says about it follows.
  package static func text(_ listing: UuidListing) -> String {
    var text = ""
    for item in listing.items {
      switch item {
      case .slice(let slice):
        text += line(slice.identity, slice.architecture, slice.path)
      case .report(let report):
        for image in report.images {
          text += line(
            image.image.identity, image.image.architecture,
            UuidMessages.description(of: image, in: report.path))
        }
      }
    }
    return text
  }

  private static func line(
    _ identity: ImageIdentity?, _ architecture: Architecture?, _ rest: String
  ) -> String {
    let shown = identity.map { "\($0)" } ?? "unknown"
    let architecture = architecture?.name ?? "unknown"
    let line = "UUID: \(shown) (\(architecture)) \(rest)"
    return line.withoutControlCharacters.withoutCommandMarks + "\n"
  }

  /// The document that docs/uuid.schema.json describes.
  package static func json(_ listing: UuidListing) -> String {
    JsonWriter.document("symbolicate-uuids") { writer in
      let slices = listing.items.compactMap { item in
        if case .slice(let slice) = item { slice } else { nil }
      }
      writer.member(objects: "files", slices) { writer, slice in
        writer.member("path", slice.path)
        writer.member("name", slice.name)
        writer.member("uuid", "\(slice.identity)")
        writer.member("architecture", slice.architecture.knownName)
        writer.member("kind", slice.standalone?.name ?? slice.role.rawValue)
        writer.member("debugInformation", slice.hasDebugInfo)
      }
      let reports = listing.items.compactMap { item in
        if case .report(let report) = item { report } else { nil }
      }
      writer.member(objects: "reports", reports) { writer, report in
        writer.member("path", report.path)
        writer.member(objects: "images", report.images) { write($1, to: &$0) }
      }
    }
  }

  private static func write(_ image: NeededImage, to writer: inout JsonWriter) {
    writer.member("name", image.image.name)
    writer.member("path", image.image.path)
    writer.member("uuid", image.image.identity.map { "\($0)" })
    writer.member("architecture", image.image.architecture?.name)
    writer.member("loadAddress", hexadecimal: image.image.loadAddress.value)
    writer.member("lastAddress", hexadecimal: image.lastAddress?.value)
    writer.member("system", image.image.belongsToSystem)
    writer.member("frames", image.frameCount)
    writer.member("unnamedFrames", image.namelessCount)
    writer.member(objects: "backtraces", image.backtraces) { writer, share in
      writer.member("kind", share.kind.rawValue)
      writer.member("number", share.number)
      writer.member("crashed", share.isCrashed)
      writer.member("frames", share.frameCount)
      writer.member("unnamedFrames", share.namelessCount)
    }
  }
}
