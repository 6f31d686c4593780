import ReportFormats
import ReportModel
import SymbolicationModel

/// The images that the frames of a trace name. A trace lists none; frames say how far an address is
/// from the start of an image, or what it is in the image's file.
struct TraceImages {
  private let countsInFile: Bool
  private let hasBreakpadIdentifiers: Bool
  /// Where the trace begins: an empty range, for faults.
  private let byteRange: Range<Int>
  private var entries: [Entry] = []
  private var indices: [Key: Int] = [:]
  /// Those that are known to be somewhere in the process, by their names.
  private var indicesByName: [String: [Int]] = [:]
  private var builds: [String: String] = [:]
  /// Where files are in memory, by their names.
  private var mappings: [String: (path: String, base: UInt64)] = [:]
  /// Which parts of them are where, in the order of the input.
  private var mappedParts: [(range: Range<UInt64>, name: String)] = []
  /// The build-id that stands for all frames.
  private var onlyBuild: String?
  var onlyIdentity: ImageIdentity? { onlyBuild.flatMap { ImageIdentity(hexadecimal: $0.utf8) } }

  private struct Key: Hashable {
    let path: String
    let base: UInt64
  }

  private struct Entry {
    let key: Key
    /// Not every frame has it.
    var build: String?
  }

  /// The place of a frame.
  struct Place {
    let image: Int
    /// From the start of the image.
    let offset: UInt64
    /// In the process, or as if the image were loaded at 0.
    let address: UInt64
  }

  init(_ grammar: TraceGrammar, at offset: Int) {
    countsInFile = grammar.traits.countsInFile
    hasBreakpadIdentifiers = grammar.traits.hasBreakpadIdentifiers
    byteRange = offset..<offset
    nameOfOnlyImage = grammar.traits.onlyImageName
  }

  /// What frames mean that name no image.
  var nameOfOnlyImage: String?
  /// Where it was loaded.
  private(set) var onlyBase: UInt64?

  /// - Parameters:
  ///   - place: the distance from the start of the image, or the address in its file.
  ///   - address: in the process; nil if the frame does not state it.
  /// - Returns: nil if there is no image, or if the numbers contradict each other.
  mutating func place(
    _ path: String?, build: String?, place: UInt64, address: UInt64?,
    _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> Place? {
    guard let path else { return nil }
    let stated = address ?? place
    guard stated >= place else { return nil }
    var (place, slide) = (place, stated - place)
    // Some look one byte before a return address up, and state the place of that byte.
    if countsInFile, slide & 0xFFF == 1 { (place, slide) = (place + 1, slide - 1) }
    let fileBase =
      countsInFile ? SanitizerImages.fileBase(of: place, isMoved: slide > 0 || address == nil) : 0
    let key = Key(path: path, base: slide + fileBase)
    guard let index = index(of: key, allowance, &faults) else { return nil }
    if entries[index].build == nil { entries[index].build = build }
    // A library may be named with its path, and inside an archive.
    let name = path.traceImageName
    if builds[name] == nil { builds[name] = build }
    return Place(image: index, offset: place - fileBase, address: stated)
  }

  /// Whether an image's path begins with this one, which then most likely was cut.
  func haveLongerPath(than path: String) -> Bool {
    entries.contains {
      $0.key.path.utf8.count > path.utf8.count && $0.key.path.utf8.starts(with: path.utf8)
    }
  }

  /// Nil if there are too many images.
  private mutating func index(
    of key: Key, _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> Int? {
    if let known = indices[key] { return known }
    guard allowance.takeImage(at: byteRange, &faults) else { return nil }
    let index = entries.count
    indices[key] = index
    if key.base > 0 { indicesByName[key.path.traceImageName, default: []].append(index) }
    entries.append(Entry(key: key))
    return index
  }

  /// Takes `Module app with build-id 5f0c…`, and `build_id: '5f0c…'`, which is about all frames.
  mutating func takeBuild(_ match: LineMatch, _ source: TextSource) {
    guard let build = match.text(.build, source) else { return }
    if let name = match.text(.image, source)?.traceImageName {
      builds[name] = build
    } else {
      onlyBuild = build
    }
  }

  /// Takes a line of `/proc/self/maps` or of a debugger's list, or where the only image is.
  mutating func takeMapping(_ match: LineMatch, _ source: TextSource, system: String?) {
    guard let base = match.number(.base, source) else { return }
    guard let path = match.text(.path, source) else {
      onlyBase = base
      return
    }
    let name = path.traceImageName
    if let end = match.number(.end, source), end > base { mappedParts.append((base..<end, name)) }
    guard match[.offset] == nil || match.integer(.offset, source) == 0, mappings[name] == nil
    else { return }
    mappings[name] = (path, base)
    if let build = match.text(.build, source) {
      guard hasBreakpadIdentifiers else { return builds[name] = build }
      // Of ELF files it is another number.
      if system?.hasPrefix("Linux") == false { builds[name] = String(build.prefix(32)) }
    }
  }

  /// The frame with its place in the image that it names, if other frames say where that is; or in
  /// the one that is mapped there.
  mutating func placed(
    _ frame: StackFrame, _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> StackFrame {
    guard var values = frame.values, values.imageIndex == nil,
      values.imageRelativeAddress == nil, let address = frame.address?.value,
      let name = values.imageName
        ?? mappedParts.first(where: { $0.range.contains(address) })?.name
    else { return frame }
    let known = indicesByName[name] ?? []
    guard known.count < 2,
      let index = known.first ?? mappedImage(name, allowance, &faults),
      address >= entries[index].key.base
    else { return frame }
    values.imageIndex = index
    values.imageOffset = address - entries[index].key.base
    return StackFrame(address: frame.address, carrier: .values(values))
  }

  /// The image that the map of the process's memory has by this name.
  private mutating func mappedImage(
    _ name: String, _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> Int? {
    guard let (path, base) = mappings[name] else { return nil }
    return index(of: Key(path: path, base: base), allowance, &faults)
  }

  /// In the order in which frames name them.
  ///
  /// - Parameter offset: where they are said to be in the input, behind all frames.
  func images(at offset: Int) -> [BinaryImage] {
    entries.map { entry in
      let path = entry.key.path
      var values = BinaryImage.Values(byteRange: offset..<offset)
      let name = path.traceImageName
      values.name = name
      // What is in an archive is as if in a folder.
      values.path = path.contains("/") ? path.split(separator: "!").joined(separator: "/") : nil
      let build = entry.build ?? builds[name] ?? onlyBuild
      values.identity = build.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
      let base = LoadAddress(entry.key.base)
      return BinaryImage(loadAddress: base, endAddress: base, values)
    }
  }
}
