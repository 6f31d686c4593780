import JsonReading
package import ReportModel

/// The lines in the head of a text report that belong to no field: what the application or its
/// libraries wrote into the report, the details of the termination, the memory region of the
/// faulting address, and what the kernel noted.
package struct HeadNotes {
  package private(set) var applicationInformation: [Note] = []
  private(set) var terminationDetails: [Note] = []
  package private(set) var memoryRegion: [Note] = []
  private(set) var kernelTriage: [Note] = []
  private var section = Section.none

  package init() {}

  /// A line, and where it starts in the input.
  package struct Note {
    package let start: Int
    package let text: String
  }

  private enum Section {
    case none, information, termination, memoryRegion, triage
  }

  package mutating func take(_ line: TextLine, of source: TextSource) {
    var end = line.end
    while end > line.start,
      [Ascii.carriageReturn, Ascii.space, Ascii.tab].contains(source[end - 1])
    {
      end -= 1
    }
    func starts(_ text: String) -> Bool { source.has(text, at: line.start, limit: end) }
    func note(from start: Int) -> Note {
      Note(start: line.start, text: String(decoding: source.bytes[start..<end], as: UTF8.self))
    }
    if line.start == end {
      section = .none
    } else if starts(Self.informationHeading) {
      section = .information
      var rest = line.start + Self.informationHeading.utf8.count
      while rest < end, source[rest] == Ascii.space || source[rest] == Ascii.tab { rest += 1 }
      if rest < end { applicationInformation.append(note(from: rest)) }
    } else if starts("Termination Reason:") {
      section = .termination
    } else if starts("VM Region Info:") || starts("VM Regions Near") {
      section = .memoryRegion
      memoryRegion.append(note(from: line.start))
    } else if starts("Kernel Triage:") {
      section = .triage
    } else {
      switch section {
      case .none: break
      case .triage: kernelTriage.append(note(from: line.start))
      case .information: applicationInformation.append(note(from: line.start))
      case .memoryRegion: memoryRegion.append(note(from: line.start))
      case .termination:
        if Self.fieldsAfterTermination.contains(where: { starts($0) }) {
          section = .none
        } else {
          terminationDetails.append(note(from: line.start))
        }
      }
    }
  }

  /// The notes that start before an offset: text after the end of a report is not part of it.
  package func before(_ end: Int) -> HeadNotes {
    var notes = self
    notes.applicationInformation.removeAll { $0.start >= end }
    notes.terminationDetails.removeAll { $0.start >= end }
    notes.memoryRegion.removeAll { $0.start >= end }
    notes.kernelTriage.removeAll { $0.start >= end }
    return notes
  }

  private static let informationHeading = "Application Specific Information:"

  private static let fieldsAfterTermination = [
    "Terminating Process:", "Termination Signal:", "Termination Description:",
    "Triggered by Thread:", "Crashed Thread:", "Highlighted by Thread:", "Highlighted Thread:",
    "Exception ",
  ]
}
