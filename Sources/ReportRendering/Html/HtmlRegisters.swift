import CrashLogParser

/// The registers of the crashed thread in a page.
enum HtmlRegisters {
  package static func write(_ registers: [RegisterValue], to writer: inout HtmlWriter) {
    writer.element(.dl, .classes([.registers])) { writer in
      for register in registers {
        writer.element(.div) { writer in
          writer.element(.dt, text: register.name)
          writer.element(.dd) { $0.address(register.value) }
        }
      }
    }
  }
}
