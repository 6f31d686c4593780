import BinaryInput
import Platform
import SystemPackage
import TestSupport
import Testing

/// Only regular files are opened. The devices in these tests exist on every Linux system.
@Suite struct RegularFileTests {
  private func refusal(of path: String) -> FileAccessError? {
    do throws(FileAccessError) {
      _ = try MappedFile.openRegularFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func mapsAFile() throws {
    // Any test runner is an ELF file.
    let region = try MappedFile.openRegularFile(path: "/proc/self/exe")
    expectTrue(region.holds([0x7f, 0x45, 0x4c, 0x46], at: 0))
  }

  @Test func mapsAnOwnFile() throws {
    let bytes = try MappedFile.openOwnFile(path: "/proc/self/exe").bytes
    expectTrue(bytes.holds([0x7f, 0x45, 0x4c, 0x46], at: 0))
    for path in ["/dev/null", "/"] {
      #expect(throws: FileAccessError.self) { try MappedFile.openOwnFile(path: path) }
    }
  }

  @Test(arguments: ["/dev/null", "/dev/zero", "/dev/tty"])
  func refusesDevices(path: String) {
    expectEqual(refusal(of: path)?.operation, .refuseSpecialFile)
  }

  /// Nobody writes to the pipe, so opening it would wait for ever.
  @Test func refusesANamedPipe() {
    let path = "/tmp/symbolicate-named-pipe-\(UInt64.random(in: 0 ... .max))"
    unsafe expectEqual(mkfifo(path, 0o600), 0)
    defer { unsafe unlink(path) }
    expectEqual(refusal(of: path)?.operation, .refuseSpecialFile)
  }

  @Test func refusesFilesOfTheKernel() {
    expectEqual(refusal(of: "/proc/version")?.operation, .refuseSpecialFile)
  }

  @Test func namesThePathAndTheReason() {
    expectEqual(
      refusal(of: "/nonexistent/file"),
      FileAccessError(
        path: "/nonexistent/file", operation: .open, errno: .noSuchFileOrDirectory))
    expectEqual(
      refusal(of: "/tmp"), FileAccessError(path: "/tmp", operation: .read, errno: .isDirectory))
  }
}
