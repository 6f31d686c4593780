import Archives
import BinaryInput
import ObjectFiles
import SymbolicationModel
import SymbolStore
import Wording

func exerciseArchive(_ bytes: [UInt8]) throws(Violation) {
  var limits = ArchiveLimits()
  limits.memberCount = 1000
  limits.smallestUnpackedSize = 1 << 20
  limits.memory = 4 << 20
  limits.scratchFolders = []
  guard let archive = ArchiveFile(ByteRegion(copying: bytes), path: "input", limits: limits) else {
    return
  }
  try exerciseContents(bytes)
  var members: [ArchiveMember] = []
  var heads: [[UInt8]] = []
  let faults = archive.visitMembers { (head) throws(ArchiveError) in
    members.append(head.member)
    heads.append(try head.bytes(at: 0, count: 64).bytes)
    _ = try SymbolFileHead.read { (offset, count) throws(ArchiveError) in
      try head.bytes(at: offset, count: count)
    }
    _ = try head.whole()
  }
  for fault in faults { _ = SymbolFileProblem(fault) }
  try require(members.count <= limits.memberCount, "no more members than the limit")
  for (member, head) in zip(members, heads).prefix(16) {
    let content: ByteRegion
    do {
      content = try archive.content(of: member, cache: nil)
    } catch {
      continue
    }
    try require(UInt64(content.count) == member.size, "a member has the size that is stated")
    try require(content.prefix(64) == head, "a head is the start of its member")
  }
}

/// All files, as they are unpacked from an archive of reports.
private func exerciseContents(_ bytes: [UInt8]) throws(Violation) {
  var limits = ResourceLimits()
  limits.unpackedSize = 1 << 20
  let sizeLimit: UInt64 = 1 << 16
  let contents = ArchiveContents(
    ofArchive: bytes, path: "input", limits: limits, sizeLimit: sizeLimit
  ) { _, start in start.first != 0 }
  for file in contents.files {
    guard let content = file.bytes else {
      try require(file.size > sizeLimit, "only larger files are left out")
      continue
    }
    try require(UInt64(content.count) == file.size, "a file has the size that is stated")
  }
  for problem in contents.problems { _ = problem.message }
}
