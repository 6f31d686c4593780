import Platform
import Synchronization

/// What the kernel shows as files: processes, devices, settings, its log. No report and no symbol
/// file is among it, and reading may wait for ever, do something, or take what others wait for
/// (`/proc/kmsg`). Searches through directories leave it alone, however they get there.
package enum KernelFiles {
  /// By device: a file system has one, and is looked up once.
  private static let known = Mutex<[UInt64: Bool]>([:])

  /// Whether the kernel shows what is at `path`.
  ///
  /// - Parameter status: of what `path` leads to.
  package static func contain(_ status: FileStatus, at path: String) -> Bool {
    let device = status.identity.device
    if let isKernels = known.withLock({ $0[device] }) { return isKernels }
    guard let type = unsafe path.withPathBytes({ unsafe fileSystemType(of: $0) }) else {
      return false
    }
    let isKernels = types.contains(type)
    known.withLock { $0[device] = isKernels }
    return isKernels
  }

  /// `linux/magic.h`, and the sources of Linux for those that are not in it.
  private static let types: Set<UInt> = [
    0x9fa0,  // proc
    0x6265_6572,  // sysfs
    0x1cd1,  // devpts
    0x6462_6720,  // debugfs
    0x7472_6163,  // tracefs
    0x7363_6673,  // securityfs
    0xf97c_ff8c,  // selinuxfs
    0x4341_5d53,  // smackfs
    0x0027_e0eb,  // cgroup
    0x6367_7270,  // cgroup2
    0x6265_6570,  // configfs
    0x4249_4e4d,  // binfmt_misc
    0x6573_5543,  // fusectl
    0x6165_676c,  // pstore
    0xde5e_81e4,  // efivarfs
    0xcafe_4a11,  // bpf
    0x6e73_6673,  // nsfs
    0x6759_6969,  // rpc_pipefs
    0x6e66_7364,  // nfsd
    0x1980_0202,  // mqueue
  ]
}

extension FileStatus {
  /// Whether it is a regular file, and none that the kernel shows: one that a search may open
  /// without waiting for another process, or doing something.
  ///
  /// - Parameter path: leads to the file.
  package func isOrdinaryFile(at path: String) -> Bool {
    kind == .regularFile && !KernelFiles.contain(self, at: path)
  }
}
