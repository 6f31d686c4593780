import Archives
import BinaryInput
import ObjectFiles
import SymbolicationModel

func exerciseArchive(_ bytes: [UInt8]) throws(Violation) {
  var limits = ArchiveLimits()
  limits.memberCount = 1000
  limits.smallestUnpackedSize = 1 << 20
  limits.memory = 4 << 20
  limits.scratchFolders = []
  guard let archive = ArchiveFile(ByteRegion(copying: bytes), path: "input", limits: limits) else {
    return
  }
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
