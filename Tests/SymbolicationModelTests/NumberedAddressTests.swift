import SymbolicationModel
import TestSupport
import Testing

struct NumberedAddressTests {
  /// The standard library's stable sort is the referee.
  @Test(
    arguments: [0, 1, 2, 512, 513, 5000], [0...0, 0...7, 0x1000...0x90_0000, 0...UInt64.max])
  func sortsByAddress(count: Int, values: ClosedRange<UInt64>) {
    var random = SeededGenerator(seed: UInt64(count))
    let addresses = (0..<count).map {
      NumberedAddress(LinkAddress(UInt64.random(in: values, using: &random)), number: $0)
    }
    var sorted = addresses
    sorted.sortByAddress()
    expectEqual(
      sorted, addresses.sorted { ($0.address.value, $0.number) < ($1.address.value, $1.number) })
    let known = sorted
    sorted.sortByAddress()
    expectEqual(sorted, known)
  }
}
