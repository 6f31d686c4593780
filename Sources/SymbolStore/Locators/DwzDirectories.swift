import FileSystem
import ObjectFiles
import SymbolicationModel

/// The folders `.dwz` of the debug directories, where Debian and Fedora keep supplementary files. A
/// stated path counts from its last `.dwz` on.
struct DwzDirectories: PathLocator {
  let debugDirectories: [String]

  func paths(for request: SymbolFileRequest) -> [String] {
    guard case .supplementaryFile(let link) = request.wanted else { return [] }
    let components = link.path.split(separator: "/")
    guard let start = components.lastIndex(of: ".dwz") else { return [] }
    let rest = components[start...].joined(separator: "/")
    return debugDirectories.map { $0.appendingPath(rest) }
  }
}
