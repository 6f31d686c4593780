/// How far the downloads of a batch are.
package struct DownloadProgress: Hashable, Sendable {
  /// The bytes that have come in, over the whole run.
  package let bytes: UInt64
  /// The images for which it is known whether a server has their file, of `total`.
  package let done: Int
  package let total: Int

  package init(bytes: UInt64, done: Int, total: Int) {
    self.bytes = bytes
    self.done = done
    self.total = total
  }
}
