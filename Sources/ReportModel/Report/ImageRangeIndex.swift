import SymbolicationModel

/// The images of a report sorted by address, to find the image that holds an address.
struct ImageRangeIndex: Sendable {
  /// Indices into the list of images, by load address, then by last address, then the first in the
  /// list last. Entries for addresses without an image are left out.
  private let order: [Int32]
  /// A binary tree over `order`. Each node is the greatest last address of the images below it.
  /// Node 1 is the root, the children of node `n` are `2n` and `2n + 1`, and the `leafCount` leaves
  /// come last. A leaf is 0 for an image without addresses, and past the end of `order`.
  private let greatestLastAddresses: [UInt64]
  /// A power of two greater than the number of images in `order`.
  private let leafCount: Int

  init(_ images: [BinaryImage]) {
    var order: [Int32] = []
    order.reserveCapacity(images.count)
    for index in images.indices where images[index].kind != .absolute {
      order.append(Int32(clamping: index))
    }
    order.sort {
      let (left, right) = (images[Int($0)].loadAddress, images[Int($1)].loadAddress)
      if left != right { return left < right }
      let (leftLast, rightLast) = (images[Int($0)].lastAddress, images[Int($1)].lastAddress)
      return leftLast == rightLast ? $0 > $1 : leftLast < rightLast
    }
    var leafCount = 1
    while leafCount <= order.count { leafCount *= 2 }
    var greatest = [UInt64](repeating: 0, count: 2 * leafCount)
    for (leaf, index) in order.enumerated() {
      let image = images[Int(index)]
      if image.contains(image.loadAddress) { greatest[leafCount + leaf] = image.lastAddress.value }
    }
    for node in (1..<leafCount).reversed() {
      greatest[node] = max(greatest[2 * node], greatest[2 * node + 1])
    }
    self.order = order
    self.greatestLastAddresses = greatest
    self.leafCount = leafCount
  }

  /// The index in `images` of the image that holds the address: of several, the one that starts at
  /// `loadAddress`, else the one that starts last, of these the one that ends last, of these the
  /// first in the list. If none holds it, the one that starts at `loadAddress`, unless that is
  /// after the address.
  ///
  /// - Complexity: O(log n) in the number of images, however they overlap.
  func index(
    of address: LoadAddress, loadAddress: LoadAddress?, in images: [BinaryImage]
  ) -> Int? {
    let stated = loadAddress.flatMap { index(startingAt: $0, in: images) }
    if let stated, images[stated].contains(address) { return stated }
    var end = count(startingAtOrBefore: address, in: images)
    while let leaf = lastLeaf(before: end, endingAtOrAfter: address) {
      let index = Int(order[leaf])
      if images[index].contains(address) { return index }
      end = leaf  // Only for address 0, which an image without addresses does not hold.
    }
    guard let stated, images[stated].loadAddress <= address else { return nil }
    return stated
  }

  /// The last leaf before `end` whose image does not end before the address.
  private func lastLeaf(before end: Int, endingAtOrAfter address: LoadAddress) -> Int? {
    var node = leafCount + end
    // Go up until the left sibling holds such an image; then go down to the last one in it.
    while node > 1, node % 2 == 0 || greatestLastAddresses[node - 1] < address.value { node /= 2 }
    guard node > 1 else { return nil }
    node -= 1
    while node < leafCount {
      node = 2 * node + 1
      if greatestLastAddresses[node] < address.value { node -= 1 }
    }
    return node - leafCount
  }

  /// The image with the greatest end among those that start at an address: it holds what any of
  /// them holds.
  private func index(startingAt loadAddress: LoadAddress, in images: [BinaryImage]) -> Int? {
    let count = count(startingAtOrBefore: loadAddress, in: images)
    guard count > 0 else { return nil }
    let index = Int(order[count - 1])
    return images[index].loadAddress == loadAddress ? index : nil
  }

  private func count(startingAtOrBefore address: LoadAddress, in images: [BinaryImage]) -> Int {
    order.partitionPoint { images[Int($0)].loadAddress > address }
  }
}
