import ReportModel
import SymbolicationModel

/// Where a frame of a call stack tree lies: in the process, and in its image.
///
/// The frame states an address and `offsetIntoBinaryTextSegment`, which has meant different things.
/// Images begin at a page, so the difference of the two tells which:
///
/// - Since iOS 15 it is the distance from the start of the image. The difference is the start.
/// - In iOS 14 it is the start of the image itself.
/// - Stacks that were sampled (hangs, since iOS 16 at the latest) count to the byte before a return
///   address, while the address is the return address: the difference is one more than the start.
///   So it tells return addresses from others.
struct FramePlace {
  /// The address in the process; from the start of the image if the frame states none.
  let address: LoadAddress
  /// The start of the image; 0 if it is not known.
  let base: LoadAddress
  /// Nil if the numbers do not tell.
  let kind: FrameAddressKind?
  /// The stated address cannot be one of the image.
  let isContradictory: Bool

  private static let pageMask: UInt64 = 0xfff

  /// - Parameters:
  ///   - address: as stated.
  ///   - offset: as stated.
  ///   - isIntel: whether instructions begin at any byte.
  init(address: UInt64?, offset: UInt64, isIntel: Bool) {
    guard let address, offset <= address else {
      // On Arm, instructions begin at multiples of four.
      let isBeforeReturn = !isIntel && offset & 3 == 3
      self.address = LoadAddress(isBeforeReturn ? offset &+ 1 : offset)
      base = LoadAddress(0)
      kind = isBeforeReturn ? .returnAddress : nil
      isContradictory = address != nil
      return
    }
    self.address = LoadAddress(address)
    isContradictory = false
    let difference = address - offset
    if offset > address / 2, offset & Self.pageMask == 0 {
      base = LoadAddress(offset)
      kind = nil
    } else if difference & Self.pageMask == 1 {
      base = LoadAddress(difference - 1)
      kind = .returnAddress
    } else {
      base = LoadAddress(difference)
      kind = nil
    }
  }
}
