import CrashLogParser
import SymbolicationModel

/// The registers of the thread that crashed, and the bytes around its program counter.
extension IpsTranslator {
  func addThreadState() {
    guard let thread = faultingThread else { return }
    let state = thread.json?[.threadState]
    if let state, let title = Self.title(of: state) {
      text.addLine("Thread \(thread.number ?? 0) crashed with \(title):")
      if state["x"] != nil {
        addArm64Registers(state)
      } else if state["r"] != nil {
        addArm32Registers(state)
      } else {
        addX86Registers(state)
      }
    } else {
      text.addLine("No thread state (register information) available")
    }
    text.addBlankLine()
    addGroup { addInstructionStream(of: thread) }
    if let state, isWrittenByServer(state) { text.addBlankLine() }
  }

  /// Whether this is a device's report without the fault address (`far`), as TestFlight and Xcode's
  /// Organizer deliver them. Their texts have two blank lines before the images; Apple's texts of
  /// reports with the address have one (iPhone OS 16.5 to 26.5, 15.2 to 18.5).
  private func isWrittenByServer(_ state: JsonValue) -> Bool {
    layout.hasDeviceLines && state["x"] != nil && state["esr"] != nil && state["far"] == nil
  }

  private var faultingThread: Backtrace? {
    if let index = body.faultingThread,
      let thread = report.threads.first(where: { $0.number == index })
    {
      return thread
    }
    return crashedThread
  }

  /// Nil for a state without known registers.
  private static func title(of state: JsonValue) -> String? {
    if state["x"] != nil { return "ARM Thread State (64-bit)" }
    if state["r"] != nil { return "ARM Thread State (32-bit)" }
    return state["rsp"] != nil || state["rax"] != nil ? "X86 Thread State (64-bit)" : nil
  }

  // MARK: Registers

  private struct Register {
    package let name: String
    package let value: UInt64
  }

  /// The value of a register, which some writers give as a negative number.
  private static func value(_ register: JsonValue?) -> UInt64? {
    guard let value = register?[.value] else { return nil }
    return value.unsignedInteger ?? value.integer.map { UInt64(bitPattern: $0) }
  }

  /// The named registers that the state has.
  private static func registers(_ names: [String], of state: JsonValue) -> [Register] {
    names.compactMap { name in
      value(state[name]).map { Register(name: name, value: $0) }
    }
  }

  /// `x0`, `x1` and so on, which are an array in JSON.
  private static func numberedRegisters(_ letter: String, of state: JsonValue) -> [Register] {
    guard let values = state[letter]?.elements else { return [] }
    var registers: [Register] = []
    // No processor has more, but a report could list any number.
    for (index, value) in values.enumerated().prefix(32) {
      if let value = Self.value(value) {
        registers.append(Register(name: "\(letter)\(index)", value: value))
      }
    }
    return registers
  }

  private func addArm64Registers(_ state: JsonValue) {
    let general =
      Self.numberedRegisters("x", of: state) + Self.registers(["fp", "lr"], of: state)
    addRows(general, digitCount: 16, indentation: 1)
    let last = Self.registers(["sp", "pc"], of: state)
    let status = Self.registers(["cpsr"], of: state)
    if !last.isEmpty || !status.isEmpty {
      text.appendSpaces(1)
      for register in last { append(register, digitCount: 16) }
      for register in status { append(register, digitCount: 8) }
      text.endLine()
    }
    let fault = Self.registers(["far"], of: state)
    let syndrome = Self.registers(["esr"], of: state)
    guard !fault.isEmpty || !syndrome.isEmpty else { return }
    text.appendSpaces(1)
    for register in fault { append(register, digitCount: 16) }
    for register in syndrome {
      append(register, digitCount: 8)
      text.append(" ")
      text.append(name: state["esr"]?[.description]?.string ?? "")
    }
    text.endLine()
  }

  private func addArm32Registers(_ state: JsonValue) {
    let general =
      Self.numberedRegisters("r", of: state)
      + Self.registers(["ip", "sp", "lr", "pc"], of: state)
    addRows(general, digitCount: 8, indentation: 1)
    addRows(Self.registers(["cpsr"], of: state), digitCount: 8, indentation: 1)
  }

  private static let x86Rows = [
    ["rax", "rbx", "rcx", "rdx"], ["rdi", "rsi", "rbp", "rsp"], ["r8", "r9", "r10", "r11"],
    ["r12", "r13", "r14", "r15"],
  ]

  private func addX86Registers(_ state: JsonValue) {
    for row in Self.x86Rows {
      addRows(Self.registers(row, of: state), digitCount: 16, indentation: 0)
    }
    addX86ProgramCounter(state)
    if let rosetta = state["rosetta"] {
      addRows(
        Self.registers(["tmp0", "tmp1", "tmp2"], of: rosetta), digitCount: 16, indentation: 0)
      text.addBlankLine()
    }
    addX86Trap(state)
  }

  private func addX86ProgramCounter(_ state: JsonValue) {
    let start = text.bytes.count
    if state["rosetta"] != nil, state["rip"] == nil {
      // In translated code, the program counter of the original is not always known.
      text.append("  rip: <unavailable>     ")
    }
    for register in Self.registers(["rip", "rflags", "cr2"], of: state) {
      let name = register.name == "rflags" ? "rfl" : register.name
      append(Register(name: name, value: register.value), digitCount: 16)
    }
    if text.bytes.count > start { text.endLine() }
  }

  private func addX86Trap(_ state: JsonValue) {
    let processor = number(state["cpu"]?[.value])
    let error = state["err"]?[.value]?.unsignedInteger
    let trap = number(state["trap"]?[.value])
    guard processor != nil || error != nil || trap != nil else { return }
    text.addLine("  ")
    text.addField("Logical CPU", processor, column: 17)
    if let error {
      text.append("Error Code:      ")
      text.append(hexadecimal: error, digitCount: 8)
      text.append(" ")
      // The words are those of the trap, not of the error.
      text.append(name: state["trap"]?[.description]?.string ?? "")
      text.endLine()
    }
    text.addField("Trap Number", trap, column: 17)
  }

  /// Adds the registers, four to a row.
  private func addRows(_ registers: [Register], digitCount: Int, indentation: Int) {
    for (index, register) in registers.enumerated() {
      if index % 4 == 0 { text.appendSpaces(indentation) }
      append(register, digitCount: digitCount)
      if index % 4 == 3 || index == registers.count - 1 { text.endLine() }
    }
  }

  private func append(_ register: Register, digitCount: Int) {
    text.appendSpaces(5 - register.name.utf8.count)
    text.append(register.name)
    text.append(": ")
    text.append(hexadecimal: register.value, digitCount: digitCount)
  }

  // MARK: Instructions

  /// Adds the bytes, sixteen to a row, in hexadecimal and as characters. The byte at the program
  /// counter is in brackets, and an arrow marks its row.
  private func addInstructionStream(of thread: Backtrace) {
    let stream = thread.json?[.instructionState]?[.instructionStream]
    let bytes = stream?[.bytes]?.elements.compactMap { $0.unsignedInteger } ?? []
    guard let stream, !bytes.isEmpty else { return }
    let marked = stream[.offset]?.unsignedInteger.flatMap { Int(exactly: $0) }
    text.addLine("Thread \(thread.number ?? 0) instruction stream:")
    for start in stride(from: 0, to: bytes.count, by: 16) {
      addInstructions(bytes[start..<min(start + 16, bytes.count)], marked: marked)
    }
  }

  private func addInstructions(_ row: ArraySlice<UInt64>, marked: Int?) {
    let isMarkedRow = marked.map { row.indices.contains($0) } ?? false
    text.append(" ")
    for index in row.indices {
      let isAfterMarked = isMarkedRow && index > row.startIndex && index - 1 == marked
      let isMiddle = index - row.startIndex == 8
      text.append(index == marked ? "[" : isAfterMarked ? "]" : isMiddle ? "-" : " ")
      text.append(row[index].hexadecimalDigits(count: 2))
    }
    if isMarkedRow, marked == row.endIndex - 1 { text.append("]") }
    text.append("  ")
    for byte in row {
      let isPrintable = (32..<127).contains(byte)
      text.append(isPrintable ? String(Unicode.Scalar(UInt8(byte))) : ".")
    }
    if isMarkedRow { text.append("\t<==") }
    text.endLine()
  }
}
