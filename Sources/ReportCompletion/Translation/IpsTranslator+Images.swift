import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// The images, and what comes after them.
extension IpsTranslator {
  func addImages() {
    text.addLine("Binary Images:")
    for image in report.images { add(image) }
    text.addBlankLine()
  }

  private func add(_ image: BinaryImage) {
    let start = image.loadAddress.value
    text.append(address: start)
    text.append(" - ")
    // The entry for addresses without an image has no bytes: it ends one before 0, at the last
    // address.
    text.append(address: start &+ image.byteCount &- 1)
    text.append(" ")
    let name = Self.nonempty(image.name) ?? unknownImageName
    let identity = image.object?[.uuid]?.string ?? "00000000-0000-0000-0000-000000000000"
    if layout.hasDeviceLines {
      text.append(name: name)
      text.append(" ")
      text.append(name: image.object?[.arch]?.string ?? "unknown-arch")
      text.append("  <")
      text.append(name: identity.filter { $0 != "-" })
    } else {
      text.append(name: Self.nonempty(image.bundleIdentifier) ?? name)
      text.append(" (")
      text.append(name: Self.nonempty(image.version) ?? "*")
      text.append(") <")
      text.append(name: identity)
    }
    text.append("> ")
    text.append(name: Self.nonempty(image.path) ?? unknownImageName)
    text.endLine()
  }

  // MARK: End

  func addEnd() {
    if layout.kind == .embedded { return text.addLine("EOF") }
    addGroup { addExternalModifications() }
    if let summary = string(.vmSummary) {
      text.addLine("VM Region Summary:")
      text.addLines(of: summary)
    }
    text.addBlankLine()
    if layout.kind == .unified { addGroup(Self.notesHeading, notes) }
  }

  private static let modificationGroups = [
    ("Calls made by other processes targeting this process", "targeted"),
    ("Calls made by this process", "caller"),
    ("Calls made by all processes on this machine", "system"),
  ]

  private func addExternalModifications() {
    guard let modifications = json[.extMods], modifications.kind == .object else { return }
    text.addLine("External Modification Summary:")
    for (heading, key) in Self.modificationGroups {
      guard let group = modifications[key] else { continue }
      text.addLine("  \(heading):")
      for call in ["task_for_pid", "thread_create", "thread_set_state"] {
        if let count = number(group[call]) { text.addLine("    \(call): \(count)") }
      }
    }
  }
}
