import FileSystem
import TestSupport
import Testing

/// What the kernel shows as files is known by the file system that it lies in.
@Suite struct KernelFileTests {
  private func isKernels(_ path: String) throws -> Bool {
    KernelFiles.contain(try FileStatus(path: path), at: path)
  }

  @Test func filesOfTheKernel() throws {
    for path in ["/proc", "/proc/self/status", "/proc/self/task", "/sys", "/sys/kernel"] {
      try expectTrue(isKernels(path), path)
    }
  }

  @Test func ordinaryFiles() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "file")
    // The link leads out of the kernel's files.
    for path in ["/", "/usr", directory.path, directory.path("file"), "/proc/self/cwd"] {
      try expectFalse(isKernels(path), path)
    }
  }

  @Test func linksCountAsWhatTheyLeadTo() throws {
    let directory = try TemporaryDirectory()
    try directory.link("proc", to: "/proc")
    try directory.link("log", to: "/proc/kmsg")
    try expectTrue(isKernels(directory.path("proc")))
    try expectTrue(isKernels(directory.path("log")))
  }
}
