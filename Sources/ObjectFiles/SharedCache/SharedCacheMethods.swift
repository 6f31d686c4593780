import BinaryInput
import SymbolicationModel
import Synchronization

/// The Objective-C methods of an image in a shared cache, which have names where the symbols of
/// their functions are gone: `-[Class selector]`, and for class methods `+[Class selector]`.
///
/// The structures are those of Apple's objc4 (`objc-runtime-new.h`). Lists of methods are of
/// pointers, or relative to themselves. The selectors of relative lists in a cache are relative to
/// one address that the cache states, since macOS 12 and iOS 15, or to the entry before.
struct SharedCacheMethods {
  private let image: ObjectFile
  private let files: SharedCache.Joined
  private let cache: SharedCache
  private let allowance: SharedCache.Allowance
  private let code: [Section]
  private let pointerSize: UInt64
  private var candidates: [SymbolTable.Candidate] = []
  /// The names, each with a zero at its end.
  private var names: [UInt8] = []
  /// The lists that were read: many classes may state one.
  private var seen: Set<UInt64> = []

  init(
    of image: ObjectFile, in files: SharedCache.Joined, cache: SharedCache,
    _ allowance: SharedCache.Allowance
  ) {
    self.allowance = allowance
    self.image = image
    self.files = files
    self.cache = cache
    self.pointerSize = UInt64(image.addressSize)
    self.code = image.sections.filter { $0.holdsCode && !$0.addresses.isEmpty }
      .sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
  }

  /// The methods with code in the image; nil if there are none.
  consuming func table(functionStarts: FunctionStarts?) -> SymbolTable? {
    for pointer in pointers(in: "__objc_classlist") { readClass(at: pointer) }
    for pointer in pointers(in: "__objc_catlist") { readCategory(at: pointer) }
    guard !candidates.isEmpty else { return nil }
    return SymbolTable(
      candidates, names: .strings(ByteRegion(copying: names)),
      boundaries: functionStarts?.all() ?? [], faults: [])
  }

  private func pointer(at address: UInt64) -> UInt64? {
    files.pointer(at: address, size: Int(pointerSize))
  }

  /// The pointers in the sections of that name.
  private func pointers(in name: String) -> [UInt64] {
    var found: [UInt64] = []
    for section in image.sections where section.name == name {
      var address = section.addresses.lowerBound.value
      while section.addresses.upperBound.value - address >= pointerSize,
        allowance.takes(Int(pointerSize)), let pointer = pointer(at: address)
      {
        if pointer != 0 { found.append(pointer) }
        address += pointerSize
      }
    }
    return found
  }

  // MARK: - Classes

  /// `class_ro_t` of the class at `address`: its name and its list of methods.
  private func content(ofClass address: UInt64) -> (name: String, methods: UInt64)? {
    // `class_t`: isa, superclass, two words of cache, and data with flags in its low bits.
    guard let data = pointer(at: address &+ 4 * pointerSize) else { return nil }
    let content = data & ~(pointerSize - 1)
    let nameOffset: UInt64 = pointerSize == 8 ? 24 : 16
    guard let nameAddress = pointer(at: content &+ nameOffset),
      let name = files.text(at: nameAddress),
      let methods = pointer(at: content &+ nameOffset &+ pointerSize)
    else { return nil }
    return (name, methods)
  }

  private mutating func readClass(at address: UInt64) {
    guard let content = content(ofClass: address) else { return }
    readMethods(at: content.methods, "-[\(content.name) ")
    guard let metaclass = pointer(at: address), let own = self.content(ofClass: metaclass) else {
      return
    }
    readMethods(at: own.methods, "+[\(content.name) ")
  }

  /// `category_t`: name, class, methods, class methods.
  private mutating func readCategory(at address: UInt64) {
    guard let nameAddress = pointer(at: address), let name = files.text(at: nameAddress),
      let owner = pointer(at: address &+ pointerSize)
    else { return }
    let className = content(ofClass: owner)?.name ?? ""
    for (index, sign) in [(UInt64(2), "-"), (3, "+")] {
      guard let methods = pointer(at: address &+ index * pointerSize) else { continue }
      readMethods(at: methods, "\(sign)[\(className)(\(name)) ")
    }
  }

  // MARK: - Lists

  /// `method_list_t`, or `relative_list_list_t` if the lowest bit is set.
  private mutating func readMethods(at address: UInt64, _ start: String) {
    guard address != 0, seen.insert(address).inserted else { return }
    guard address & 1 == 0 else { return readLists(at: address & ~1, start) }
    guard let bytes = files.bytes(from: address),
      let flags = bytes.unsigned(at: 0, size: 4, byteOrder: .little),
      let count = bytes.unsigned(at: 4, size: 4, byteOrder: .little)
    else { return }
    let isRelative = flags & 0x8000_0000 != 0
    let size = isRelative ? 12 : 3 * pointerSize
    guard flags & 0xfffc == size, count <= UInt64(bytes.count - 8) / size else { return }
    for index in 0..<count {
      guard allowance.takes(Int(size)) else { return }
      let entry = address + 8 + index * size
      if isRelative {
        guard let selector = offset(at: entry), let code = offset(at: entry &+ 8) else { return }
        let name = selectorAddress(entry, selector, isDirect: flags & 0x4000_0000 != 0)
        add(start, name, code: entry &+ 8 &+ code)
      } else if let name = pointer(at: entry), let code = pointer(at: entry &+ 2 * pointerSize) {
        add(start, name, code: code)
      }
    }
  }

  /// Lists of several images for one class: a number of entries, and for each the index of an image
  /// (16 bits) and where its list is, relative to the entry (48 bits).
  private mutating func readLists(at address: UInt64, _ start: String) {
    guard let bytes = files.bytes(from: address),
      bytes.unsigned(at: 0, size: 4, byteOrder: .little) == 8,
      let count = bytes.unsigned(at: 4, size: 4, byteOrder: .little),
      count <= UInt64(bytes.count - 8) / 8
    else { return }
    for index in 0..<count {
      let place = 8 + 8 * index
      guard allowance.takes(8),
        let entry = bytes.unsigned(at: place, size: 8, byteOrder: .little)
      else { return }
      let offset = UInt64(bitPattern: Int64(bitPattern: entry) >> 16)
      let list = address &+ place &+ offset
      if list & 1 == 0 { readMethods(at: list, start) }
    }
  }

  /// The signed number of 32 bits at `address`.
  private func offset(at address: UInt64) -> UInt64? {
    guard let place = files.place(of: address),
      let number = place.file.region.unsigned(at: place.offset, size: 4, byteOrder: .little)
    else { return nil }
    return UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: number)))
  }

  private func selectorAddress(_ entry: UInt64, _ offset: UInt64, isDirect: Bool) -> UInt64 {
    guard isDirect else { return pointer(at: entry &+ offset) ?? 0 }
    return (cache.selectorBase(in: files) ?? entry) &+ offset
  }

  private mutating func add(_ start: String, _ selector: UInt64, code address: UInt64) {
    guard let section = code.lastStarting(upTo: LinkAddress(address), range: \.addresses),
      section.addresses.contains(LinkAddress(address)), let text = files.text(at: selector),
      let key = UInt32(exactly: names.count), let index = UInt32(exactly: candidates.count),
      allowance.takes(start.utf8.count + text.utf8.count)
    else { return }
    names += Array(start.utf8) + Array(text.utf8) + [UInt8(ascii: "]"), 0]
    candidates.append(
      SymbolTable.Candidate(
        start: address, limit: section.endOfUnsizedCode(at: address), name: key, index: index,
        hasSize: false, rank: 0))
  }
}

extension SharedCache {
  /// The address to which the selectors of relative lists are relative; nil if the cache states
  /// none: they are then relative to themselves.
  ///
  /// The header leads to it (`ObjCOptimizationHeader`), or before macOS 13 and iOS 16 a section of
  /// libobjc (`objc_opt_t`).
  func selectorBase(in files: Joined) -> UInt64? {
    selectorBase.withLock { known in
      if let known { return known.address }
      let address = findSelectorBase(files)
      known = SelectorBase(address: address)
      return address
    }
  }

  private func findSelectorBase(_ files: Joined) -> UInt64? {
    func number(_ address: UInt64, _ size: Int) -> UInt64 {
      guard let place = files.place(of: address) else { return 0 }
      return place.file.region.unsigned(at: place.offset, size: size, byteOrder: .little) ?? 0
    }
    let base = main.mappings.first?.addresses.lowerBound ?? 0
    let header = main.number(.objcOptsOffset)
    if header != 0 {
      // relativeMethodSelectorBaseAddressOffset
      let offset = number(base &+ header &+ 48, 8)
      return offset == 0 ? nil : base &+ offset
    }
    guard let library = images.firstIndex(where: { $0.path == "/usr/lib/libobjc.A.dylib" }),
      let section = SharedCacheImage(cache: self, index: library).section("__objc_opt_ro", files)
    else { return nil }
    // `version`; the address follows eight numbers of 32 bits.
    guard number(section, 4) >= 16 else { return nil }
    let offset = number(section &+ 40, 8)
    return offset == 0 ? nil : section &+ offset
  }
}

/// The address, and that it was looked for.
struct SelectorBase: Sendable {
  let address: UInt64?
}
