import BinaryInput
import Decompression
import SymbolicationModel
import Synchronization

extension ArchiveFile {
  /// How many members that cannot be read are reported one by one, and how often a zip archive is
  /// begun again after one that libarchive does not go on after.
  private static let reportedFaults = 10

  /// Calls `body` with each member that is a file and not empty, in the order of the archive, and
  /// with its first bytes. Attributes that macOS keeps in `__MACOSX` and `._X` are skipped.
  ///
  /// The archive is read once, from its start to its end; nothing is written. Of each compressed
  /// member of a zip archive, only the first quarter of a megabyte is decompressed; a compressed
  /// tar archive is decompressed whole.
  ///
  /// What is decompressed counts: more than the archive's budget ends the visit.
  ///
  /// libarchive does not compare the checksum at the end of gzip data. So a `.tar.gz` is
  /// decompressed once before, and no member of one with a wrong checksum is visited: nobody knows
  /// which of them are as they were.
  ///
  /// - Parameter checksCrc: whether the checksum of a zip member is compared when it is read to its
  ///   end.
  /// - Returns: what could not be read. After damage that ends the archive, the members before it
  ///   have been visited. Damage in members of a zip archive does not end it.
  package func visitMembers(
    checksCrc: Bool = false, _ body: (MemberHead) throws(ArchiveError) -> Void
  ) -> [ArchiveError] {
    // libarchive does not recognise a zip archive that has nothing but its end record.
    if kind == .zip, bytes.holds([0x50, 0x4b, 5, 6], at: 0) { return [] }
    if hasWrongChecksum() { return [error(.wrongChecksum)] }
    var faults: [ArchiveError] = []
    var encrypted: (first: String, count: Int)?
    var tooLong: (first: String, count: Int)?
    Utf8Locale.perform {
      var pass: ArchivePass?
      var restarts = 0
      // The place of the last member that was met, and whether `body` has it.
      var last = -1
      var isVisiting = false
      repeat {
        do throws(ArchiveError) {
          let reading: ArchivePass
          if let pass {
            reading = pass
          } else {
            reading = try ArchivePass(
              bytes, path: path, kind: kind, limits: limits, budget: budget,
              checksCrc: checksCrc)
            pass = reading
          }
          while let header = try reading.next() {
            guard header.index > last else { continue }
            last = header.index
            if header.isEncrypted {
              encrypted = (encrypted?.first ?? header.name, (encrypted?.count ?? 0) + 1)
            } else if header.name.utf8.count > limits.nameLength {
              tooLong = (tooLong?.first ?? header.name, (tooLong?.count ?? 0) + 1)
            } else if header.isFile, header.size > 0, !ArchiveMember.isAppleDouble(header.name) {
              isVisiting = true
              try body(MemberHead(header, in: reading, of: self))
              isVisiting = false
            }
          }
          return
        } catch {
          let isEnd = pass?.isDead != false
          if faults.count < Self.reportedFaults || isEnd, !faults.contains(error) {
            faults.append(error)
          }
          let mayBeginAgain =
            kind == .zip && isVisiting && error.isDamage && restarts < Self.reportedFaults
          isVisiting = false
          guard !isEnd || mayBeginAgain else { return }
          if isEnd {
            restarts += 1
            pass = nil
          }
        }
      } while true
    }
    if let encrypted {
      faults.append(error(.encrypted(first: encrypted.first, count: encrypted.count)))
    }
    if let tooLong {
      faults.append(
        error(
          .tooLongNames(
            length: tooLong.first.utf8.count, limit: limits.nameLength, count: tooLong.count)))
    }
    if !isUnchanged { faults.append(error(.changedMeanwhile)) }
    return faults
  }

  /// Found out once, however often the members are visited. Other damage is met when they are read.
  private func hasWrongChecksum() -> Bool {
    guard kind == .compressed(.gzip) else { return false }
    return wrongChecksum.withLock { known in
      let isWrong = known ?? comparesChecksumInVain()
      known = isWrong
      return isWrong
    }
  }

  private func comparesChecksumInVain() -> Bool {
    bytes.withRawSpan { span in
      do throws(DecompressionError) {
        try unsafe CompressedFile.gzip.inflate(span, limit: .max) { piece in
          (try? budget.take(UInt64(piece.count))) != nil
        }
        return false
      } catch {
        return error == .wrongChecksum
      }
    }
  }
}
