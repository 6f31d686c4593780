import FileSystem
import Foundation
import TestSupport
import Testing

/// Locks that end with their process.
struct FileLockTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func isTaken(_ outcome: FileLock.Outcome) -> Bool {
    if case .taken = outcome { true } else { false }
  }

  private func isBusy(_ outcome: FileLock.Outcome) -> Bool {
    if case .busy = outcome { true } else { false }
  }

  @Test func oneHasItAtATime() throws {
    let path = directory.path("lock")
    do {
      let first = FileLock.take(path, waits: false)
      let isFirstTaken = isTaken(first)
      expectTrue(isFirstTaken)
      let second = FileLock.take(path, waits: false)
      let isSecondBusy = isBusy(second)
      expectTrue(isSecondBusy)
      withExtendedLifetime(first) {}
    }
    // The file goes with the lock.
    try expectEqual(directory.fileNames(), [])
    let third = FileLock.take(path, waits: true)
    let isThirdTaken = isTaken(third)
    expectTrue(isThirdTaken)
  }

  /// What a process leaves that is killed.
  @Test func aFileWithoutALockIsTakenOver() throws {
    let path = try directory.write([], to: "lock")
    do {
      let lock = FileLock.take(path, waits: false)
      let isLockTaken = isTaken(lock)
      expectTrue(isLockTaken)
    }
    try expectEqual(directory.fileNames(), [])
  }

  @Test func aFolderThatIsMissing() {
    let lock = FileLock.take(directory.path("missing/lock"), waits: true)
    let isUnavailable = if case .unavailable = lock { true } else { false }
    expectTrue(isUnavailable)
  }
}
