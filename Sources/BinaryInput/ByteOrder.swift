/// The order of the bytes of a number.
package enum ByteOrder: Sendable {
  case little
  case big

  /// The byte order of the machine that this program runs on.
  package static var native: ByteOrder { 1.littleEndian == 1 ? .little : .big }
}
