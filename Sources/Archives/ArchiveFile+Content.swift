package import BinaryInput
import SymbolicationModel

extension ArchiveFile {
  /// Called while a member is unpacked, with the bytes that are done, and all of them.
  package typealias Progress = @Sendable (_ done: UInt64, _ total: UInt64) -> Void

  /// The bytes of a member that `visitMembers` found.
  ///
  /// A member that is stored uncompressed is a part of the mapped archive: nothing is copied, and
  /// its checksum is not compared. Any other is unpacked into `cache`, where the next call and
  /// other processes find it; without a cache, or if that cannot be written, to memory, which needs
  /// no place that is writable.
  ///
  /// Cost: nothing is read if the member is in the cache. Otherwise the headers of the members
  /// before it are read, of a compressed tar archive everything before it.
  package func content(
    of member: ArchiveMember, cache: ArchiveCache?, progress: Progress? = nil
  ) throws(ArchiveError) -> ByteRegion {
    guard isUnchanged else { throw error(.changedMeanwhile) }
    let limit = newBudget.limit
    guard member.size <= limit else {
      throw error(
        .implausibleSize(archiveSize: UInt64(bytes.count), limit: limit), in: member.name)
    }
    if let offset = member.offset {
      guard let region = try? bytes.subregion(offset: offset, count: member.size) else {
        throw error(.changedMeanwhile, in: member.name)
      }
      return region
    }
    let fileName = cacheKey.map { ArchiveCache.memberName(key: $0, index: member.index) }
    if let cache, let fileName {
      if let known = cache.content(of: fileName, size: member.size) { return known }
      var failure: ArchiveError?
      let stored = cache.store(fileName) { (write) throws(CacheWriteFailure) in
        do throws(ArchiveError) {
          try unpack(member, progress: progress, to: write)
        } catch {
          failure = error
          throw CacheWriteFailure()
        }
      }
      if let failure { throw failure }
      if stored, let region = cache.content(of: fileName, size: member.size) { return region }
    }
    return try unpackToMemory(member, progress: progress)
  }

  /// The bytes of the last of `members`; those before it are archives, each a member of the one
  /// before.
  package func content(
    of members: [ArchiveMember], cache: ArchiveCache?, progress: Progress? = nil
  ) throws(ArchiveError) -> ByteRegion {
    var archive = self
    var content = bytes
    for (depth, member) in members.enumerated() {
      if depth > 0 {
        guard let inner = archive.archive(in: members[depth - 1], content: content) else {
          throw archive.error(.changedMeanwhile, in: members[depth - 1].name)
        }
        archive = inner
      }
      content = try archive.content(of: member, cache: cache, progress: progress)
    }
    return content
  }

  private func unpackToMemory(
    _ member: ArchiveMember, progress: Progress?
  ) throws(ArchiveError) -> ByteRegion {
    guard member.size <= limits.memory, let capacity = Int(exactly: member.size) else {
      throw error(.tooLargeForMemory(size: member.size, limit: limits.memory), in: member.name)
    }
    let region = try ByteRegion(unpackedSize: capacity) { (write) throws(ArchiveError) in
      try unpack(member, progress: progress, to: write)
    }
    guard let region else { throw error(.outOfMemory(size: member.size), in: member.name) }
    return region
  }

  /// Hands over the bytes of `member` in order, exactly as many as the archive states.
  ///
  /// - Parameter write: returns false if the rest is not wanted.
  private func unpack(
    _ member: ArchiveMember, progress: Progress?, to write: (RawSpan) -> Bool
  ) throws(ArchiveError) {
    try Utf8Locale.perform { () throws(ArchiveError) in
      let pass = try ArchivePass(
        bytes, path: path, kind: kind, limits: limits, budget: newBudget, checksCrc: true)
      var header: ArchivePass.Header?
      repeat { header = try next(in: pass) } while header.map { $0.index < member.index } == true
      guard let header, header.name == member.name, header.size == member.size else {
        throw error(.changedMeanwhile, in: member.name)
      }
      var unpacking = MemberUnpacking(size: member.size)
      let isWhole = try pass.unpackRest(with: &unpacking, to: write) { done in
        progress?(done, member.size)
      }
      guard isWhole else { return }
      guard isUnchanged else { throw error(.changedMeanwhile) }
    }
  }

  /// The next member, past those that cannot be read.
  private func next(in pass: ArchivePass) throws(ArchiveError) -> ArchivePass.Header? {
    while true {
      do throws(ArchiveError) {
        return try pass.next()
      } catch  where !pass.isDead {
        continue
      }
    }
  }
}

/// The bytes that were to be written do not come.
struct CacheWriteFailure: Error {}
