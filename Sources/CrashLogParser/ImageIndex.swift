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
  /// A binary tree over `positions` whose every node is the greatest last address of the images below
  /// it. Node 1 is the root, the children of node `n` are `2n` and `2n + 1`, and the leaves, of which
  /// there are `leafCount`, come last. A leaf is 0 for an image without addresses, and where there is
  /// none.
  private let greatestLastAddresses: [UInt64]
  /// A power of two that is greater than the number of `positions`.
  private let leafCount: Int

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
    var leafCount = 1
    while leafCount <= sorted.count { leafCount *= 2 }
    var greatest = [UInt64](repeating: 0, count: 2 * leafCount)
    for (place, position) in sorted.enumerated() {
      let image = images[Int(position)]
      if image.contains(image.loadAddress) { greatest[leafCount + place] = image.lastAddress.value }
    }
    for node in (1..<leafCount).reversed() {
      greatest[node] = max(greatest[2 * node], greatest[2 * node + 1])
    }
    self.positions = sorted
    self.greatestLastAddresses = greatest
    self.leafCount = leafCount
  }

  /// The position in `images` of the image that holds the address: of several, the one that starts at
  /// `loadAddress`, else the one that starts last, of these the one that ends last, of these the first
  /// in the list. Where none holds it, the one that starts at `loadAddress` if that is not behind the
  /// address.
  ///
  /// Cost: logarithmic in the number of images, however they overlap.
  func position(
    of address: LoadAddress, loadAddress: LoadAddress?, in images: [some AddressedImage]
  ) -> Int? {
    let stated = loadAddress.flatMap { position(startingAt: $0, in: images) }
    if let stated, images[stated].contains(address) { return stated }
    var place = count(startingAtOrBefore: address, in: images)
    while let found = lastPlace(before: place, endingAtOrAfter: address) {
      let position = Int(positions[found])
      if images[position].contains(address) { return position }
      place = found  // Only for address 0, which an image without addresses does not hold.
    }
    guard let stated, images[stated].loadAddress <= address else { return nil }
    return stated
  }

  /// The last of the `positions` before a place whose image does not end before the address.
  private func lastPlace(before place: Int, endingAtOrAfter address: LoadAddress) -> Int? {
    var node = leafCount + place
    // Up, until what stands to the left holds such an image; then down to the last one in it.
    while node > 1, node % 2 == 0 || greatestLastAddresses[node - 1] < address.value { node /= 2 }
    guard node > 1 else { return nil }
    node -= 1
    while node < leafCount {
      node = 2 * node + 1
      if greatestLastAddresses[node] < address.value { node -= 1 }
    }
    return node - leafCount
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
    positions.partitionPoint { images[Int($0)].loadAddress > address }
  }
}
