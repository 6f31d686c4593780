import FileSystem
import Platform
package import SystemPackage
import Wording

/// Reads lines of source files, whose paths come from symbol files. Only regular text files are
/// read, up to a limit; devices and pipes are not even opened.
struct SourceFileReader {
  static let maximumFileSize = 16 << 20
  /// In bytes of UTF-8. Longer lines are cut.
  static let maximumLineLength = 400

  private let context: SourceContext
  /// The folders that source files must be in, as absolute paths without links.
  private let roots: [String]
  private let totalLimit: Int
  private var bytesLeft: Int
  /// The files that were read, whether or not they have the lines.
  private(set) var files: Set<FileIdentity> = []

  /// - Parameter totalLimit: the largest number of bytes read from all files together.
  init(_ context: SourceContext, totalLimit: Int = 256 << 20) {
    self.context = context
    self.totalLimit = totalLimit
    self.bytesLeft = totalLimit
    self.roots = context.roots.compactMap { FileLinks.realPath(of: $0) }
  }

  /// The excerpt around each of `lines`, without those that the file does not have. The file is
  /// read once.
  ///
  /// - Parameters:
  ///   - path: if relative, it is tried in each folder of the context, or, if there are none, in
  ///     the working directory.
  ///   - lines: line numbers from 1, ascending.
  mutating func excerpts(
    of path: String, around lines: [Int]
  ) throws(SourceFileError) -> [Int: SourceExcerpt] {
    let bytes = try content(of: try resolvedPath(of: path))
    var texts = LineCutter(bytes)
    var wanted: [Int: String] = [:]
    var excerpts: [Int: SourceExcerpt] = [:]
    let reach = context.lineCount
    // Each line is copied once, even if it is in several excerpts.
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

  /// Where the file is, within the folders of the context.
  private func resolvedPath(of path: String) throws(SourceFileError) -> String {
    guard !context.roots.isEmpty else { return path }
    var error = SourceFileError.missing
    for candidate in path.isAbsolutePath ? [path] : roots.map({ $0.appendingPath(path) }) {
      guard let real = FileLinks.realPath(of: candidate) else { continue }
      if roots.contains(where: { real.isInFolder($0) }) { return real }
      error = .outsideRoots
    }
    throw error
  }

  /// As many bytes as the file's size says. Most files in `/proc` say 0, but not all; some never
  /// end, and none is a source file.
  private mutating func content(of path: String) throws(SourceFileError) -> [UInt8] {
    do {
      _ = try Self.size(FileStatus(path: path), at: path)
      let file = try FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      // The path may lead to another file by now.
      let status = try FileStatus(file, path: path)
      let size = try Self.size(status, at: path)
      guard size <= bytesLeft else {
        throw SourceFileError.beyondLimit(limit: totalLimit)
      }
      bytesLeft -= size
      files.insert(status.identity)
      let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<size])
          let read = try unsafe file.read(into: rest)
          if read == 0 { break }
          count += read
        }
      }
      guard !bytes.contains(0) else { throw SourceFileError.notText }
      return bytes
    } catch let error as SourceFileError {
      throw error
    } catch let error as FileSystemError {
      throw SourceFileError(error.errno.rawValue)
    } catch {
      throw SourceFileError((error as? Errno)?.rawValue ?? EIO)
    }
  }

  private static func size(_ status: FileStatus, at path: String) throws(SourceFileError) -> Int {
    guard status.isOrdinaryFile(at: path) else { throw .notRegularFile }
    guard status.size <= maximumFileSize else { throw .tooLarge(limit: maximumFileSize) }
    return Int(status.size)
  }
}

extension SourceFileError {
  fileprivate init(_ errno: Int32) {
    switch errno {
    case ENOENT, ENOTDIR, ENAMETOOLONG: self = .missing
    default: self = .unreadable(Errno(rawValue: errno))
    }
  }
}

extension String {
  /// - Parameter folder: an absolute path without a slash at its end, or the root.
  fileprivate func isInFolder(_ folder: String) -> Bool {
    utf8.starts(with: folder.utf8)
      && (folder == "/" || utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
  }
}

/// Copies lines from a text, in one pass.
private struct LineCutter {
  private let bytes: [UInt8]
  /// The offset and the number of the next line.
  private var position = 0
  private var number = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// Copies the lines of `range` into `lines`, apart from those before the next line and after the
  /// end.
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
      // Cut between characters: a byte that begins with the bits 10 continues one.
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

/// How many source lines to show around the line of a frame, and which files may be read for that.
package struct SourceContext: Hashable, Sendable {
  package static let maximumLineCount = 1000

  /// The number of lines before a frame's line, and of lines after it.
  package let lineCount: Int
  /// The folders that source files must be in, after following links; if empty, they may be
  /// anywhere. A relative path is tried in each of these folders, or, if there are none, in the
  /// working directory.
  ///
  /// The paths are in the symbol files. Those may come from strangers, who can name any file of
  /// this machine.
  package let roots: [String]

  /// Nil if `lineCount` is negative, or above ``maximumLineCount``. 0 is the frame's line alone.
  package init?(lineCount: Int, roots: [String] = []) {
    guard (0...Self.maximumLineCount).contains(lineCount) else { return nil }
    self.lineCount = lineCount
    self.roots = roots
  }
}

/// Why lines of a source file are not shown.
package enum SourceFileError: Error, Hashable, Sendable {
  /// There is no such file on this machine.
  case missing
  /// It is outside the folders that source files must be in.
  case outsideRoots
  case unreadable(Errno)
  /// It is a folder, a pipe, a device, or what the kernel shows as a file.
  case notRegularFile
  /// It is larger than `limit` bytes.
  case tooLarge(limit: Int)
  /// It has zero bytes.
  case notText
  /// It ends before the line, so it is not the file that was compiled.
  case tooShort
  /// `limit` bytes have been read for this input already.
  case beyondLimit(limit: Int)
}
