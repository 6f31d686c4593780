import SymbolStore
import SymbolicationModel
package import Wording

extension SymbolicatedInput {
  /// The lines of `--verbose`: for each image with frames, the file that was used and what it was
  /// chosen by.
  package var imageLines: [Message] {
    guard options.namesFiles else { return [] }
    var lines: [Message] = []
    for report in shownReports {
      var images = report.symbolFiles.map { image, file in
        (image: image, text: "\(file.path), matched by \(image.matchedProperty(file.basis))")
      }
      images += report.missingImages.map { missing in
        let system = missing.image.belongsToSystem ? " (part of the operating system)" : ""
        return (missing.image, "no symbols found\(system)")
      }
      images.sort {
        ($0.image.loadAddress.value, $0.image.name) < ($1.image.loadAddress.value, $1.image.name)
      }
      lines += images.map { .note("\($0.image.shownIdentity): \($0.text)") }
    }
    return lines.withoutRepetitions
  }
}

extension ReportImage {
  fileprivate func matchedProperty(_ basis: SymbolMatch.Basis) -> String {
    switch basis {
    case .identity: identity?.bytes.count == 16 ? "UUID" : "build-id"
    case .name: "name alone"
    }
  }
}
