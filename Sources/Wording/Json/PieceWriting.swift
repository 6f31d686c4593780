/// Calls `make` with a closure that takes pieces of an output away, and gives each to `write`.
///
/// - Throws: what `write` throws; it is then not called again. The rest is made in vain.
package func writePieces<Failure: Error>(
  to write: ([UInt8]) throws(Failure) -> Void,
  from make: (@escaping (inout [UInt8]) -> Void) -> Void
) throws(Failure) {
  var failure: Failure?
  withoutActuallyEscaping(write) { write in
    make { piece in
      defer { piece.removeAll(keepingCapacity: true) }
      guard failure == nil else { return }
      do throws(Failure) {
        try write(piece)
      } catch {
        failure = error
      }
    }
  }
  if let failure { throw failure }
}
