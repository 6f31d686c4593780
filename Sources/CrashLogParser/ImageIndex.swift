internal import SymbolicationModel

/// What the search by address has to know of an image.
protocol AddressedImage {
  var loadAddress: LoadAddress { get }
  /// Inclusive.
  var lastAddress: LoadAddress { get }
  var isAbsolutePseudoImage: Bool { get }
  func contains(_ address: LoadAddress) -> Bool
}

extension BinaryImage: AddressedImage {}
extension IpsImage: AddressedImage {}

/// The images of a report sorted by address, for the search.
struct ImageIndex: Sendable {
  /// Positions in the list of images, by load address, then by last address, then the first in the list
  /// last; the pseudo-image is not among them.
  private let positions: [Int32]
  /// For each of `positions`, the greatest last address up to there: where it is less than an address,
  /// no earlier image holds the address.
  private let greatestLastAddresses: [UInt64]

  init(_ images: [some AddressedImage]) {
    var sorted: [Int32] = []
    sorted.reserveCapacity(images.count)
    for position in images.indices where !images[position].isAbsolutePseudoImage {
      sorted.append(Int32(clamping: position))
    }
    sorted.sort {
      let (left, right) = (images[Int($0)].loadAddress, images[Int($1)].loadAddress)
      if left != right { return left < right }
      let (leftLast, rightLast) = (images[Int($0)].lastAddress, images[Int($1)].lastAddress)
      return leftLast == rightLast ? $0 > $1 : leftLast < rightLast
    }
    var greatest: UInt64 = 0
    positions = sorted
    greatestLastAddresses = sorted.map {
      greatest = max(greatest, images[Int($0)].lastAddress.value)
      return greatest
    }
  }

  func position(
    of address: LoadAddress, loadAddress: LoadAddress?, in images: [some AddressedImage]
  ) -> Int? {
    let stated = loadAddress.flatMap { position(startingAt: $0, in: images) }
    if let stated, images[stated].contains(address) { return stated }
    var place = count(startingAtOrBefore: address, in: images)
    while place > 0, greatestLastAddresses[place - 1] >= address.value {
      place -= 1
      let position = Int(positions[place])
      if images[position].contains(address) { return position }
    }
    guard let stated, images[stated].loadAddress <= address else { return nil }
    return stated
  }

  /// The image with the greatest end of those that start at an address: it holds what any of them holds.
  private func position(startingAt loadAddress: LoadAddress, in images: [some AddressedImage])
    -> Int?
  {
    let place = count(startingAtOrBefore: loadAddress, in: images)
    guard place > 0 else { return nil }
    let position = Int(positions[place - 1])
    return images[position].loadAddress == loadAddress ? position : nil
  }

  private func count(startingAtOrBefore address: LoadAddress, in images: [some AddressedImage])
    -> Int
  {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = low + (high - low) / 2
      if images[Int(positions[middle])].loadAddress <= address {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
