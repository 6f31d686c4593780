import ObjectFiles
import SymbolicationModel

/// Opens one file after the other until one will do, and keeps why the others did not.
struct SupplementaryFileAttempts {
  private(set) var attempts: [SupplementaryFileSearch.Attempt] = []

  /// The first ELF file at `paths` of which `objection` says nothing.
  mutating func firstFile(
    at paths: [String],
    objection: (ObjectFile) throws(ObjectFileError) -> SupplementaryFileSearch.Finding?
  ) -> ObjectFile? {
    for path in paths {
      do throws(ObjectFileError) {
        let file = try ObjectFile.openElf(statedPath: path)
        guard let finding = try objection(file) else { return file }
        add(path, finding)
      } catch {
        add(path, SupplementaryFileSearch.Finding(error))
      }
    }
    return nil
  }

  private mutating func add(_ path: String, _ finding: SupplementaryFileSearch.Finding) {
    attempts.append(SupplementaryFileSearch.Attempt(path: path, finding: finding))
  }
}

extension SupplementaryFileSearch.Finding {
  fileprivate init(_ error: ObjectFileError) {
    switch SymbolFileProblem(error).kind {
    case .inaccessible where error.isAbsence: self = .absent
    case .notASymbolFile, .empty: self = .notElf
    case let kind: self = .unreadable(kind)
    }
  }
}
