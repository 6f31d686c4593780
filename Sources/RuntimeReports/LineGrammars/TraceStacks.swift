package import ReportModel
import SymbolicationModel

// What is known of the stacks of a trace once all of their frames are.

extension [StackFrame] {
  /// Several in a row with the same address and different functions are calls inlined into the last
  /// of them. In a recursion the functions repeat.
  var markingInlinedCalls: [StackFrame] {
    var frames = self
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, let address = self[start].address, self[end].address == address,
        self[end].values?.imageName == self[start].values?.imageName
      {
        end += 1
      }
      let run = self[start..<end]
      let name = self[start].symbol?.name
      let round = run.dropFirst().firstIndex { $0.symbol?.name == name }.map { $0 - start }
      let length = round ?? run.count
      for index in run.indices.dropLast()
      where (index - start + 1) % length != 0 && self[index].symbol != nil {
        guard var values = self[index].values else { continue }
        values.isInlined = true
        values.symbol?.isInlined = true
        frames[index] = StackFrame(address: self[index].address, carrier: .values(values))
      }
      start = end
    }
    return frames
  }
}

extension [Backtrace] {
  /// The index of the stack that crashed. A debugger shows the first frame when it stops, and all
  /// of the same thread when it is asked.
  var crashedStack: Int? {
    guard let first = firstIndex(where: \.isCrashed), let number = self[first].number else {
      return firstIndex(where: \.isCrashed)
    }
    return indices.filter {
      self[$0].number == number
        && self[$0].frames.first?.address == self[first].frames.first?.address
    }.max { self[$0].frames.count < self[$1].frames.count } ?? first
  }

  /// The same with this one as the only one that crashed.
  func markingAsCrashed(_ index: Int) -> [Backtrace] {
    guard !self[index].isCrashed else { return self }
    return enumerated().map { $1.mapping(isCrashed: $0 == index) { $0 } }
  }
}

extension Backtrace {
  /// The same with the name of the program for frames without a name, which gdb gives no library
  /// either: code of the program, if another such frame is near it, and not a wild address.
  func namingProgram(_ program: String) -> Backtrace {
    let unknown = Set(
      frames.filter { $0.imageName == nil && $0.symbol == nil }.compactMap { $0.address?.value }
    ).sorted()
    // In ascending order, the nearest one is beside it.
    let near = Set(
      zip(unknown, unknown.dropFirst()).filter { $0.1 - $0.0 < 16 << 20 }.flatMap { [$0.0, $0.1] })
    return mapping { frame in
      guard frame.imageName == nil, frame.symbol == nil, let address = frame.address?.value,
        near.contains(address), var values = frame.values
      else { return frame }
      values.imageName = program
      return StackFrame(address: frame.address, carrier: .values(values))
    }
  }

  /// The same with other frames.
  package func mapping(
    isCrashed: Bool? = nil, _ change: (StackFrame) -> StackFrame
  ) -> Backtrace {
    Backtrace(
      kind: kind, number: number, name: name, dispatchQueue: dispatchQueue,
      isCrashed: isCrashed ?? self.isCrashed,
      frames: frames.map(change), isOutermostFirst: isOutermostFirst, isCallTree: isCallTree,
      sampleCount: sampleCount, byteRange: byteRange, addressListRange: addressListRange,
      embeddedText: embeddedText, omissions: omissions, json: json)
  }
}

extension TraceBuilder.Stack {
  /// Takes the place of the last frame from the line below it.
  mutating func placeLastFrame(_ match: LineMatch, _ source: TextSource) {
    guard let last = frames.last, var values = last.values else { return }
    if let name = match.text(.symbol, source), values.symbol?.line == nil {
      let offset = match.number(.offset, source).flatMap { Int64(exactly: $0) }
      // A call that was inlined, or what the line with the image has no room for.
      if offset == nil || values.symbol == nil {
        values.isInlined = values.symbol != nil
        values.symbol = FrameSymbol(name: name, offset: offset)
      }
    }
    if let line = match.integer(.line, source), line > 0, values.symbol?.line == nil {
      values.symbol?.file = match.text(.file, source)
      values.symbol?.line = line
      values.symbol?.column = match.integer(.column, source)
    }
    if values.imageName == nil {
      values.imageName = match.text(.image, source)?.traceImageName
    }
    frames[frames.count - 1] = StackFrame(address: last.address, carrier: .values(values))
  }
}
