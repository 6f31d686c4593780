/// What a jetsam report says: the use of memory when the system ended processes to get some.
package struct MemoryEvent: Hashable, Sendable {
  /// In bytes; the other numbers count pages.
  package var pageSize: UInt64?
  /// The name of the process that used most memory, as the system says.
  package var largestProcess: String?
  /// Pages by their use (`free`, `active`, `wired`, …), in the order of the report.
  package var pages: [Pages] = []
  /// Those that can be read, in the order of the report.
  package var processes: [Process] = []

  package init() {}

  package struct Pages: Hashable, Sendable {
    package let name: String
    package let count: UInt64

    package init(name: String, count: UInt64) {
      self.name = name
      self.count = count
    }
  }

  package struct Process: Hashable, Sendable {
    package let name: String?
    package let identifier: Int?
    /// Resident pages.
    package let pages: UInt64?
    /// The most pages that it had.
    package let greatestPages: UInt64?
    /// Why it was ended: `per-process-limit`, `vm-pageshortage`, …; nil if it was not.
    package let reason: String?
    /// `frontmost`, `suspended`, `daemon`, ….
    package let states: [String]
    /// The member `reason`, or else the whole object: a half-open range of offsets in the input.
    package let byteRange: Range<Int>

    package init(
      name: String?, identifier: Int?, pages: UInt64?, greatestPages: UInt64?, reason: String?,
      states: [String], byteRange: Range<Int>
    ) {
      self.name = name
      self.identifier = identifier
      self.pages = pages
      self.greatestPages = greatestPages
      self.reason = reason
      self.states = states
      self.byteRange = byteRange
    }
  }

  /// The processes that were ended, largest first.
  package var killed: [Process] {
    let killed = processes.filter { $0.reason != nil }
    let order = killed.indices.sorted { one, other in
      let (first, second) = (killed[one].pages ?? 0, killed[other].pages ?? 0)
      return first == second ? one < other : first > second
    }
    return order.map { killed[$0] }
  }

  /// The process that the system names as the largest, or else the one with the most pages.
  package var largest: Process? {
    largestProcess.flatMap { name in processes.first { $0.name == name } }
      ?? (largestProcess == nil ? processes.max { $0.pages ?? 0 < $1.pages ?? 0 } : nil)
  }

  /// Pages as bytes; nil if the size of a page is missing, or the product does not fit.
  package func byteCount(pages: UInt64?) -> UInt64? {
    guard let pages, let pageSize else { return nil }
    let (bytes, overflows) = pages.multipliedReportingOverflow(by: pageSize)
    return overflows ? nil : bytes
  }
}
