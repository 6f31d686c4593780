internal import SymbolicationModel

/// The images of a report sorted by address, for the search.
struct ImageIndex: Sendable {
  /// Positions in the list of images, by load address; the pseudo-image is not among them.
  private let positions: [Int32]
  /// For each of `positions`, the greatest last address up to there: where it is less than an address,
  /// no earlier image holds the address.
  private let greatestLastAddresses: [UInt64]

  init(_ images: [BinaryImage]) {
    var sorted: [Int32] = []
    sorted.reserveCapacity(images.count)
    for position in images.indices where !images[position].isAbsolutePseudoImage {
      sorted.append(Int32(clamping: position))
    }
    sorted.sort {
      let (left, right) = (images[Int($0)].loadAddress, images[Int($1)].loadAddress)
      return left == right ? $0 < $1 : left < right
    }
    var greatest: UInt64 = 0
    positions = sorted
    greatestLastAddresses = sorted.map {
      greatest = max(greatest, images[Int($0)].lastAddress.value)
      return greatest
    }
  }

  func position(
    of address: LoadAddress, loadAddress: LoadAddress?, in images: [BinaryImage]
  ) -> Int? {
    var best: Int?
    var place = count(startingAtOrBefore: address, in: images)
    while place > 0, greatestLastAddresses[place - 1] >= address.value {
      place -= 1
      let position = Int(positions[place])
      guard images[position].contains(address) else { continue }
      guard let loadAddress else { return position }
      if images[position].loadAddress == loadAddress { return position }
      if best == nil { best = position }
    }
    if best == nil, let loadAddress, loadAddress <= address {
      best = position(startingAt: loadAddress, in: images)
    }
    return best
  }

  private func position(startingAt loadAddress: LoadAddress, in images: [BinaryImage]) -> Int? {
    let place = count(startingAtOrBefore: loadAddress, in: images)
    guard place > 0 else { return nil }
    let position = Int(positions[place - 1])
    return images[position].loadAddress == loadAddress ? position : nil
  }

  private func count(startingAtOrBefore address: LoadAddress, in images: [BinaryImage]) -> Int {
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
