import FileSystem
import Glibc
import SystemPackage

/// Reads lines of source files, whose paths come from symbol files: regular files alone, of text,
/// and not without limit. Devices and pipes are not even opened.
struct SourceFileReader {
  static let maximumFileSize = 16 << 20
  /// In bytes of UTF-8; longer lines are cut.
  static let maximumLineLength = 400

  private let context: SourceContext
  /// The folders that sources may lie in, absolute and without links.
  private let roots: [String]
  private let totalLimit: Int
  private var bytesLeft: Int

  /// - Parameter totalLimit: how many bytes may be read, of all files together.
  init(_ context: SourceContext, totalLimit: Int = 256 << 20) {
    self.context = context
    self.totalLimit = totalLimit
    self.bytesLeft = totalLimit
    self.roots = context.roots.compactMap { FileLinks.realPath(of: $0) }
  }

  /// The lines around each of `lines`; those that the file does not have are missing. The file is
  /// read once.
  ///
  /// - Parameters:
  ///   - path: relative to the folders of the context, or without those to the working directory.
  ///   - lines: numbers from 1, ascending.
  mutating func excerpts(
    of path: String, around lines: [Int]
  ) throws(SourceFileFault) -> [Int: SourceExcerpt] {
    let bytes = try content(of: try place(of: path))
    var texts = LineCutter(bytes)
    var wanted: [Int: String] = [:]
    var excerpts: [Int: SourceExcerpt] = [:]
    let reach = context.lineCount
    // Each line is cut out once, however many excerpts it is in.
    for line in lines {
      texts.cut((line - min(reach, line - 1))...(line + reach), into: &wanted)
    }
    for line in lines where wanted[line] != nil {
      let first = line - min(reach, line - 1)
      excerpts[line] = SourceExcerpt(
        firstLine: first, line: line,
        lines: (first...(line + reach)).prefix { wanted[$0] != nil }.compactMap { wanted[$0] })
    }
    return excerpts
  }

  // MARK: Files

  private func place(of path: String) throws(SourceFileFault) -> String {
    guard !context.roots.isEmpty else { return path }
    var fault = SourceFileFault.missing
    for candidate in path.isAbsolutePath ? [path] : roots.map({ $0.appendingPath(path) }) {
      guard let real = FileLinks.realPath(of: candidate) else { continue }
      if roots.contains(where: { real.isInFolder($0) }) { return real }
      fault = .outsideRoots
    }
    throw fault
  }

  /// All bytes that a file says it has: those of `/proc` say none, and some of them are endless.
  private mutating func content(of path: String) throws(SourceFileFault) -> [UInt8] {
    do {
      _ = try Self.size(FileStatus(path: path))
      let file = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      // It may have become another one since.
      let size = try Self.size(FileStatus(file, path: path))
      guard size <= bytesLeft else {
        throw SourceFileFault.beyondLimit(limit: totalLimit)
      }
      bytesLeft -= size
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<size])
          let read = try unsafe file.read(into: rest)
          if read == 0 { break }
          count += read
        }
      }
      guard !bytes.contains(0) else { throw SourceFileFault.noText }
      return bytes
    } catch let fault as SourceFileFault {
      throw fault
    } catch let error as FileSystemError {
      throw SourceFileFault(error.errno.rawValue)
    } catch {
      throw SourceFileFault((error as? Errno)?.rawValue ?? EIO)
    }
  }

  private static func size(_ status: FileStatus) throws(SourceFileFault) -> Int {
    guard status.kind == .regularFile else { throw .noRegularFile }
    guard status.size <= maximumFileSize else { throw .tooLarge(limit: maximumFileSize) }
    return Int(status.size)
  }
}

extension SourceFileFault {
  fileprivate init(_ errno: Int32) {
    switch errno {
    case ENOENT, ENOTDIR, ENAMETOOLONG: self = .missing
    default: self = .unreadable(Errno(rawValue: errno))
    }
  }
}

extension String {
  /// - Parameter folder: absolute, and without a slash at its end but for the root.
  fileprivate func isInFolder(_ folder: String) -> Bool {
    utf8.starts(with: folder.utf8)
      && (folder == "/" || utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
  }
}

/// Cuts lines out of a text, from the first to the last.
private struct LineCutter {
  private let bytes: [UInt8]
  /// Where the next line begins, and its number.
  private var position = 0
  private var number = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// Puts the lines of a range that the text has, and that were not passed yet, into `lines`.
  mutating func cut(_ range: ClosedRange<Int>, into lines: inout [Int: String]) {
    while number <= range.upperBound, position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if number >= range.lowerBound { lines[number] = Self.text(of: bytes[position..<end]) }
      position = end + 1
      number += 1
    }
  }

  private static func text(of line: ArraySlice<UInt8>) -> String {
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    var end = ""
    if line.count > SourceFileReader.maximumLineLength {
      var count = SourceFileReader.maximumLineLength
      // Not within a character: what begins with the bits 10 goes on with one.
      while count > 0, line[line.startIndex + count] & 0xc0 == 0x80 { count -= 1 }
      line = line.prefix(count)
      end = "…"
    }
    let text = String(decoding: line, as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "\t")) else { return text.withoutControlCharacters + end }
    let parts = text.split(separator: "\t", omittingEmptySubsequences: false)
    return parts.map { String($0).withoutControlCharacters }.joined(separator: "\t") + end
  }
}
