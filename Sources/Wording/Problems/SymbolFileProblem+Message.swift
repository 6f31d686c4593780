package import SymbolicationModel
import SystemPackage

extension SymbolFileProblem {
  /// One sentence: which file, what was found, what was expected, what to try.
  package var message: String { message(limitSetting: .option) }

  /// - Parameter limitSetting: how the user can raise a limit.
  package func message(limitSetting: LimitSetting) -> String {
    let shownPath = architecture.map { "\(path) (\($0))" } ?? path
    // What was learnt from reports was copied from nowhere.
    let renewal =
      path.hasSuffix(".learnt") ? "run 'symbolicate index --learn' again" : "copy it again"
    return kind.message(path: shownPath, renewal: renewal, limitSetting: limitSetting)
  }
}

extension SymbolFileProblem.Kind {
  /// - Parameters:
  ///   - path: what to call the file.
  ///   - renewal: what to do with a damaged file.
  ///   - limitSetting: how the user can raise a limit.
  package func message(
    path: String, renewal: String, limitSetting: LimitSetting = .option
  ) -> String {
    switch self {
    case .inaccessible(Errno.fileTooLarge.rawValue, .read):
      return
        "cannot read \(path): it is a pipe or a device, and has more than 1 GiB; give a file"
    case .inaccessible(let errno, let operation):
      return "cannot \(operation.verb) \(path): \(Errno(rawValue: errno))"
    case .empty:
      return "\(path) is empty; expected a Mach-O or ELF file"
    case .notASymbolFile(let bytes) where Self.isArchive(bytes, path: path):
      return
        "\(path) is an archive, and not a symbol file; unpack it and give the dSYM, DWARF file, executable or ELF file that is in it"
    case .notASymbolFile(let bytes):
      return
        "\(path) is \(FileNature(bytes, path: path).text), not a symbol file; give a dSYM, a DWARF file, an executable or an ELF file"
    case .truncated(let structure, let offset, let wanted, let available):
      return
        "\(path) is cut short or damaged: \(structure) at offset \(offset) should have \(wanted) bytes, but the file has only \(available); \(renewal)"
    case .malformed(let structure, let value, let expected):
      let expectation = expected.map { ", only \($0.text)" } ?? ""
      return
        "\(path) is damaged: its \(structure) cannot be \(value) (\(value.hexadecimal))\(expectation); \(renewal)"
    case .damaged(let structure, let offset):
      return
        "\(path) is damaged: its \(structure) cannot be decoded from byte \(offset) on; \(renewal)"
    case .namesOutsideStringTable(let structure, let count, let first):
      return
        "\(path) is damaged: \(count) names in its \(structure) are outside the string table, first that of entry \(first); \(renewal)"
    case .overlappingSlice(let index):
      return "\(path) is damaged: its slice \(index) shares bytes with an earlier one; \(renewal)"
    case .noUsableSlice(let slices):
      let reasons = slices.map(\.message).joined(separator: "; ")
      return "\(path) has no usable slice: \(reasons.isEmpty ? "there is none" : reasons)"
    case .refusedByLibelf(let code):
      return "\(path) is damaged: libelf cannot read it (its error \(code)); \(renewal)"
    case .unsupported(let structure, let value):
      return
        "\(path) is not supported: its \(structure) is \(value?.hexadecimal ?? "not stated")"
    case .unsupportedIndexVersion(let version):
      return
        "\(path) is a GSYM index of version \(version), but only versions 1 and 2 are supported; build it again with 'symbolicate index' or llvm-gsymutil, or give the dSYM or ELF file"
    case .assumedLinkBase(let address):
      return
        "\(path) does not say where its image starts, so \(address.value.hexadecimal) is assumed; if the answers are wrong, give the dSYM or ELF file, or an index from 'symbolicate index'"
    case .exceedsLimit(.searchedFiles, let value):
      return
        "\(path) holds more than \(ResourceLimit.searchedFiles.shown(value)); the others were not looked at; give a smaller directory; \(ResourceLimit.searchedFiles.remedy(from: value, by: limitSetting))"
    case .exceedsLimit(let limit, let value):
      return
        "\(path) has more than \(limit.shown(value)); the others are not read; \(limit.remedy(from: value, by: limitSetting))"
    case .damagedCompression(let section, .tooLarge(let promised, let value)):
      let limit: ResourceLimit =
        section == ".gnu_debugdata" ? .miniDebugInfoSize : .sectionSize
      return
        "\(path): section \(section) is not used: it takes \(promised) bytes when it is decompressed, and the limit is \(limit.shown(value)); \(limit.remedy(from: value, by: limitSetting))"
    case .damagedCompression(let section, let error):
      return
        "\(path) is damaged: its section \(section) cannot be decompressed: \(error.text); \(renewal)"
    case .mislabelledSlice(let stated, let found):
      return
        "\(path): the header of the fat file calls a slice \(stated), but it is \(found) and is used as that"
    case .needsRelocation(let structure):
      return
        "\(path) is not linked yet, so \(structure) means nothing in it; give the linked file or its dSYM"
    case .missingSegment(let name):
      return
        "\(path) has no \(name.map { "segment \($0)" } ?? "segment"), so a load address cannot be used with it"
    case .missingArchitecture(let wanted, let found):
      let names = found.map(\.name).joined(separator: ", ")
      return "\(path) has no \(wanted) slice; it has \(names.isEmpty ? "none" : names)"
    case .emptyBundle:
      return "\(path) has no DWARF file in Contents/Resources/DWARF; export the dSYM again"
    case .directory:
      return "\(path) is a directory; give a dSYM or the file in it"
    case .specialFile:
      return "\(path) is a pipe, a device or a socket; expected a file"
    case .otherImage(let found, let expected):
      return
        "\(path) is not used: it lies where the symbols of \(expected) should be, but it \(found.map { "is \($0)" } ?? "has no UUID or build-id")"
    case .ambiguousIdentity(let identity, let other):
      return
        "\(path) and \(other) both are \(identity), but their debug information differs; the first is used"
    case .unusableDebugFile(let search):
      return search.message(for: path)
    case .unusableDebugMapObjects(let searches, let count):
      return searches.message(count: count, for: path)
    case .unusableIndex(let refusal):
      return refusal.message(path: path)
    case .hiddenNames(let finding):
      return finding.message(path: path)
    case .unusablePropertyList(let refusal):
      return refusal.message(path: path)
    case .unusableArchive(let fault):
      return fault.message(path: path)
    case .noSymbolFiles:
      return "no Mach-O or ELF file was found in \(path) or below it"
    case .noSymbols:
      return
        "\(path) has neither debug information nor symbols; give the dSYM or the debug file of that build"
    case .notIndexed:
      return
        "\(path) gets no index, because indexes are made from dSYMs, Mach-O and ELF files; give it with -d as it is"
    case .partOfSharedCache:
      let main = Self.mainFile(ofCacheWith: path).map { ", \($0)," } ?? ", without the suffix,"
      return
        "\(path) is a part of a dyld shared cache and lists no libraries; give the main file\(main) with this one beside it"
    case .archivedSystem:
      return
        "\(path): the libraries of a system are not read in an archive; unpack it, and give the main file of the dyld shared cache with the others beside it, or the folder"
    case .severalLibraries(let count):
      return
        "\(path) is a dyld shared cache with \(count) libraries, and the addresses are relative to one; give the index of that library, which 'symbolicate index --system' makes, or addresses in the cache, with its slide (-s)"
    case .unreadableDebugInformation(let section, let offset, let detail):
      let detail = detail.isEmpty ? "" : ": \(detail)"
      return
        "\(path): skipped debug information that cannot be read, in \(section) at \(offset.hexadecimal)\(detail)"
    }
  }

  /// The path of the main file beside a part (`X.01`, `X.1`, `X.symbols`); nil for another name.
  private static func mainFile(ofCacheWith part: String) -> String? {
    guard let dot = part.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let suffix = part[part.utf8.index(after: dot)...]
    let isPart =
      suffix == "symbols"
      || (!suffix.isEmpty && suffix.utf8.allSatisfy { (0x30...0x39).contains($0) })
    return isPart ? String(part[..<dot]) : nil
  }

  /// Whether a file that begins so is a zip archive or compressed. Only the name shows so early
  /// that it is a tar archive.
  private static func isArchive(_ bytes: [UInt8], path: String) -> Bool {
    let starts: [[UInt8]] = [
      [0x50, 0x4b, 3, 4], [0x1f, 0x8b, 8], [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
      [0x28, 0xb5, 0x2f, 0xfd],
    ]
    return starts.contains { bytes.starts(with: $0) } || path.hasSuffix(".tar")
  }

}

extension SymbolFileProblem.FileOperation {
  fileprivate var verb: String {
    switch self {
    case .open, .inspect, .read: "read"
    case .map: "map"
    }
  }
}

extension SymbolFileProblem.Bound {
  fileprivate var text: String {
    switch self {
    case .exactly(let value): "\(value)"
    case .atLeast(let value): "\(value) or more"
    case .atMost(let value): "up to \(value)"
    case .below(let value): "less than \(value)"
    }
  }
}

extension DecompressionError {
  package var text: String {
    switch self {
    case .tooLarge(let promised, let limit):
      "its \(promised) bytes are more than the \(limit) that are read"
    case .implausible(let promised, let compressed, let atMost):
      "its \(compressed) bytes state that they hold \(promised), and at most \(atMost) are plausible"
    case .outputTooShort(let promised, let actual):
      "it holds \(actual) bytes instead of the \(promised) that it states"
    case .outputTooLong(let promised): "it holds more than the \(promised) bytes that it states"
    case .truncated: "it is cut short"
    case .wrongChecksum: "its checksum is wrong"
    case .trailingBytes(let count): "\(count) bytes follow its end"
    case .damaged(let method, let code): "\(method) reports error \(code)"
    case .outOfMemory(let size): "there is no memory for \(size) bytes"
    }
  }
}

extension ArchiveFault {
  /// One sentence: which archive or member, what was found, what was expected, what to try.
  package func message(path: String) -> String {
    switch self {
    case .missingDirectory:
      return
        "\(path) is cut short: it begins like a zip archive, but the list of its files, which should be at its end, is missing; copy or download it again"
    case .notATarArchive(let compression):
      return
        "\(path) is compressed with \(compression), but does not hold a tar archive; decompress it with '\(Self.decompressor(compression)) -dk' and give the result"
    case .wrongChecksum:
      return
        "\(path) is damaged: its checksum is wrong, so nothing in it is used; copy or download the archive again"
    case .damaged(let detail):
      let detail = detail.isEmpty ? "" : ": \(detail)"
      return "\(path) is damaged or cut short\(detail); copy or download the archive again"
    case .encrypted(let first, let count):
      let files = count == 1 ? "1 encrypted file" : "\(count) encrypted files, first"
      return
        "\(path): skipped \(files) \(first); unpack the archive with its password and give the directory"
    case .tooManyMembers(let limit):
      return
        "\(path) has more than \(limit) files, and the others are not read; unpack it and give the directory"
    case .tooManyPasses(let limit):
      return
        "\(path) is not read further: it does not say where its files begin, and \(limit) of them were looked for from its start; unpack it and give the directory"
    case .tooLongNames(let length, let limit, let count):
      let files = counted(count, "file")
      return
        "\(path): skipped \(files) with names longer than \(limit) bytes, the first of \(length) bytes"
    case .wrongSize(let stated, let found):
      return
        "\(path) is damaged: the archive says that it has \(stated) bytes, but it has \(found)\(found > stated ? " or more" : ""); copy or download the archive again"
    case .implausibleSize(let archiveSize, let limit):
      return
        "\(path) is not unpacked further: of an archive of \(archiveSize) bytes, at most \(ByteSize.text(limit)) are unpacked, and it has more; if you trust it, unpack it and give the directory; \(ResourceLimit.unpackedSize.remedy(from: limit))"
    case .unpackedTooMuch(let archiveSize, let limit):
      return
        "\(path) is not unpacked further: of all archives of a run, which have \(archiveSize) bytes, at most \(ByteSize.text(limit)) are unpacked, and there is more in them; if you trust it, unpack it and give the directory; \(ResourceLimit.unpackedSize.remedy(from: limit))"
    case .changedMeanwhile:
      return "\(path) was changed while it was read; try again when it is complete"
    case .nestedTooDeeply:
      return
        "\(path) is an archive in an archive in an archive and is not read; unpack the outer one and give the directory"
    case .tooLargeForMemory(let size, let limit):
      return
        "\(path) has \(size) bytes, the limit for memory is \(ByteSize.text(limit)), and neither the cache nor a temporary file has room; set XDG_CACHE_HOME or TMPDIR to a directory with room, or unpack the archive and give the directory; \(ResourceLimit.memberSize.remedy(from: limit))"
    case .outOfMemory(let size):
      return
        "there is no memory for the \(size) bytes of \(path), and neither the cache nor a temporary file has room; set XDG_CACHE_HOME or TMPDIR to a directory with room, or unpack the archive and give the directory"
    }
  }

  /// The program that decompresses: that of gzip, xz and zstd has the name of the format.
  private static func decompressor(_ compression: String) -> String { compression }
}

extension IndexRefusal {
  /// One sentence: why the index at `path` is not used, and what to do.
  package func message(path: String) -> String { "ignoring the index \(path): \(reason)" }

  /// The same sentence without its subject.
  package var reason: String {
    let rebuild = "run 'symbolicate index' again"
    return switch self {
    case .unreadable(let kind): withoutHeading(kind.message(path: "it", renewal: rebuild))
    case .foreign:
      "it is cut short, or 'symbolicate index' did not write it; remove it, or \(rebuild)"
    case .otherImage(let found?): "it is from a different image, with the UUID or build-id \(found)"
    case .otherImage(nil): "it is from a different image, without a UUID or build-id"
    case .otherArchitecture(let found): "it is from a different slice, \(found)"
    case .stale(let source):
      "it was built from \(source), which has changed since or is a different file; \(rebuild)"
    case .otherOwner(let path, let user):
      "\(path) belongs to the user with the number \(user), who could have put anything there; remove it, or name another directory"
    case .writableByOthers(let path, let permissions):
      "other users may write to \(path) (mode \(octal(permissions))); if you trust its contents, run 'chmod go-w' on it"
    }
  }

  /// Messages of some kinds name the path before their sentence, and not in it.
  private func withoutHeading(_ message: String) -> String {
    message.hasPrefix("it: ") ? String(message.dropFirst("it: ".count)) : message
  }

  private func octal(_ permissions: UInt32) -> String {
    "0" + String(permissions & 0o7777, radix: 8)
  }
}

extension SymbolMapFinding {
  /// One sentence: which file has hidden names, why they stay hidden, and what to do.
  ///
  /// - Parameter path: that of the symbol file.
  package func message(path: String) -> String {
    switch self {
    case .absent(let name):
      "\(path) hides its names (__hidden#…_), as builds with bitcode do; put BCSymbolMaps/\(name) of the archive beside the dSYM"
    case .unusable(let map, let refusal):
      "\(path) hides its names (__hidden#…_), and \(map) cannot replace them: \(refusal.text); give the file of the archive"
    case .missingName(let map, let number, let count):
      "\(path) hides its names (__hidden#…_), and \(map) does not belong to it: it has \(count) names, but name \(number) is needed; give the file of the same archive"
    }
  }
}

extension SymbolMapRefusal {
  package var text: String {
    switch self {
    case .inaccessible(let errno): "\(Errno(rawValue: errno))"
    case .noHeader(let bytes):
      "it begins with \(bytes.prefix(8).map { $0.hexadecimalDigits(count: 2) }.joined(separator: " ")) and not with 'BCSymbolMap Version: 2.0'"
    case .unsupportedVersion(let version):
      "it has version '\(version.withoutControlCharacters)', but only 1.0 and 2.0 are supported"
    case .tooLarge(let byteCount, let limit):
      "it has \(byteCount) bytes, but at most \(limit) are read"
    }
  }
}

extension PropertyListRefusal {
  /// One sentence.
  ///
  /// - Parameter path: that of the property list.
  package func message(path: String) -> String {
    let reason =
      switch self {
      case .inaccessible(let errno): "cannot read \(path): \(Errno(rawValue: errno))"
      case .damaged(let offset):
        "\(path) is damaged: it is not a property list from byte \(offset) on"
      }
    return reason + "; paths of source files are shown without its mappings"
  }
}
