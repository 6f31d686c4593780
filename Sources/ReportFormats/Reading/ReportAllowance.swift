package import ReportModel
package import SymbolicationModel

/// How many threads, frames and images of an input may still be read. All readers share it, and
/// what is left out is a fault, once for each kind.
///
/// A report of a gigabyte can hold 300 million frames of three bytes. In memory, each takes a
/// hundred times as much.
package final class ReportAllowance {
  private var threads: Counter
  private var frames: Counter
  private var images: Counter

  private struct Counter {
    var remaining: Int
    var isNoted = false
    let fault: ParseFault.Kind

    init(_ limit: UInt64, _ fault: ParseFault.Kind) {
      remaining = Int(clamping: limit)
      self.fault = fault
    }

    mutating func take(
      at range: @autoclosure () -> Range<Int>, _ faults: inout [ParseFault]
    ) -> Bool {
      if remaining > 0 {
        remaining -= 1
        return true
      }
      if !isNoted { faults.append(ParseFault(kind: fault, byteRange: range())) }
      isNoted = true
      return false
    }
  }

  /// - Parameter reports: what was read of the input before.
  package init(_ limits: ResourceLimits, after reports: [Report] = []) {
    threads = Counter(limits.threads, .tooManyThreads)
    frames = Counter(limits.frames, .tooManyFrames)
    images = Counter(limits.images, .tooManyImages)
    for report in reports {
      threads.remaining -= report.backtraces.count
      frames.remaining -= report.backtraces.reduce(0) { $0 + $1.frames.count }
      images.remaining -= report.images.count
    }
  }

  /// How many frames may still be read.
  package var remainingFrames: Int { frames.remaining }
  /// Whether images were left out.
  var hasLeftOutImages: Bool { images.isNoted }

  /// Takes a thread, or another backtrace.
  ///
  /// - Parameter range: where it is, for the fault.
  /// - Returns: false if it must be left out.
  package func takeThread(at range: @autoclosure () -> Range<Int>, _ faults: inout [ParseFault])
    -> Bool
  {
    threads.take(at: range(), &faults)
  }

  /// Takes a frame; see `takeThread`.
  @inline(__always)
  package func takeFrame(at range: @autoclosure () -> Range<Int>, _ faults: inout [ParseFault])
    -> Bool
  {
    frames.take(at: range(), &faults)
  }

  /// Takes an image; see `takeThread`.
  package func takeImage(at range: @autoclosure () -> Range<Int>, _ faults: inout [ParseFault])
    -> Bool
  {
    images.take(at: range(), &faults)
  }
}
