import AddressResolver
import FileSystem
import PropertyLists
import ReportSymbolication
import SymbolStore
package import SymbolicationModel
import SystemPackage
package import Wording

/// Finds dSYMs for LLDB, as Apple's `dsymForUUID` does: UUIDs in, a property list out.
///
/// LLDB runs the program that `LLDB_APPLE_DSYMFORUUID_EXECUTABLE` or `DBGShellCommands` names, with
/// a UUID or the path of a program, and reads these keys of its output
/// (`SymbolLocatorDebugSymbols.cpp`).
package struct DsymForUuid {
  private let store: SymbolStore

  /// - Parameters:
  ///   - progress: as of `ReportJob`.
  ///   - downloadProgress: as of `ReportJob`.
  package init(
    _ places: SymbolPlaces, progress: (@Sendable (Int?) -> Void)? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    // What was learnt from reports is no dSYM.
    var places = places
    places.usesIndexes = false
    store = SymbolStore(
      forUser: places, progress: progress, downloadProgress: downloadProgress)
  }

  /// The answers for all arguments as one property list in XML. UUIDs may be written in any way
  /// that `WrittenIdentity` reads. Anything else is the path of a program.
  package func answer(for arguments: [String]) -> String {
    var answers: [String: PropertyList] = [:]
    for argument in arguments {
      for (key, answer) in self.answers(for: argument) where answers[key] == nil {
        answers[key] = .dictionary(answer)
      }
    }
    return PropertyList.dictionary(answers).xml
  }

  /// What is wrong with the places where symbol files are looked for, a sentence each.
  package var problems: [Message] {
    (store.problems + store.searchProblems).map(\.searchMessage)
      + store.serverProblems.map { .warning($0.message) }
  }

  private func answers(for argument: String) -> [String: [String: PropertyList]] {
    let lookup = DsymLookup(store)
    if let written = WrittenIdentity(argument) {
      let finding = written.candidates.lazy.compactMap { lookup.find($0) }.first
      let answer =
        finding.map(Self.answer) ?? Self.error(DsymForUuidMessages.nothingFound(written.identity))
      return [Self.key(of: written.identity): answer]
    }
    do {
      var answers: [String: [String: PropertyList]] = [:]
      for finding in try lookup.find(programAt: argument) {
        guard let identity = finding.identity else { continue }
        answers[Self.key(of: identity)] = Self.answer(finding)
      }
      guard answers.isEmpty else { return answers }
      return [argument: Self.error(DsymForUuidMessages.noIdentity(argument))]
    } catch {
      return [argument: Self.error(error.message)]
    }
  }

  private static func answer(_ finding: DsymLookup.Finding) -> [String: PropertyList] {
    var answer: [String: PropertyList] = [:]
    if finding.architecture != .unknown {
      answer["DBGArchitecture"] = .string(finding.architecture.name)
    }
    if let program = finding.program, let path = FileLinks.realPath(of: program) {
      answer["DBGSymbolRichExecutable"] = .string(path)
    }
    guard let debugFile = finding.debugFile else {
      return answer.merging(error(DsymForUuidMessages.noDebugInformation(finding.path))) { $1 }
    }
    do throws(FileSystemError) {
      // LLDB runs in another folder, and looks for `Contents/Resources` in the path.
      answer["DBGDSYMPath"] = .string(try FileLinks.resolvedPath(of: debugFile))
    } catch  where error.isAbsence {
      return answer.merging(Self.error(DsymForUuidMessages.inArchive(debugFile))) { $1 }
    } catch {
      let problem = SymbolFileProblem(
        path: debugFile, kind: .inaccessible(errno: error.errno.rawValue))
      return answer.merging(Self.error(problem.message)) { $1 }
    }
    // What LLDB reads of a dSYM's own property list.
    for key in ["DBGVersion", "DBGSourcePathRemapping", "DBGBuildSourcePath", "DBGSourcePath"] {
      if let value = finding.propertyList?.content[key] { answer[key] = value }
    }
    return answer
  }

  private static func error(_ message: String) -> [String: PropertyList] {
    ["DBGError": .string(message.withoutControlCharacters)]
  }

  /// The identity as LLDB writes it and looks it up in the output: upper case, with dashes, also if
  /// it is a build-id.
  private static func key(of identity: ImageIdentity) -> String {
    var text = ""
    for (index, byte) in identity.bytes.enumerated() {
      if [4, 6, 8, 10, 16].contains(index) { text.append("-") }
      text += byte.hexadecimalDigits(count: 2, uppercase: true)
    }
    return text
  }
}

/// What LLDB shows in place of a dSYM: a sentence each.
enum DsymForUuidMessages {
  static func nothingFound(_ identity: ImageIdentity) -> String {
    "no symbol file with UUID \(identity) was found; give the directory of your archives with -s"
  }

  static func noDebugInformation(_ path: String) -> String {
    "\(path) has this UUID but no debug information, and its dSYM was not found; give the directory of your archives with -s"
  }

  static func noIdentity(_ path: String) -> String {
    "\(path) has neither a UUID nor a build-id by which its dSYM could be found"
  }

  static func inArchive(_ path: String) -> String {
    "\(path) has this UUID, but LLDB reads no zip or tar archives; unpack the archive"
  }
}
