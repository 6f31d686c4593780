import BinaryInput
package import SymbolicationModel

// Random lookups wait for memory more than they compute: the record, its marks, the rows behind a
// mark and the names are each somewhere else in the file. So several addresses go through one step
// after the other. In a step, the reads for different addresses do not depend on each other, and
// the processor waits for all of them at once. The last step decodes what is in its cache by then.

extension GsymFile {
  /// The number of addresses to look up at a time. What is read for them fits in the processor's
  /// first cache.
  package static let batchSize = 32

  /// Looks up all of `addresses`, in any order, and replaces `answers` by their answers. Each is
  /// that of `lookup(_:)`.
  ///
  /// Cost: for about `batchSize` addresses, much less than that of as many lookups. Allocates
  /// nothing if `answers` has held as much before.
  package func lookup(_ addresses: Span<LinkAddress>, into answers: inout GsymAnswers) {
    answers.removeAll()
    var touched: UInt8 = 0
    region.withRawSpan { bytes in
      for index in addresses.indices {
        let first = firstFunction(before: addresses[index].value, in: bytes) ?? -1
        answers.places.append(GsymAnswers.Place(function: first))
      }
      for index in answers.places.indices where answers.places[index].function >= 0 {
        answers.places[index].record = recordOffset(
          at: answers.places[index].function, in: bytes)
      }
      for place in answers.places { touched |= byte(at: place.record, in: bytes) }
      for index in answers.places.indices { findParts(of: &answers.places[index], in: bytes) }
      for place in answers.places {
        touched |= byte(at: UInt64(place.parts.inlineInfo?.upperBound ?? 0), in: bytes)
      }
      for index in addresses.indices {
        touched |= touch(answers.places[index], addresses[index].value, in: bytes)
      }
      for index in addresses.indices { answer(addresses[index], index, in: bytes, &answers) }
    }
    strings.withRawSpan { strings in
      for frame in answers.frames { touched |= byte(at: frame.name, in: strings) }
    }
    answers.touched = touched
  }

  private func answer(
    _ address: LinkAddress, _ index: Int, in bytes: RawSpan, _ answers: inout GsymAnswers
  ) {
    let first = answers.places[index].function
    let count = answers.frames.count
    func fail(_ error: GsymError) {
      answers.frames.removeLast(answers.frames.count - count)
      answers.failures.append((index, error))
    }
    switch search(for: address.value, from: first < 0 ? nil : first, in: bytes, &answers.frames) {
    case .found, .nothing: break
    case .malformed(let function, let offset): fail(malformed(function, offset))
    case .changed(let offset): fail(.changed(offset: offset))
    }
    answers.ends.append(answers.frames.count)
  }

  @inline(__always)
  private func findParts(of place: inout GsymAnswers.Place, in bytes: RawSpan) {
    var position = SpanPosition(place.record &+ UInt64(4 &+ tables.stringOffsetSize))
    if let parts = GsymRecordParts(&position, in: bytes, self) { place.parts = parts }
  }

  /// Reads where the row and the inlined call of `address` are to be looked for.
  @inline(__always)
  private func touch(
    _ place: GsymAnswers.Place, _ address: UInt64, in bytes: RawSpan
  ) -> UInt8 {
    let start = header.baseAddress.value &+ addressOffset(at: max(0, place.function), in: bytes)
    var touched: UInt8 = 0
    if let part = place.parts.lineTable {
      touched |= touchMarked(part, GsymMarks.lineEntrySize, address &- start, in: bytes)
    }
    if let part = place.parts.inlineInfo {
      touched |= touchMarked(part, GsymMarks.callEntrySize, address &- start, in: bytes)
    }
    return touched
  }

  @inline(__always)
  private func touchMarked(
    _ range: Range<Int>, _ entrySize: Int, _ address: UInt64, in bytes: RawSpan
  ) -> UInt8 {
    let part = bytes.extracting(range)
    guard case .found(let entry) = GsymMarks.find(address, in: part, entrySize: entrySize) else {
      return byte(at: 0, in: part)
    }
    var mark = SpanPosition(UInt64(entry) &+ 4)
    return byte(at: UInt64(UInt32(littleEndian: mark.read(UInt32.self, in: part))), in: part)
  }

  /// The byte at `offset`; 0 beyond the end.
  @inline(__always)
  private func byte(at offset: UInt64, in bytes: RawSpan) -> UInt8 {
    var position = SpanPosition(offset)
    return position.read(UInt8.self, in: bytes)
  }
}
