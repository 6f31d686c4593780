import Platform
import Synchronization
import SystemPackage

/// What outputs are until they are complete where a file must have a name (`UnnamedFile` has none):
/// files `.symbolicate-NUMBER.partial` beside them. If SIGKILL or the system ends a process, its
/// files stay. The next process that writes to the folder removes them.
///
/// That a file has no writer any more is known by a lock (`flock`), which ends with the process:
///
/// - The writer holds it from right after the file is made until the file has its name.
/// - Who removes a file takes the lock first, so it never gets a file that is being written.
/// - A file may be removed after it is made and before it is locked. Its writer notices, because
///   the file has no name any more, and makes another one.
///
/// A network file system may keep locks of other machines to itself. So a file must also be as it
/// was for a minute.
enum PartialFiles {
  private static let start = ".symbolicate-"
  private static let end = ".partial"
  private static let secondsOfAWriter: Int64 = 60
  /// A run may write thousands of files to one folder.
  private static let knownFolders = Mutex<Set<String>>([])

  static func name(_ number: UInt64) -> String { "\(start)\(number)\(end)" }

  private static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(start), name.hasSuffix(end) else { return false }
    let number = name.utf8.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    return !number.isEmpty
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  // MARK: - Writing

  /// Takes the lock of a file that was just made. False if another process is about to remove the
  /// file, or did. A file system without locks is no reason not to write.
  static func lock(_ descriptor: FileDescriptor) -> Bool {
    if flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return unsafe fstat(descriptor.rawValue, &status) != 0 || status.st_nlink > 0
  }

  /// Takes the lock of a file that has no name yet, so nobody else can have it.
  static func lockUnnamed(_ descriptor: FileDescriptor) {
    _ = flock(descriptor.rawValue, LOCK_EX | LOCK_NB)
  }

  /// A second descriptor of a file, which keeps the lock when the first one is closed; nil if the
  /// system has none to give.
  static func keepLock(of descriptor: FileDescriptor) -> FileDescriptor? {
    let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : FileDescriptor(rawValue: copy)
  }

  // MARK: - Removal

  /// Removes the files in a folder that nobody writes any more. One that cannot be removed stays.
  ///
  /// Cost: the folder is listed, once in the life of the process.
  ///
  /// - Parameter folder: with the slash at its end; empty for the current one.
  static func removeAbandoned(in folder: String) {
    guard knownFolders.withLock({ $0.insert(folder).inserted }) else { return }
    let entries = (try? Directory.unsortedEntries(of: folder.isEmpty ? "." : folder)) ?? []
    for entry in entries where entry.kind == .regularFile && isName(entry.name) {
      removeIfAbandoned(folder + entry.name)
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    withAbandoned(path, seconds: secondsOfAWriter) { try? removeFile(at: path) }
  }

  /// Whether nobody writes the file at `path` any more, as its lock says, and nobody did so less
  /// than `seconds` ago.
  static func isAbandoned(_ path: String, seconds: Int64) -> Bool {
    var isAbandoned = false
    withAbandoned(path, seconds: seconds) { isAbandoned = true }
    return isAbandoned
  }

  /// Calls `body` with the lock held, if the file is abandoned.
  private static func withAbandoned(_ path: String, seconds: Int64, _ body: () -> Void) {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    else { return }
    defer { try? descriptor.close() }
    guard let status = try? FileStatus(descriptor, path: path), status.kind == .regularFile,
      status.owner == geteuid(),
      Clock.secondsSince1970 &- status.modificationTime.seconds >= seconds,
      flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0,
      (try? FileStatus(withoutFollowingLinks: path))?.identity == status.identity
    else { return }
    body()
  }
}
