import ReportFormats
import ReportModel
import SymbolicationModel

/// The modules that the frames of a report name. It lists none; each frame says how far its address
/// is from where its module begins.
///
/// Sanitizers count from the module's first segment (sanitizer_procmaps). In a Mach-O executable
/// that is `__PAGEZERO`, which begins at 0, so the distance is the address in the file, which is
/// 4 GB or more; in a library it is `__TEXT`, which begins at 0 in the file. In an ELF file it is
/// address 0 of the file. So the distance is always the address in the file, and the first address
/// of the module in the process follows from where such files begin.
struct SanitizerImages {
  private var entries: [Entry] = []
  private var indices: [Key: Int] = [:]
  private(set) var architecture: Architecture?
  /// Where they are said to be in the input: an empty range, because their bytes are the frames'.
  private let byteRange: Range<Int>

  private struct Key: Hashable {
    let path: String
    let architecture: String?
    let base: UInt64
  }

  private struct Entry {
    let key: Key
    /// Not every frame has it.
    var buildId: String?
  }

  /// The place of a frame.
  struct Place {
    let image: Int
    let name: String
    /// From the start of the image.
    let offset: UInt64
    /// In the process, or in the file if the report does not say where the module was.
    let address: UInt64
  }

  /// - Parameter offset: a place in the report before all frames.
  init(at offset: Int) { byteRange = offset..<offset }

  /// Nil if no more images may be read, or the numbers contradict each other.
  mutating func place(
    _ module: SanitizerFrameContent.Module, of frame: SanitizerFrame, _ source: TextSource,
    _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> Place? {
    let fileAddress = module.offset
    let address = frame.address?.value ?? fileAddress
    guard address >= fileAddress else { return nil }
    let slide = address - fileAddress
    let fileBase = Self.fileBase(of: fileAddress, isMoved: slide > 0 || frame.address == nil)
    let (base, overflow) = slide.addingReportingOverflow(fileBase)
    guard !overflow else { return nil }
    let path = source.string(module.path)
    let key = Key(
      path: path, architecture: module.architecture.map { source.string($0) }, base: base)
    let buildId = module.buildId.map { source.string($0) }
    let index: Int
    if let known = indices[key] {
      index = known
      if entries[known].buildId == nil { entries[known].buildId = buildId }
    } else {
      guard allowance.takeImage(at: byteRange, &faults) else { return nil }
      index = entries.count
      indices[key] = index
      entries.append(Entry(key: key, buildId: buildId))
      if architecture == nil { architecture = key.architecture.map { Architecture(name: $0) } }
    }
    return Place(
      image: index, name: path.lastPathComponent, offset: fileAddress - fileBase, address: address)
  }

  /// The first address of a file, by an address in it. An ELF executable that is not moved begins
  /// at 4 MB, where GNU's linker puts it.
  static func fileBase(of address: UInt64, isMoved: Bool) -> UInt64 {
    if address >= 0x1_0000_0000 { return 0x1_0000_0000 }
    return !isMoved && address >= 0x40_0000 ? 0x40_0000 : 0
  }

  /// In the order in which frames name them.
  var images: [BinaryImage] {
    entries.map { entry in
      let key = entry.key
      var values = BinaryImage.Values(byteRange: byteRange)
      values.name = key.path.lastPathComponent
      values.path = key.path.contains("/") ? key.path : nil
      values.identity = entry.buildId.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
      values.architecture = key.architecture.map { Architecture(name: $0) }
      let base = LoadAddress(key.base)
      return BinaryImage(loadAddress: base, endAddress: base, values)
    }
  }
}
