import SymbolIndex
import SymbolicationModel

extension IndexFault {
  /// The same in the terms that all parts share.
  init(_ error: IndexFileError) {
    switch error {
    case .inaccessible(let errno): self = .inaccessible(errno: errno)
    case .gsym(let error): self.init(error)
    case .trailer(.unsupportedVersion(let version)): self = .unsupportedVersion(version)
    case .trailer(.bodySize(let size, _)):
      self = .damaged(structure: "size of the trailer", value: size)
    case .trailer(.checksum(let stated)):
      self = .damaged(structure: "checksum of the trailer", value: stated)
    case .trailer(.contentSize(_, let actual)):
      self = .damaged(structure: "size without the trailer", value: actual)
    }
  }

  /// The same in the terms that all parts share.
  init(_ error: GsymError) {
    switch error {
    case .notGsym: self = .foreign
    case .unsupportedVersion(let version): self = .unsupportedVersion(UInt32(version))
    case .unsupportedAddressOffsetSize(let size):
      self = .damaged(structure: "size of an address offset", value: UInt64(size))
    case .oversizedUuid(let size): self = .damaged(structure: "UUID's size", value: UInt64(size))
    case .outOfBounds(_, _, _, let available):
      self = .damaged(structure: "size", value: available)
    case .malformedFunction(_, let offset):
      self = .damaged(structure: "record at offset", value: offset)
    }
  }
}
