import SymbolicationModel

/// A GSYM file with all functions in order, ready to be encoded by several workers.
///
/// `encodePart` encodes each of `partCount` parts, in any thread and any order; `assemble` joins
/// them.
package struct GsymLayout: Sendable {
  let uuid: [UInt8]
  let strings: [UInt8]
  let files: [GsymSourceFile]
  let units: [GsymWriter.NumberedUnit]
  let functions: [GsymFunctionOrder.Function]

  /// Small enough to share the work evenly, large enough that the overhead of a part does not
  /// matter.
  private static let functionsInPart = 2048

  /// The number of functions in the file.
  package var functionCount: Int { functions.count }

  /// The number of parts to encode.
  package var partCount: Int {
    (functions.count + Self.functionsInPart - 1) / Self.functionsInPart
  }

  /// The encoded records of some consecutive functions.
  package struct Part: Sendable {
    fileprivate let index: Int
    /// The size is a multiple of the records' alignment.
    fileprivate var bytes: [UInt8] = []
    /// The offset of each record from the start of the part.
    fileprivate var recordOffsets: [Int] = []
  }

  /// Encodes the part with this index, which must be below `partCount`.
  package func encodePart(_ index: Int) -> Part {
    var part = Part(index: index)
    let first = index * Self.functionsInPart
    for function in functions[first..<min(first + Self.functionsInPart, functions.count)] {
      part.recordOffsets.append(part.bytes.count)
      units[Int(function.unit)].appendRecord(of: function, to: &part.bytes)
      while part.bytes.count % GsymFormat.recordAlignment != 0 { part.bytes.append(0) }
    }
    return part
  }

  /// The bytes of the file, in pieces to be written one after the other.
  ///
  /// - Parameter parts: all parts, in any order.
  ///
  /// Throws `fileTooLarge` if a record would begin at 4 GiB or beyond.
  package func assemble(_ parts: [Part]) throws(GsymLimitError) -> [[UInt8]] {
    let baseAddress = functions.first?.start ?? 0
    let addressOffsetSize = Self.size(ofOffset: (functions.last?.start ?? 0) - baseAddress)
    let addressesEnd = GsymFormat.headerSize + functions.count * addressOffsetSize
    let recordOffsetsStart = (addressesEnd + 3) / 4 * 4
    let filesStart = recordOffsetsStart + 4 * functions.count
    let stringsStart = filesStart + 4 + GsymFormat.fileEntrySize * files.count
    let stringsEnd = stringsStart + strings.count
    let recordsStart =
      (stringsEnd + GsymFormat.recordAlignment - 1) / GsymFormat.recordAlignment
      * GsymFormat.recordAlignment
    guard stringsStart <= Int(UInt32.max) else { throw .fileTooLarge(offset: stringsStart) }

    var head: [UInt8] = []
    head.reserveCapacity(stringsStart)
    head.appendNumber(SymbolFileMagic.gsymNumber)
    head.appendNumber(GsymFormat.version)
    head.append(UInt8(truncatingIfNeeded: addressOffsetSize))
    head.append(UInt8(truncatingIfNeeded: uuid.count))
    head.appendNumber(baseAddress)
    head.appendNumber(UInt32(truncatingIfNeeded: functions.count))
    head.appendNumber(UInt32(truncatingIfNeeded: stringsStart))
    head.appendNumber(UInt32(truncatingIfNeeded: strings.count))
    head += uuid
    head.appendZeros(to: GsymFormat.headerSize)
    for function in functions {
      let offset = function.start - baseAddress
      switch addressOffsetSize {
      case 1: head.append(UInt8(truncatingIfNeeded: offset))
      case 2: head.appendNumber(UInt16(truncatingIfNeeded: offset))
      case 4: head.appendNumber(UInt32(truncatingIfNeeded: offset))
      default: head.appendNumber(offset)
      }
    }
    head.appendZeros(to: recordOffsetsStart)
    let sorted = parts.sorted { $0.index < $1.index }
    var partStart = recordsStart
    for part in sorted {
      for offset in part.recordOffsets {
        guard let recordOffset = UInt32(exactly: partStart + offset) else {
          throw .fileTooLarge(offset: partStart + offset)
        }
        head.appendNumber(recordOffset)
      }
      partStart += part.bytes.count
    }
    head.appendNumber(UInt32(truncatingIfNeeded: files.count))
    for file in files {
      head.appendNumber(UInt32(truncatingIfNeeded: file.directory))
      head.appendNumber(UInt32(truncatingIfNeeded: file.name))
    }
    let padding = [UInt8](repeating: 0, count: recordsStart - stringsEnd)
    return [head, strings, padding] + sorted.map(\.bytes)
  }

  private static func size(ofOffset offset: UInt64) -> Int {
    switch offset {
    case ...UInt64(UInt8.max): 1
    case ...UInt64(UInt16.max): 2
    case ...UInt64(UInt32.max): 4
    default: 8
    }
  }
}
