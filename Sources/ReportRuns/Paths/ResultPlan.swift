package import FileSystem
package import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// Where the results of inputs go in a directory for results. Nothing is written here.
package struct ResultPlan: Sendable {
  /// The directory for results.
  package let directory: String
  package let form: OutputForm

  package init(directory: String, form: OutputForm) {
    (self.directory, self.form) = (directory, form)
  }

  package func path(of input: ReportInput) -> String {
    directory.appendingPath(input.resultPath(as: form))
  }

  /// The inputs without those whose results exist. Results are written completely or not at all, so
  /// one that exists is complete.
  package func withoutExistingResults(_ inputs: [ReportInput]) -> [ReportInput] {
    inputs.filter { FileKind(path: path(of: $0)) != .regularFile }
  }

  /// Two inputs whose results would be one file; nil if there are none.
  ///
  /// Links in the directory are followed, so two paths may lead to one file.
  ///
  /// Cost: each existing folder of results is listed once; memory for a key of each input.
  package func clash(among inputs: [ReportInput]) throws(FileSystemError) -> ResultClash? {
    var folders: [[UInt8]: (real: String, links: Set<[UInt8]>)] = [:]
    // By their bytes: strings are equal if their characters are, however these are spelt.
    var inputOfTarget: [[UInt8]: Int] = [:]
    inputOfTarget.reserveCapacity(inputs.count)
    for (index, input) in inputs.enumerated() {
      let path = path(of: input)
      let folder = path.folder
      let name = path.lastPathComponent
      let key = folder.pathBytes
      var known = folders[key]
      if known == nil {
        known = (OutputGuard.withoutLinks(folder), try Self.links(in: folder))
        folders[key] = known
      }
      guard let known else { continue }
      var target = known.real.appendingPath(name)
      if known.links.contains(name.pathBytes) { target = OutputGuard.withoutLinks(path) }
      if let other = inputOfTarget.updateValue(index, forKey: target.pathBytes) {
        return ResultClash(first: inputs[other], second: input, result: path)
      }
    }
    return nil
  }

  /// The names of the links in a folder; none if it does not exist.
  private static func links(in folder: String) throws(FileSystemError) -> Set<[UInt8]> {
    do throws(FileSystemError) {
      return Set(
        try Directory.unsortedEntries(of: folder).filter(\.isLink).map(\.name.pathBytes))
    } catch {
      // A directory may be for writing alone.
      guard error.isAbsence || error.errno == .permissionDenied else { throw error }
      return []
    }
  }
}

/// Two inputs whose results would be one file.
package struct ResultClash: Hashable, Sendable {
  package let first: ReportInput
  package let second: ReportInput
  /// The path of the result of `second`.
  package let result: String
}
