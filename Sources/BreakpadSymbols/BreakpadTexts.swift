/// The names and paths that answers have needed. Each is copied from the file once, however many
/// frames have it.
///
/// Thousands of inlined calls may refer to one record, and their names together may be thousands of
/// times as long as the file.
package struct BreakpadTexts {
  /// By the offset of the record.
  private var names: [UInt64: String] = [:]
  /// By the number of the file; nil if there is no record for it.
  private var paths: [UInt32: String?] = [:]
  private var byteCount = 0

  /// Beyond this many bytes, all texts are forgotten, and copied again.
  private static let byteLimit = 16 << 20

  package init() {}

  mutating func name(ofRecordAt offset: UInt64, _ read: () -> String) -> String {
    if let known = names[offset] { return known }
    let name = read()
    makeRoom(for: name)
    names[offset] = name
    return name
  }

  mutating func path(ofFile number: UInt32, in file: BreakpadFile) -> String? {
    if let known = paths[number] { return known }
    let path = file.path(ofFile: number)
    makeRoom(for: path ?? "")
    paths[number] = .some(path)
    return path
  }

  private mutating func makeRoom(for text: String) {
    if byteCount > Self.byteLimit {
      names = [:]
      paths = [:]
      byteCount = 0
    }
    // An entry takes about 64 bytes besides.
    byteCount += text.utf8.count + 64
  }
}
