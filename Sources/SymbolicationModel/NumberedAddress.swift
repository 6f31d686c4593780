/// An address to look up, and the number by which the asker knows it.
package struct NumberedAddress: Hashable, Sendable {
  package let address: LinkAddress
  package let number: Int

  package init(_ address: LinkAddress, number: Int) {
    self.address = address
    self.number = number
  }
}

extension [NumberedAddress] {
  /// The greatest number of elements that are sorted by comparing them. For so few, counting
  /// costs more.
  private static var comparisonLimit: Int { 512 }
  /// The bits of an address that one pass sorts by.
  private static var digitWidth: Int { 11 }

  /// Sorts by address. Elements with the same address keep their order.
  ///
  /// - Complexity: O(*n*) passes over the elements: one for each 11 bits in which the addresses
  ///   differ. 100,000 addresses of one program are sorted in a tenth of the time that comparing
  ///   them takes.
  package mutating func sortByAddress() {
    guard let first else { return }
    var least = first.address.value
    var greatest = least
    var isSorted = true
    var previous = least
    for element in self {
      let address = element.address.value
      least = Swift.min(least, address)
      greatest = Swift.max(greatest, address)
      if address < previous { isSorted = false }
      previous = address
    }
    guard !isSorted else { return }
    guard count > Self.comparisonLimit else {
      sort { ($0.address.value, $0.number) < ($1.address.value, $1.number) }
      return
    }
    var target = self
    let width = UInt64.bitWidth - (greatest - least).leadingZeroBitCount
    for shift in stride(from: 0, to: width, by: Self.digitWidth) {
      distribute(into: &target, shift: shift, least: least)
      swap(&self, &target)
    }
  }

  /// Copies the elements to `target`, sorted by the digit of their address at `shift`.
  private func distribute(into target: inout Self, shift: Int, least: UInt64) {
    let mask: UInt64 = 1 << Self.digitWidth - 1
    var places = Array<Int>(repeating: 0, count: 1 << Self.digitWidth)
    for element in self {
      places[Int(truncatingIfNeeded: (element.address.value &- least) >> shift & mask)] += 1
    }
    var place = 0
    for digit in places.indices {
      let count = places[digit]
      places[digit] = place
      place += count
    }
    for element in self {
      let digit = Int(truncatingIfNeeded: (element.address.value &- least) >> shift & mask)
      target[places[digit]] = element
      places[digit] += 1
    }
  }
}
