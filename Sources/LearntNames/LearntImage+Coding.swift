import BinaryInput
import SymbolIndex
import SymbolicationModel

extension LearntImage {
  /// What a file says; nil if it contradicts itself, or would take much more memory than its size.
  package init?(_ file: LearntFile) {
    guard let identity = file.identity else { return nil }
    self.init(identity: identity, architecture: file.architecture, name: file.imageName)
    var nextName: UInt64 = 0
    var room = Self.expansion * file.region.count
    for index in 0..<file.layout.functionCount {
      let record = file.function(index)
      guard record.firstName == nextName, record.nameCount <= file.layout.nameCount - nextName
      else { return nil }
      nextName += record.nameCount
      var votes: [String: UInt32] = [:]
      for number in record.firstName..<nextName {
        guard let vote = file.vote(number) else { return nil }
        room -= vote.name.utf8.count
        guard room >= 0 else { return nil }
        votes[vote.name] = vote.count
      }
      if !votes.isEmpty { functions[record.start] = Function(reach: record.reach, votes: votes) }
    }
    for index in 0..<file.layout.reportCount {
      let offset = file.layout.reports + index * 8
      if let hash = file.region.unsigned(at: offset, size: 8, byteOrder: .little) {
        reports.insert(hash)
      }
    }
  }

  /// Functions share the bytes of their names in a file. All names together have at most so many
  /// times its size.
  private static var expansion: Int { 64 }

  /// The bytes of its file; nil if they would be too many for the format, or the identity is not a
  /// UUID.
  package var encoded: [UInt8]? {
    guard identity.bytes.count == 16 else { return nil }
    var texts = Array(architecture.utf8) + Array(name.utf8)
    var functionTable: [UInt8] = []
    var nameTable: [UInt8] = []
    var nameCount = 0
    // Many functions have one name: clones, and labels in assembly.
    var places: [String: (start: Int, size: Int)] = [:]
    for (start, function) in functions.sorted(by: { $0.key < $1.key }) {
      functionTable.appendNumber(start)
      functionTable.appendNumber(function.reach)
      functionTable.appendNumber(UInt32(clamping: nameCount))
      functionTable.appendNumber(UInt32(clamping: function.votes.count))
      for (name, votes) in function.votes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        let bytes = Array(name.utf8)
        let place = places[name] ?? (texts.count, bytes.count)
        if places.updateValue(place, forKey: name) == nil { texts += bytes }
        nameTable.appendNumber(UInt32(clamping: place.start))
        nameTable.appendNumber(UInt32(clamping: place.size))
        nameTable.appendNumber(votes)
        nameCount += 1
      }
    }
    guard UInt32(exactly: nameCount) != nil, UInt32(exactly: texts.count) != nil,
      UInt32(exactly: functions.count) != nil
    else { return nil }
    var head = LearntFile.magic
    head.appendNumber(LearntFile.version)
    head.appendNumber(UInt32(clamping: functions.count))
    head += identity.bytes
    for number in [
      nameCount, reports.count, texts.count, architecture.utf8.count, name.utf8.count,
      conflictCount,
    ] {
      head.appendNumber(UInt32(clamping: number))
    }
    var reportTable: [UInt8] = []
    for hash in reports.sorted() { reportTable.appendNumber(hash) }
    let tables = functionTable + nameTable + reportTable + texts
    var checksum = IndexChecksum()
    checksum.add(head)
    checksum.add(tables)
    head.appendNumber(checksum.value)
    return head + tables
  }
}
