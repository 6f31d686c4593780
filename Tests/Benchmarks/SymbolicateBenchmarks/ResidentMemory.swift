import SystemPackage

/// Returns freed memory to the system (malloc_trim(3), which Swift's Glibc module lacks).
@_silgen_name("malloc_trim")
private func trimHeap(_ padding: Int) -> CInt

/// The memory of this process in bytes, as Linux counts it.
enum ResidentMemory {
  static var current: Int { field("VmRSS:") }

  /// The maximum since the process began, or since `forgetPeak`.
  static var peak: Int { field("VmHWM:") }

  /// Resets the peak to the current use (proc(5), `/proc/self/clear_refs`, the value 5). Freed
  /// memory is returned to the system first: otherwise its reuse would not be counted.
  static func forgetPeak() {
    _ = trimHeap(0)
    guard let file = try? FileDescriptor.open(FilePath("/proc/self/clear_refs"), .writeOnly) else {
      return
    }
    _ = try? file.closeAfter { try file.writeAll("5".utf8) }
  }

  private static func field(_ name: String) -> Int {
    guard let file = try? FileDescriptor.open(FilePath("/proc/self/status"), .readOnly) else {
      return 0
    }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = (try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }) ?? 0
    for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    where line.hasPrefix(name) {
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
    return 0
  }
}
