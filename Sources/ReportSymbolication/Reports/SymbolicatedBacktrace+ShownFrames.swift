import CrashLogParser
import FunctionNames
import SymbolicationModel
import Wording

extension SymbolicatedBacktrace {
  /// The frames to show, innermost first; those of a call tree in the order of the tree.
  package func shownFrames(_ options: SymbolicationOptions) -> [ShownFrame] {
    var shown: [ShownFrame] = []
    shown.reserveCapacity(frames.count)
    forEachShownFrame(options) { shown.append($0) }
    return shown
  }

  /// All frames, with those that the options leave out. The innermost ones carry their traits,
  /// which rules ask for often.
  package func examinedFrames(_ options: SymbolicationOptions) -> [ShownFrame] {
    var shown: [ShownFrame] = []
    shown.reserveCapacity(frames.count)
    forEachShownFrame(
      onlyUserCode: false, showsFullPath: options.sourcePaths.showsFullPath, keepingTraits: 64
    ) { shown.append($0) }
    return shown
  }

  /// Calls `body` for each frame to show, in the order of ``rows``.
  ///
  /// - Parameter selection: the indices of the frames in question; nil for all.
  package func forEachShownFrame(
    _ options: SymbolicationOptions, among selection: Set<Int>? = nil, _ body: (ShownFrame) -> Void
  ) {
    forEachShownFrame(
      onlyUserCode: options.onlyUserCode, showsFullPath: options.sourcePaths.showsFullPath,
      among: selection, body)
  }

  /// - Parameter keptCount: how many of the innermost frames keep their traits.
  private func forEachShownFrame(
    onlyUserCode: Bool, showsFullPath: Bool, among selection: Set<Int>? = nil,
    keepingTraits keptCount: Int = 0, _ body: (ShownFrame) -> Void
  ) {
    var count = 0
    let neighbours = neighboursNames.union(steppedNames)
    let starts = sharedStarts
    var addressBefore: LoadAddress?
    // A frame is large to copy, and in a span it can be looked at where it is.
    let allFrames = frames
    let frames = allFrames.span
    for row in rows {
      if let selection, !selection.contains(row.frame) { continue }
      guard frames[row.frame].isShown(onlyUserCode: onlyUserCode) else { continue }
      let inlined: Int? = if case .inlined(let index) = row.content { index } else { nil }
      let isNamedAfterNeighbour =
        !neighbours.isEmpty
        && (frames[row.frame].nearestSymbol ?? frames[row.frame].distantSymbol?.name)
          .map { neighbours.contains($0) } ?? false
      let address = frames[row.frame].address
      let repeatsAddress = address != nil && address == addressBefore
      addressBefore = address
      let countsFromElsewhere =
        !starts.isEmpty
        && frames[row.frame].distantStart.map { starts.contains($0.start) } ?? false
      body(
        ShownFrame(
          frames[row.frame], number(of: row), inlined: inlined, showsFullPath: showsFullPath,
          isNamedAfterNeighbour: isNamedAfterNeighbour, countsFromElsewhere: countsFromElsewhere,
          repeatsAddress: repeatsAddress, keepsTraits: count < keptCount))
      count += 1
    }
  }

  /// The names that frames have which are too far apart for one function. Who looks names up with
  /// `dladdr()`, as Mono's handler of signals, gets the nearest exported one, and often prints no
  /// distance to it.
  ///
  /// Source: dladdr(3); github.com/dotnet/runtime, src/mono/mono/mini/mini-posix.c.
  private var neighboursNames: Set<String> {
    let frames = frames.span
    // Nearly all writers print distances.
    guard frames.indices.prefix(8).contains(where: { frames[$0].nearestSymbol != nil }) else {
      return []
    }
    var extents: [String: ClosedRange<UInt64>] = [:]
    for index in frames.indices {
      guard let name = frames[index].nearestSymbol, let address = frames[index].address?.value
      else { continue }
      let known = extents[name] ?? address...address
      extents[name] = min(known.lowerBound, address)...max(known.upperBound, address)
    }
    return Set(
      extents.lazy.filter { $0.value.upperBound - $0.value.lowerBound > longestFunction }
        .map(\.key))
  }
}

extension SymbolicatedBacktrace {
  /// The names that a few frames in a row have, each far from its start and at a distance of its
  /// own: functions without names that call each other, behind the last one that is exported.
  ///
  /// A recursion has more frames, comes back to the same distance, or is in a shorter function.
  ///
  /// Source: dladdr(3), which gives the nearest symbol at or below an address.
  fileprivate var steppedNames: Set<String> {
    var found: Set<String> = []
    var name: String?
    var offsets: Set<UInt64> = []
    var length = 0
    func close() {
      if let name, length > 1, length <= longestStep, offsets.count == length {
        found.insert(name)
      }
    }
    let frames = frames.span
    for index in frames.indices {
      let symbol = frames[index].distantSymbol
      if symbol?.name != name {
        close()
        name = symbol?.name
        offsets = []
        length = 0
      }
      guard let symbol else { continue }
      if length < longestStep { offsets.insert(symbol.offset) }
      length += 1
    }
    close()
    return found
  }

  /// Where the offsets of frames count from that have different names but start at one place. No
  /// two functions do, so the offsets, however long, say nothing about the names: Crashlytics'
  /// pages and Xcode count like this in programs whose symbol file has the names.
  fileprivate var sharedStarts: Set<DistantStart> {
    var names: [DistantStart: String] = [:]
    var shared: Set<DistantStart> = []
    let frames = frames.span
    for index in frames.indices {
      guard let (start, name) = frames[index].distantStart, !shared.contains(start) else {
        continue
      }
      // Some writers put the offset into the name.
      if let known = names[start], known != name,
        ReadableName.readable(known) != ReadableName.readable(name)
      {
        shared.insert(start)
      }
      names[start] = name
    }
    return shared
  }
}

/// An image, and the address in it that the offset of a frame counts from.
private struct DistantStart: Hashable {
  let image: String
  let address: UInt64
}

/// Functions written by people are shorter, in bytes.
let longestFunction: UInt64 = 0x1_0000
/// Most are shorter than this.
private let longFunction: UInt64 = 0x4000
/// More frames in a row that have one name are a recursion.
private let longestStep = 8

extension SymbolicatedFrame {
  /// The image and the name that the report gives a frame with an address, if it states neither a
  /// distance to the symbol nor a place in a file.
  @inline(__always)
  fileprivate var nearestSymbol: String? {
    guard answer == nil, address != nil, case .read(let stated) = statement,
      stated.symbol.offset == nil, stated.symbol.file == nil, !stated.symbol.isInlined
    else { return nil }
    return "\(imageName)\u{0}\(stated.symbol.name)"
  }

  /// The image and the name that the report gives a frame whose distance to the symbol is that of a
  /// long function, and the distance, if nothing says that the name is right.
  @inline(__always)
  fileprivate var distantSymbol: (name: String, offset: UInt64)? {
    guard answer == nil, case .read(let stated) = statement,
      let offset = stated.symbol.offset.flatMap({ UInt64(exactly: $0) }),
      offset > longFunction, offset <= longestFunction, stated.symbol.file == nil,
      !stated.symbol.isInlined
    else { return nil }
    return ("\(imageName)\u{0}\(stated.symbol.name)", offset)
  }

  /// Where the offset counts from that the report states, if it is longer than a function, and the
  /// name that it states.
  @inline(__always)
  fileprivate var distantStart: (start: DistantStart, name: String)? {
    guard case .read(let stated) = statement,
      let offset = stated.symbol.offset.flatMap({ UInt64(exactly: $0) }), offset > longestFunction,
      !stated.symbol.isInlined, let address = address?.value ?? imageOffset
    else { return nil }
    // An offset may count from below the image, where nothing is.
    return (DistantStart(image: imageName, address: address &- offset), stated.symbol.name)
  }

  /// Whether JSON and summaries show it.
  @inline(__always)
  package func isShown(_ options: SymbolicationOptions) -> Bool {
    isShown(onlyUserCode: options.onlyUserCode)
  }

  @inline(__always)
  fileprivate func isShown(onlyUserCode: Bool) -> Bool {
    !isSuperseded && !(onlyUserCode && image?.belongsToSystem == true)
  }
}

extension SymbolicatedBacktrace {
  /// The heaviest stack of a call tree, outermost frame first: from the root with the most samples
  /// to a leaf, each time to the callee with the most samples. Of several, the first.
  package func heaviestStack(_ options: SymbolicationOptions) -> [ShownFrame] {
    let path = Set(Self.heaviestPath(frames.map { ($0.source.depth, $0.source.sampleCount) }))
    var shown: [ShownFrame] = []
    forEachShownFrame(options, among: path) { shown.append($0) }
    return shown
  }

  /// The indices of the frames of that stack, ascending.
  ///
  /// - Parameter frames: the depth and the count of each frame, in the order of the tree. A frame
  ///   that is deeper than its caller by more than one counts as called by the frame before it.
  /// - Complexity: O(n), whatever the shape of the tree.
  static func heaviestPath(_ frames: [(depth: Int?, count: Int?)]) -> [Int] {
    /// The heaviest callee of each frame so far.
    var heaviest: [Int?] = Array(repeating: nil, count: frames.count)
    var heaviestRoot: Int?
    /// The callers of the frame that is looked at, outermost first.
    var callers: [Int] = []
    for (index, frame) in frames.enumerated() {
      callers.removeLast(max(0, callers.count - max(0, frame.depth ?? 0)))
      let rival = callers.last.map { heaviest[$0] } ?? heaviestRoot
      let isHeavier = rival.map { (frame.count ?? 0) > (frames[$0].count ?? 0) } ?? true
      if isHeavier, let caller = callers.last {
        heaviest[caller] = index
      } else if isHeavier {
        heaviestRoot = index
      }
      callers.append(index)
    }
    var path: [Int] = []
    var next = heaviestRoot
    while let index = next {
      path.append(index)
      next = heaviest[index]
    }
    return path
  }
}

// What a thread shows by its frames that no line calls the crashed one.
extension Backtrace {
  /// Whether one of the innermost functions ends the process and does nothing else.
  var endsProcess: Bool {
    frames.prefix(8).contains { frame in
      guard let name = frame.symbol?.name else { return false }
      return Self.ends.contains { end in
        // `std::terminate()` has arguments behind the name.
        name.hasPrefix(end) && (name.utf8.count == end.utf8.count || name.hasPrefix(end + "("))
      }
        || name.hasPrefix("core::panicking::panic")
    }
  }

  private static let ends = [
    "abort", "__abort", "_objc_terminate", "std::__terminate", "std::terminate", "rust_panic",
    "_swift_stdlib_reportFatalError", "__assert_rtn",
  ]

  /// What a signal interrupted, if its handler is above: the frames below `_sigtramp`. None if the
  /// handler only stops the thread for somebody else.
  ///
  /// Source: sigaction(2); for handlers that stop threads, mono/mono, mono/utils/mono-threads.c,
  /// and openjdk/jdk, src/hotspot/os/posix/signals_posix.cpp (`SR_handler`).
  var interruptedFrames: ArraySlice<StackFrame> {
    let names = frames.prefix(16).map { $0.symbol?.name ?? "" }
    guard let index = names.lastIndex(where: { SignalTrampoline.isName($0) }),
      !names[..<index].contains(where: { name in
        ["suspend", "Suspend", "SR_handler"].contains { name.hasBytes(of: $0) }
      })
    else { return [] }
    return frames[(index + 1)...]
  }
}

extension StackFrame {
  /// Whether the name of its image is none of the system's.
  var isOutsideSystem: Bool {
    imageName.map { $0 != unknownImageName && !ReportImage.Content.isSystemName($0) } ?? false
  }
}
