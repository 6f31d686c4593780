import TestSupport
import Testing

@testable import Archives
import BinaryInput

/// Archives that other programs make in a folder of the test's own.
struct Archiver {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func path(_ name: String) -> String { directory.path(name) }

  /// Runs a program in the folder; fails if it does.
  func run(_ program: String, _ arguments: [String]) async throws {
    let path = try require(Program.path(of: program), "\(program) is not installed")
    let result = try await Program.run(path, arguments, workingDirectory: directory.path)
    expectEqual(result.status, 0, "\(program): \(result.standardError)")
  }

  func python(_ script: String) async throws { try await run("python3", ["-c", script]) }

  func open(_ name: String, limits: ArchiveLimits = ArchiveLimits()) throws -> ArchiveFile {
    try require(ArchiveFile.open(path: path(name), limits: limits))
  }
}

extension ArchiveFile {
  /// What a visit finds: the members, their first bytes, and what is wrong.
  func visit(headSize: Int = 4) -> (
    members: [ArchiveMember], heads: [String: [UInt8]], faults: [ArchiveError]
  ) {
    var members: [ArchiveMember] = []
    var heads: [String: [UInt8]] = [:]
    let faults = visitMembers { (head) throws(ArchiveError) in
      members.append(head.member)
      heads[head.member.name] = try head.bytes(at: 0, count: headSize).bytes
    }
    return (members, heads, faults)
  }

  func member(_ name: String) throws -> ArchiveMember {
    try require(visit().members.first { $0.name == name })
  }
}
