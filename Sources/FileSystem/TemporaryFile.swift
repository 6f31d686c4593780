import Platform
import Synchronization
import SystemPackage

/// A file that becomes complete, and then gets another name. If a signal ends the process before,
/// the file is removed (`EndingSignals`), whatever the process is doing.
struct TemporaryFile {
  let path: String
  private let slot: Int?
  private let name: UInt

  /// Makes the file; throws if it exists.
  ///
  /// The name is noted before the file is there, and signals wait until it is: an end of the
  /// process in between would leave the file behind.
  static func create(
    at path: String, permissions: FilePermissions, access: FileDescriptor.AccessMode = .writeOnly
  ) throws -> (descriptor: FileDescriptor, file: TemporaryFile) {
    try make(at: path) {
      try FileDescriptor.open(
        FilePath(pathText: path), access, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: permissions)
    }
  }

  /// Gives a file that has none a name. Throws `fileExists` if something is there.
  static func link(_ descriptor: FileDescriptor, at path: String) throws -> TemporaryFile {
    try make(at: path) { try UnnamedFile.link(descriptor, to: path) }.file
  }

  private static func make<Made>(
    at path: String, _ body: () throws -> Made
  ) throws -> (descriptor: Made, file: TemporaryFile) {
    var blocked = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&blocked)
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    TemporaryFiles.beginCreation()
    defer { TemporaryFiles.endCreation() }
    let name = unsafe UInt(bitPattern: path.withPathBytes { unsafe strdup($0) })
    let file = TemporaryFile(path: path, slot: TemporaryFiles.add(name), name: name)
    do {
      return (try body(), file)
    } catch {
      file.end()
      throw error
    }
  }

  /// To be called when nothing is at the path any more.
  func end() {
    guard slot.map({ TemporaryFiles.remove(name, from: $0) }) ?? true else { return }
    unsafe free(UnsafeMutableRawPointer(bitPattern: name))
  }
}

/// The names of the temporary files of this process, as a signal handler can read them: without
/// locks, and without memory that is freed meanwhile.
enum TemporaryFiles {
  /// Each output has one at a time, and outputs are written by as many threads as there are
  /// processors. Further names are not noted.
  private static let capacity = 256

  // Soundness: the memory is never freed, and each of its words is an atomic.
  private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Atomic<UInt>> = {
    let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
    for index in 0..<capacity { unsafe (slots + index).initialize(to: Atomic(0)) }
    return unsafe slots
  }()
  private static let creations = Atomic(0)
  private static let isEnding = Atomic(false)

  /// Does not return if the process is ending.
  static func beginCreation() {
    creations.wrappingAdd(1, ordering: .sequentiallyConsistent)
    guard isEnding.load(ordering: .sequentiallyConsistent) else { return }
    endCreation()
    while true { pause() }
  }

  static func endCreation() {
    creations.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  /// Notes a name, a string of C; nil if there are too many.
  static func add(_ name: UInt) -> Int? {
    (0..<capacity).first {
      unsafe slots[$0].compareExchange(
        expected: 0, desired: name, ordering: .sequentiallyConsistent
      ).exchanged
    }
  }

  /// - Returns: whether the name belongs to the caller again. Otherwise a signal handler has it.
  static func remove(_ name: UInt, from slot: Int) -> Bool {
    unsafe slots[slot].compareExchange(
      expected: name, desired: 0, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Makes the memory, so that a signal handler finds it.
  static func prepare() {
    _ = unsafe slots
    _ = creations.load(ordering: .relaxed)
    _ = isEnding.load(ordering: .relaxed)
  }

  /// Removes all files. For signal handlers; the process must end afterwards.
  static func removeAll() {
    isEnding.store(true, ordering: .sequentiallyConsistent)
    // Files that are being made now: the thread of the handler makes none, since it blocks signals
    // meanwhile. A system that hangs must not keep the process alive.
    var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
    var patience = 1000
    while creations.load(ordering: .sequentiallyConsistent) > 0, patience > 0 {
      unsafe nanosleep(&pause, nil)
      patience &-= 1
    }
    for index in 0..<capacity {
      let name = unsafe slots[index].exchange(0, ordering: .sequentiallyConsistent)
      if let path = unsafe UnsafePointer<CChar>(bitPattern: name) { unsafe unlink(path) }
    }
  }
}
