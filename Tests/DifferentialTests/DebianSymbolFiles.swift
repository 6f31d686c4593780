import Foundation
import TestSupport

/// Symbol files from Debian packages: large, in DWARF 5, compiled by GCC with full optimisation.
struct DebianSymbolFiles {
  let tools: LlvmTools
  private let packageManager: String

  /// Nil if there is no dpkg.
  init?(_ tools: LlvmTools) {
    guard let path = Program.path(of: "dpkg-query") else { return nil }
    self.tools = tools
    self.packageManager = path
  }

  /// The debug files of the installed C library and its companions (`libc6-dbg`), found by
  /// build-id.
  func ofCLibrary() async throws -> [SymbolFile] {
    var files: [SymbolFile] = []
    var seen: Set<String> = []
    for path in try await contents(of: "libc6")
    where path.contains(".so") && !path.contains("gconv/") {
      guard let identifier = try await tools.buildId(of: path), seen.insert(identifier).inserted
      else { continue }
      let debugFile =
        "/usr/lib/debug/.build-id/\(identifier.prefix(2))/\(identifier.dropFirst(2)).debug"
      guard FileManager.default.fileExists(atPath: debugFile) else { continue }
      let name = URL(fileURLWithPath: path).lastPathComponent
      files.append(SymbolFile(path: debugFile, description: "libc6-dbg \(name)"))
    }
    return files
  }

  /// The large files of the Python 3 debug package, in any version: the debug build of the
  /// interpreter, and the debug files of the build with profiles and link-time optimisation.
  func ofPython() async throws -> [SymbolFile] {
    let names = try await Program.run(
      packageManager, ["--show", "--showformat", "${binary:Package}\n", "python3.*-dbg"])
    var files: [SymbolFile] = []
    for name in names.outputText.split(separator: "\n")
    where name.hasPrefix("python3.") && !name.contains("lib") {
      for path in try await contents(of: String(name)) {
        let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [
          .isRegularFileKey, .fileSizeKey,
        ])
        guard values?.isRegularFile == true, values?.fileSize ?? 0 > 1 << 20 else { continue }
        files += SymbolFileDiscovery.symbolFile(path, name: "\(name) \(shortName(of: path))")
      }
    }
    return files
  }

  /// The files of an installed package; none if it is not installed.
  private func contents(of package: String) async throws -> [String] {
    let result = try await Program.run(packageManager, ["--listfiles", package])
    return result.outputText.split(separator: "\n").map(String.init)
  }

  /// Debug files are named by build-id.
  private func shortName(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    guard url.pathExtension == "debug" else { return url.lastPathComponent }
    return (url.deletingLastPathComponent().lastPathComponent + url.lastPathComponent).prefix(8)
      + "….debug"
  }
}
