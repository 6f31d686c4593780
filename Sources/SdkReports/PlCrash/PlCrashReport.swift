package import ReportFormats
package import ReportModel
import SymbolicationModel

/// A report of PLCrashReporter in its binary format: the word `plcrash`, a byte with the version,
/// which is 1, and a message of Protocol Buffers.
///
/// Source: the message `CrashReport` of the format's public schema (Protocol Buffers, syntax 2);
/// the numbers in this file are its field numbers. Other fields are passed over.
package struct PlCrashReport {
  package static let magic = Array("plcrash".utf8)

  package let bytes: [UInt8]
  private(set) var system = System()
  private(set) var app = App()
  package private(set) var process = Process()
  private var machine = Fields()
  private(set) var machineProcessor: Processor?
  package private(set) var threads: [Thread] = []
  package private(set) var images: [Image] = []
  package private(set) var exception: Exception?
  package private(set) var signal: Signal?
  private var information = Fields()
  private(set) var customData: Range<Int>?
  /// Where the first byte is that could not be read; nil if all could.
  package private(set) var damage: Int?
  /// The limits that were met.
  package private(set) var faults: [ParseFault] = []
  private let allowance: ReportAllowance

  var machineModel: Range<Int>? { machine.whole(1) }
  var isRequested: Bool { information.flag(1) ?? false }
  var identifier: Range<Int>? { information.whole(2) }

  /// The fields of a message by their numbers. Of several with one number, the last one counts.
  struct Fields {
    private var values = [ProtobufFields.Value?](repeating: nil, count: 8)

    mutating func take(_ field: ProtobufFields.Field) {
      if field.number < values.count { values[Int(field.number)] = field.value }
    }

    func number(_ key: Int) -> UInt64? { values[key]?.number }
    func flag(_ key: Int) -> Bool? { number(key).map { $0 != 0 } }
    func whole(_ key: Int) -> Range<Int>? { values[key]?.whole }
  }

  struct System {
    fileprivate var fields = Fields()
    var kind: UInt64? { fields.number(1) }
    var version: Range<Int>? { fields.whole(2) }
    var architecture: UInt64? { fields.number(3) }
    var timestamp: UInt64? { fields.number(4) }
    var build: Range<Int>? { fields.whole(5) }
  }

  struct App {
    fileprivate var fields = Fields()
    var identifier: Range<Int>? { fields.whole(1) }
    var version: Range<Int>? { fields.whole(2) }
    var marketingVersion: Range<Int>? { fields.whole(3) }
  }

  package struct Process {
    fileprivate var fields = Fields()
    var name: Range<Int>? { fields.whole(1) }
    var identifier: UInt64? { fields.number(2) }
    var path: Range<Int>? { fields.whole(3) }
    var parentName: Range<Int>? { fields.whole(4) }
    var parentIdentifier: UInt64? { fields.number(5) }
    var isNative: Bool? { fields.flag(6) }
    var startTime: UInt64? { fields.number(7) }
  }

  struct Processor {
    fileprivate var fields = Fields()

    /// Nil unless the numbers are those of Mach-O.
    var architecture: Architecture? {
      guard fields.number(1) == 1 else { return nil }
      return Architecture(
        machCpuType: UInt32(truncatingIfNeeded: fields.number(2) ?? 0),
        subtype: UInt32(truncatingIfNeeded: fields.number(3) ?? 0))
    }
  }

  package struct Thread {
    package var number: UInt64?
    var isCrashed = false
    package var frames: [Frame] = []
    var registers: [(name: Range<Int>, value: UInt64)] = []
  }

  package struct Frame {
    package let address: UInt64
    var function: Range<Int>?
    var functionStart: UInt64?
  }

  package struct Image {
    let base: UInt64
    fileprivate let fields: Fields
    let processor: Processor?
    var byteCount: UInt64 { fields.number(2) ?? 0 }
    var path: Range<Int>? { fields.whole(3) }
    var uuid: Range<Int>? { fields.whole(4) }
  }

  package struct Exception {
    package var name: Range<Int>?
    var reason: Range<Int>?
    package var frames: [Frame] = []
  }

  package struct Signal {
    fileprivate var fields = Fields()
    var name: Range<Int>? { fields.whole(1) }
    var code: Range<Int>? { fields.whole(2) }
    var address: UInt64? { fields.number(3) }
    var machException: UInt64?
    var machCodes: [UInt64] = []
  }

  /// Nil if the bytes are of another kind, or of another version.
  package init?(_ bytes: [UInt8], _ allowance: ReportAllowance) {
    guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count,
      bytes[Self.magic.count] == 1
    else { return nil }
    self.bytes = bytes
    self.allowance = allowance
    readReport()
  }

  // MARK: Messages

  /// Calls `body` for each field of a message.
  private mutating func walk(
    _ range: Range<Int>?, _ body: (inout Self, ProtobufFields.Field) -> Void
  ) {
    guard let range else { return }
    var fields = ProtobufFields(bytes, in: range)
    while let field = fields.next() { body(&self, field) }
    if let offset = fields.damage, damage == nil { damage = offset }
  }

  private mutating func readReport() {
    walk(Self.magic.count + 1..<bytes.count) { report, field in
      let value = field.value
      switch field.number {
      case 1: report.walk(value.message) { $0.system.fields.take($1) }
      case 2: report.walk(value.message) { $0.app.fields.take($1) }
      case 3:
        guard report.allowance.takeThread(at: field.byteRange, &report.faults) else { return }
        report.readThread(value.message)
      case 4:
        guard report.allowance.takeImage(at: field.byteRange, &report.faults) else { return }
        report.readImage(value.message)
      case 5: report.readException(value.message)
      case 6: report.readSignal(value.message)
      case 7: report.walk(value.message) { $0.process.fields.take($1) }
      case 8: report.readMachine(value.message)
      case 9: report.walk(value.message) { $0.information.take($1) }
      case 10: report.customData = value.whole
      default: break
      }
    }
  }

  private mutating func readMachine(_ range: Range<Int>?) {
    walk(range) { report, field in
      report.machine.take(field)
      if field.number == 2 { report.machineProcessor = report.processor(field.value.message) }
    }
  }

  private mutating func readSignal(_ range: Range<Int>?) {
    var signal = Signal()
    walk(range) { report, field in
      signal.fields.take(field)
      guard field.number == 4 else { return }
      report.walk(field.value.message) { report, field in
        switch field.number {
        case 1: signal.machException = field.value.number
        case 2: signal.machCodes += report.numbers(field.value)
        default: break
        }
      }
    }
    self.signal = signal
  }

  /// A number that may be repeated: one, or several without tags.
  private func numbers(_ value: ProtobufFields.Value) -> [UInt64] {
    // A Mach exception has two codes.
    guard let range = value.message else { return value.number.map { [$0] } ?? [] }
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes[range] where numbers.count < 8 && shift < 64 {
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      numbers.append(number)
      (number, shift) = (0, 0)
    }
    return numbers
  }

  private mutating func readException(_ range: Range<Int>?) {
    var exception = Exception()
    walk(range) { report, field in
      switch field.number {
      case 1: exception.name = field.value.whole
      case 2: exception.reason = field.value.whole
      case 3: report.addFrame(field, to: &exception.frames)
      default: break
      }
    }
    self.exception = exception
  }

  // MARK: Threads and images

  private mutating func readThread(_ range: Range<Int>?) {
    var thread = Thread()
    walk(range) { report, field in
      switch field.number {
      case 1: thread.number = field.value.number
      case 2: report.addFrame(field, to: &thread.frames)
      case 3: thread.isCrashed = field.value.number.map { $0 != 0 } ?? false
      case 4:
        var register = Fields()
        report.walk(field.value.message) { register.take($1) }
        // No processor has as many.
        if let name = register.whole(1), let value = register.number(2),
          thread.registers.count < 256
        {
          thread.registers.append((name, value))
        }
      default: break
      }
    }
    threads.append(thread)
  }

  /// Adds a frame, unless it has no address.
  private mutating func addFrame(_ field: ProtobufFields.Field, to frames: inout [Frame]) {
    guard allowance.takeFrame(at: field.byteRange, &faults) else { return }
    var (address, function, start): (UInt64?, Range<Int>?, UInt64?)
    walk(field.value.message) { report, field in
      switch field.number {
      case 3: address = field.value.number
      case 6:
        report.walk(field.value.message) { _, field in
          switch field.number {
          case 1: function = field.value.whole
          case 2: start = field.value.number
          default: break
          }
        }
      default: break
      }
    }
    guard let address else {
      faults.append(ParseFault(kind: .unreadableFrame, byteRange: field.byteRange))
      return
    }
    frames.append(Frame(address: address, function: function, functionStart: start))
  }

  private mutating func readImage(_ range: Range<Int>?) {
    guard let range else { return }
    var fields = Fields()
    var processor: Processor?
    walk(range) { report, field in
      fields.take(field)
      if field.number == 5 { processor = report.processor(field.value.message) }
    }
    guard let base = fields.number(1) else {
      faults.append(ParseFault(kind: .unreadableImage, byteRange: range))
      return
    }
    images.append(Image(base: base, fields: fields, processor: processor))
  }

  private mutating func processor(_ range: Range<Int>?) -> Processor {
    var processor = Processor()
    walk(range) { if $1.value.number != nil { processor.fields.take($1) } }
    return processor
  }
}
