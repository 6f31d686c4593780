package import BinaryInput
import SymbolicationModel
import Synchronization

extension ArchiveFile {
  /// Called while a member is unpacked, with the bytes that are done, and all of them.
  package typealias Progress = @Sendable (_ done: UInt64, _ total: UInt64) -> Void

  /// The bytes of a member that `visitMembers` found.
  ///
  /// A member that is stored uncompressed is a part of the mapped archive: nothing is copied, and
  /// its checksum is not compared. Any other is unpacked into `cache`, where the next call and
  /// other processes find it; without a cache, or if it has no room, to memory or a temporary file
  /// (`UnpackedBytes`).
  ///
  /// Cost: nothing is read if the member is in the cache. Otherwise only the member is read, and
  /// before the first one of a zip archive its directory. If its place is not known (`passLimit`),
  /// the headers of the members before it are read, from the one that was unpacked last if that
  /// comes before it. The first call for a compressed tar archive decompresses all of it to a
  /// temporary file (`PlainTar`).
  package func content(
    of member: ArchiveMember, cache: ArchiveCache?, progress: Progress? = nil
  ) throws(ArchiveError) -> ByteRegion {
    guard isUnchanged else { throw error(.changedMeanwhile) }
    if let offset = member.offset {
      guard let region = try? bytes.subregion(offset: offset, count: member.size) else {
        throw error(.changedMeanwhile, in: member.name)
      }
      return region
    }
    let fileName = cacheKey.map { ArchiveCache.memberName(key: $0, index: member.index) }
    if let cache, let fileName, let known = cache.content(of: fileName, size: member.size) {
      return known
    }
    let plain = try plainMember(member)
    if plain == nil {
      do throws(ArchiveFault) {
        try budget.checkRoom(for: member.size)
      } catch {
        throw self.error(error, in: member.name)
      }
    }
    func unpack(to write: (RawSpan) -> Bool) throws(ArchiveError) {
      if let plain {
        _ = plain.withRawSpan { write($0) }
        progress?(member.size, member.size)
      } else {
        try self.unpack(member, progress: progress, to: write)
      }
    }
    if let cache, let fileName, cache.hasRoom(for: member.size) {
      var failure: ArchiveError?
      let stored = cache.store(fileName) { (write) throws(CacheWriteFailure) in
        do throws(ArchiveError) {
          try unpack(to: write)
        } catch {
          failure = error
          throw CacheWriteFailure()
        }
      }
      if let failure { throw failure }
      if stored, let region = cache.content(of: fileName, size: member.size) { return region }
    }
    if let plain { return plain }
    let place = UnpackedBytes(
      size: member.size, limits: limits, firstFolder: cache?.directory
    ) { self.error($0, in: member.name) }
    return try place.fill(unpack)
  }

  /// The bytes of the last of `members`; those before it are archives, each a member of the one
  /// before.
  package func content(
    of members: [ArchiveMember], cache: ArchiveCache?, progress: Progress? = nil
  ) throws(ArchiveError) -> ByteRegion {
    var archive = self
    for member in members.dropLast() {
      archive = try archive.innerArchive(member) { () throws(ArchiveError) in
        try archive.content(of: member, cache: cache, progress: progress)
      }
    }
    guard let member = members.last else { return bytes }
    return try archive.content(of: member, cache: cache, progress: progress)
  }

  /// Hands over the bytes of `member` in order, exactly as many as the archive states.
  ///
  /// - Parameter write: returns false if the rest is not wanted.
  private func unpack(
    _ member: ArchiveMember, progress: Progress?, to write: (RawSpan) -> Bool
  ) throws(ArchiveError) {
    try Utf8Locale.perform { () throws(ArchiveError) in
      let direct = try passAtStart(of: member)
      let pass = if let direct { direct } else { try pass(at: member) }
      var unpacking = MemberUnpacking(size: member.size, budget: budget)
      let isWhole = try pass.unpackRest(with: &unpacking, to: write) { done in
        progress?(done, member.size)
      }
      guard isWhole else { return }
      guard isUnchanged else { throw error(.changedMeanwhile) }
      if direct == nil { memberSearch.withLock { $0.lastPass = pass } }
    }
  }

  /// A pass that begins at a member of a zip archive, and has read its header; nil if the
  /// directory does not say where that is, or another member is there.
  private func passAtStart(of member: ArchiveMember) throws(ArchiveError) -> ArchivePass? {
    guard kind == .zip else { return nil }
    let start = memberSearch.withLock { search -> UInt64? in
      let starts = search.starts ?? ZipDirectory(bytes)?.starts ?? []
      search.starts = starts
      return starts.indices.contains(member.index) ? starts[member.index] : nil
    }
    guard let start, bytes.holds(Self.localHeader, at: start) else { return nil }
    let pass = try ArchivePass(
      bytes, path: path, kind: kind, limits: limits, budget: budget, checksCrc: true, start: start)
    // A size of 0 stands for one that is stated behind the content.
    guard let header = try? pass.next(), header.name == member.name,
      header.size == member.size || header.size == 0
    else { return nil }
    return pass
  }

  private static let localHeader: [UInt8] = [0x50, 0x4b, 3, 4]

  /// A pass that has read the header of `member`: the one that unpacked a member before it last, or
  /// a new one.
  private func pass(at member: ArchiveMember) throws(ArchiveError) -> ArchivePass {
    let pass = try pass(before: member.index)
    var header: ArchivePass.Header?
    repeat { header = try next(in: pass) } while header.map { $0.index < member.index } == true
    guard let header, header.name == member.name, header.size == member.size else {
      throw error(.changedMeanwhile, in: member.name)
    }
    return pass
  }

  private func pass(before index: Int) throws(ArchiveError) -> ArchivePass {
    let (last, count) = memberSearch.withLock { search in
      defer { search.lastPass = nil }
      return (search.lastPass, search.passCount)
    }
    if let pass = last, !pass.isDead, pass.nextIndex <= index { return pass }
    guard count < Self.passLimit else { throw error(.tooManyPasses(limit: Self.passLimit)) }
    memberSearch.withLock { $0.passCount += 1 }
    return try ArchivePass(
      bytes, path: path, kind: kind, limits: limits, budget: budget, checksCrc: true)
  }

  /// How often an archive is read from its start for the sake of one member. Only sparse members of
  /// a tar archive, and zip archives that contradict themselves, need it more than once.
  private static let passLimit = 100

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
