import CodeOwnership
import CrashLogParser
import CrashReading
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

/// One report in the schema of `JsonRenderer`.
///
/// A class, because each part of the document is written by a function of its own, which has it.
final class JsonReport {
  package let counts: FrameCounts
  private let report: SymbolicatedReport
  private let images: JsonImages
  private let reading: CrashReading
  private let cause: CrashCause

  init(_ report: SymbolicatedReport, of input: SymbolicatedInput) {
    self.report = report
    self.counts = FrameCounts(report, input.options)
    self.images = JsonImages(report)
    self.reading = CrashReading(report, input.options)
    self.cause = report.cause(reading)
  }

  private var facts: ReportFacts { _read { yield report.source.facts } }
  private var options: SymbolicationOptions { _read { yield reading.options } }

  /// Writes the members of the report into the open object.
  package func write(to writer: inout JsonWriter) {
    writer.member("format", report.source.format.schemaName)
    writer.member("event", facts.event.rawValue)
    writer.member("eventExtent", facts.eventExtent)
    writer.member("incident", facts.incident)
    writer.member("bugType", facts.bugType)
    writer.member("date", facts.date)
    writer.member("launchDate", facts.launchDate)
    writer.member("hardwareModel", facts.hardwareModel)
    writer.member("crashReporterKey", facts.crashReporterKey)
    writer.member(object: "process", process)
    writer.member(object: "parentProcess") { write(facts.parent, to: &$0) }
    writer.member(object: "responsibleProcess") { write(facts.responsible, to: &$0) }
    writer.member("distribution", facts.distribution?.rawValue)
    writer.member("timeAwake", facts.timeAwake)
    writer.member(object: "os") { writer in
      writer.member("name", facts.system.name)
      writer.member("version", facts.system.version)
      writer.member("build", facts.system.build)
    }
    writer.member("architecture", facts.architecture?.name)
    writer.member("codeType", facts.codeType)
    writer.member("translated", facts.isTranslated)
    writer.member(object: "exception", exception)
    writer.member(object: "termination", termination)
    writer.member(strings: "applicationSpecificInformation", facts.applicationInformation)
    writer.member(strings: "memoryRegion", facts.memoryRegion)
    writer.member(strings: "kernelTriage", facts.kernelTriage)
    writer.member(
      optionalObject: "panic", facts.panic.map { panic in { self.write(panic, to: &$0) } })
    writer.member(
      "crashedThread", facts.event == .crash ? facts.namedCrashedThread : facts.crashedThread)
    writer.member(object: "crash", crash)
    writer.member(optionalObject: "signature", signature)
    writer.key("backtraces")
    // In the array each backtrace, its frames, and each frame.
    let jsonFrame = jsonFrame(writer, levels: 4)
    writer.array { writer in
      for index in report.backtraces.indices where report.backtraces[index].isSelected {
        writer.element()
        writer.object { writeBacktrace(index, jsonFrame, to: &$0) }
      }
    }
    writer.member(objects: "images", images.entries) { write($1, to: &$0) }
    let wanted = WantedImage(report, reading, options)
    writer.key("missingSymbols")
    writer.array { writer in
      for missing in missingImages {
        writer.element()
        writer.object { write(missing, wanted: wanted, to: &$0) }
      }
      for frames in report.unplacedFrames {
        writer.element()
        writer.object { write(frames, to: &$0) }
      }
    }
    writer.member(objects: "contradictions", contradictedImages) { write($1, to: &$0) }
    writer.member(object: "counts") { counts.write(to: &$0) }
    writer.member(objects: "fields", facts.fields) { writer, field in
      writer.member("name", field.name)
      writer.member("value", field.value)
    }
    writer.member(objects: "faults", report.source.faults) { writer, fault in
      writer.member("kind", fault.kind.rawValue)
      let range =
        report.source.wrapping?.inputRange(of: fault.byteRange) ?? fault.byteRange
      writer.member("offset", range.lowerBound)
      writer.member("length", range.count)
    }
  }

  // MARK: Facts

  private func process(_ writer: inout JsonWriter) {
    let process = facts.process
    writer.member("name", report.processName)
    writer.member("pid", report.processIdentifier)
    writer.member("path", process.path)
    writer.member("identifier", process.bundleIdentifier)
    writer.member("version", process.version)
    writer.member("shortVersion", process.shortVersion)
    writer.member("bundleVersion", process.bundleVersion)
    writer.member("role", process.role)
  }

  private func write(_ process: ReportFacts.ProcessReference, to writer: inout JsonWriter) {
    writer.member("name", process.name)
    writer.member("pid", process.identifier)
  }

  private func exception(_ writer: inout JsonWriter) {
    let exception = facts.exception
    writer.member("type", exception.type)
    writer.member("signal", exception.signal)
    writer.member(strings: "codes", exception.codes.map { $0.hexadecimal })
    writer.member("subtype", exception.subtype)
    writer.member("message", exception.message)
    writer.member("note", exception.note)
    writer.member("name", exception.name)
    writer.member("reason", exception.reason)
  }

  private func termination(_ writer: inout JsonWriter) {
    let termination = facts.termination
    writer.member("namespace", termination.namespace)
    writer.member("code", hexadecimal: termination.code)
    writer.member("indicator", termination.indicator)
    writer.member(object: "process") { write(termination.process, to: &$0) }
    writer.member(strings: "details", termination.details)
  }

  private func write(_ panic: PanicDescription, to writer: inout JsonWriter) {
    func writeExtension(_ one: PanicDescription.Extension, _ writer: inout JsonWriter) {
      writer.member("name", one.name)
      writer.member("version", one.version)
    }
    writer.member("message", panic.message.known)
    writer.member("source", panic.source)
    let fault = panic.fault
    writer.member("fault", fault?.name)
    writer.member("trap", fault?.trap)
    writer.member("address", hexadecimal: fault?.hasAddress == true ? fault?.address : nil)
    writer.member("access", fault?.access?.rawValue)
    writer.member("programCounter", hexadecimal: fault?.programCounter)
    writer.member("kernelVersion", panic.kernelVersion)
    writer.member("kernelSlide", panic.kernelSlide)
    writer.member(objects: "extensions", panic.extensions) { writeExtension($1, &$0) }
    writer.member(
      optionalObject: "lastExtension",
      panic.lastExtension.map { one in { writeExtension(one, &$0) } })
    writer.member(strings: "returnAddresses", panic.addresses.map(\.hexadecimal))
    writer.member(strings: "functions", panic.functions)
  }

  private func write(
    _ evidence: [CauseEvidence]?, as key: StaticString, to writer: inout JsonWriter
  ) {
    writer.member(objects: key, evidence ?? []) { writer, evidence in
      writer.member("from", evidence.source.schemaName)
      writer.member("name", evidence.source.name)
      writer.member("text", evidence.text)
      writer.member("offset", evidence.byteRange?.lowerBound)
      writer.member("length", evidence.byteRange?.count)
    }
  }

  private func crash(_ writer: inout JsonWriter) {
    let reason = cause.reason ?? report.eventReason
    writer.member("reason", reason?.text)
    writer.member("reasonFrom", reason?.source.rawValue)
    writer.member("kind", reason?.finding.kind.rawValue)
    writer.member("confidence", reason?.finding.confidence.rawValue)
    write(reason?.finding.evidence, as: "evidence", to: &writer)
    write(reason?.contradicts, as: "contradicts", to: &writer)
    // A place in a library is none of the user's own.
    let place = cause.site.flatMap { $0.place.library == nil ? $0 : nil }
    writer.member("backtrace", place?.backtrace)
    if let frame = place?.place.frame {
      writer.key("frame")
      jsonFrame(writer, levels: 1).write(frame, in: images, to: &writer)
    } else {
      writer.member("frame", nil as String?)
    }
    writer.member("library", cause.site?.place.library)
    if let frame = cause.systemFrame ?? cause.calledFrame {
      writer.key("systemFrame")
      jsonFrame(writer, levels: 1).write(frame, in: images, to: &writer)
    } else {
      writer.member("systemFrame", nil as String?)
    }
    writer.member("activity", cause.activity)
  }

  /// Nil if there is none.
  private var signature: ((inout JsonWriter) -> Void)? {
    report.signature(options, reading).map { signature in
      { writer in
        writer.member("version", signature.version.rawValue)
        writer.member("text", signature.text)
        writer.member("hash", signature.hash)
        writer.member(strings: "frames", signature.frames)
      }
    }
  }

  // MARK: Backtraces

  private func jsonFrame(_ writer: JsonWriter, levels: Int) -> JsonFrame {
    JsonFrame.inside(writer, levels: levels, showsExplanations: options.writesExplanations)
  }

  private func writeBacktrace(
    _ index: Int, _ jsonFrame: JsonFrame, to writer: inout JsonWriter
  ) {
    let source = report.backtraces[index].source
    writer.member("kind", source.kind.rawValue)
    writer.member("number", source.number)
    writer.member("name", source.name)
    writer.member("queue", source.dispatchQueue)
    writer.member("crashed", source.isCrashed && !facts.onlyHighlightsThread)
    writer.member("tree", source.isCallTree)
    writer.member("samples", source.sampleCount)
    writer.key("frames")
    writer.array { writer in
      reading.forEachShownFrame(ofBacktrace: index) { frame in
        writer.element()
        jsonFrame.write(frame, in: images, to: &writer)
      }
    }
  }

  // MARK: Images

  private func write(_ entry: JsonImages.Entry, to writer: inout JsonWriter) {
    let image = entry.image
    let symbolFile = entry.isOfFrames ? report.symbolFiles[image] : nil
    writer.member("name", image.name.known)
    writer.member("path", image.path)
    writer.member("uuid", image.identity?.description)
    writer.member("architecture", image.architecture?.name)
    writer.member("loadAddress", hexadecimal: image.loadAddress.value)
    writer.member("lastAddress", hexadecimal: entry.lastAddress?.value)
    writer.member("system", image.belongsToSystem)
    writer.member("listed", image.isListed)
    writer.member("symbolFile", symbolFile?.path)
    writer.member("matchedBy", symbolFile.map { $0.basis == .identity ? "uuid" : "name" })
    if let count = symbolFile?.reportCount { writer.member("learntFrom", count) }
  }

  /// The images with frames that are shown.
  private var missingImages: [MissingImage] {
    report.missingImages.filter { !(options.onlyUserCode && $0.image.belongsToSystem) }
  }

  private func write(
    _ missing: MissingImage, wanted: WantedImage?, to writer: inout JsonWriter
  ) {
    let image = missing.image
    writer.member("image", images.index(of: image))
    writer.member("name", image.name.known)
    writer.member("uuid", image.identity?.description)
    writer.member("architecture", image.architecture?.name)
    writer.member("path", image.path)
    writer.member("system", image.belongsToSystem)
    writer.member("frames", missing.frameCount)
    writer.member("helpsMost", missing.image == wanted?.image)
    writer.member(objects: "otherBuilds", missing.sameNameFiles) { writer, file in
      writer.member("path", file.path)
      writer.member("uuid", file.identity?.description)
      writer.member("architecture", file.architecture.knownName)
    }
    writer.member("reason", missing.reason.schemaName)
  }

  private func write(_ frames: UnplacedFrames, to writer: inout JsonWriter) {
    writer.member("image", nil as Int?)
    writer.member("name", frames.imageName)
    writer.member("uuid", nil as String?)
    writer.member("architecture", nil as String?)
    writer.member("path", nil as String?)
    writer.member("system", frames.belongsToSystem)
    writer.member("frames", frames.frameCount)
    writer.member("helpsMost", false)
    writer.member(objects: "otherBuilds", [SymbolCandidate]()) { _, _ in }
    writer.member("reason", frames.refusal.schemaName)
  }

  private var contradictedImages: [ContradictedImage] {
    report.contradictedImages.filter { !(options.onlyUserCode && $0.image.belongsToSystem) }
  }

  private func write(_ contradicted: ContradictedImage, to writer: inout JsonWriter) {
    let contradiction = contradicted.contradiction
    writer.member("kind", contradiction.kind.rawValue)
    writer.member("image", images.index(of: contradicted.image))
    writer.member("frames", contradicted.frameCount)
    writer.member("address", hexadecimal: contradicted.address.value)
    writer.member("base", hexadecimal: contradiction.stated.base.value)
    writer.member("offset", contradiction.stated.offset)
  }
}

extension CauseEvidence.Source {
  package var schemaName: String {
    switch self {
    case .field: "field"
    case .frame: "frame"
    case .register: "register"
    case .information: "applicationSpecificInformation"
    case .sourceLine: "sourceLine"
    }
  }

  /// The name of the field or register, or the number of the frame.
  package var name: String? {
    switch self {
    case .field(let name), .register(let name): name
    case .frame(let index): String(index)
    case .information, .sourceLine: nil
    }
  }
}
