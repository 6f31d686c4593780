import ObjectFiles
import SymbolicationModel

/// Opens one file after the other until one will do, and keeps why the others did not.
struct SupplementaryFileAttempts {
  private(set) var attempts: [DebugFileSearch.Attempt] = []

  /// Whether a file was refused for nothing but a section that it lacks.
  var hasFoundFileWithoutDebugInfo: Bool {
    attempts.contains {
      if case .missingSection = $0.finding { true } else { false }
    }
  }

  /// The first ELF file at `paths` of which `objection` says nothing.
  mutating func firstFile(
    at paths: [String],
    objection: (ObjectFile) throws(ObjectFileError) -> DebugFileSearch.Finding?
  ) -> ObjectFile? {
    for path in paths {
      do throws(ObjectFileError) {
        let file = try ObjectFile.openElf(statedPath: path)
        guard let finding = try objection(file) else { return file }
        add(path, finding)
      } catch {
        add(path, DebugFileSearch.Finding(error, wanted: .notElf))
      }
    }
    return nil
  }

  /// The first slice of `architecture` of a Mach-O file at `paths` of which `objection` says nothing.
  mutating func firstMachOSlice(
    of architecture: Architecture, at paths: [String],
    objection: (ObjectFile) -> DebugFileSearch.Finding?
  ) -> ObjectFile? {
    for path in paths {
      do throws(ObjectFileError) {
        let slices = try ObjectFile.openMachO(statedPath: path)
        guard let slice = slices.first(where: { $0.architecture == architecture }) else {
          add(
            path, .otherArchitecture(found: slices.map(\.architecture), expected: architecture))
          continue
        }
        guard let finding = objection(slice) else { return slice }
        add(path, finding)
      } catch {
        add(path, DebugFileSearch.Finding(error, wanted: .notMachO))
      }
    }
    return nil
  }

  private mutating func add(_ path: String, _ finding: DebugFileSearch.Finding) {
    attempts.append(DebugFileSearch.Attempt(path: path, finding: finding))
  }
}

extension DebugFileSearch.Finding {
  /// - Parameter wanted: what to say of a file of another format.
  init(_ error: ObjectFileError, wanted: Self) {
    switch SymbolFileProblem(error).kind {
    case .inaccessible where error.isAbsence: self = .absent
    case .notASymbolFile, .empty: self = wanted
    case let kind: self = .unreadable(kind)
    }
  }
}
