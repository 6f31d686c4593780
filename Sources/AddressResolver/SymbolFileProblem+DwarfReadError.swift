import DwarfReader
import SymbolicationModel

extension SymbolFileProblem {
  /// The error as a `SymbolFileProblem`, the type that every module reports.
  init(_ error: DwarfReadError, path: String) {
    let section: DwarfSectionName
    let offset: UInt64
    var detail = ""
    switch error {
    case .unitLimit(let limit, _):
      self.init(path: path, kind: .exceedsLimit(.units, value: limit))
      return
    case .missingSection(let name):
      (section, offset, detail) = (name, 0, "there is no such section")
    case .malformed(let name, let place): (section, offset) = (name, place)
    case .unreadable(let name, let error):
      (section, offset, detail) = (name, 0, "\(error)")
    case .unsupportedVersion(let version, let unit):
      (section, offset, detail) = (.info, unit, "DWARF version \(version)")
    case .libdwarf(_, let message, let unit): (section, offset, detail) = (.info, unit, message)
    case .libdwarfMismatch(let version):
      (section, offset, detail) = (
        .info, 0, "the libdwarf that is loaded (\(version)) is not the one this was built for"
      )
    case .unsupportedLineTableVersion(let version, let table):
      (section, offset, detail) = (.line, table, "line table version \(version)")
    case .splitUnitNotFound(let name, let identifier):
      (section, offset) = (.info, 0)
      detail =
        "no split unit \(identifier.hexadecimal) in \(name ?? "the package of split units")"
    case .endlessReferences(let place):
      (section, offset, detail) = (.info, place, "references without end")
    case .decodingLimit(let name):
      (section, offset, detail) = (name, 0, "too much of it is shared, or lies in each other")
    case .tooManyUnits(let address):
      (section, offset) = (.info, 0)
      detail = "too many units claim the address \(address.hexadecimal)"
    }
    self.init(
      path: path,
      kind: .unreadableDebugInformation(section: section.rawValue, offset: offset, detail: detail))
  }
}
