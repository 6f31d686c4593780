import PropertyLists

/// Reads the input as a property list, and reads again what is written of it.
func exercisePropertyLists(_ bytes: [UInt8]) throws(Violation) {
  let list: PropertyList
  do {
    list = try PropertyList(bytes)
  } catch {
    try require((0...bytes.count).contains(error.offset), "an error is in the input")
    return
  }
  // Indentation can make it larger than what is read.
  let xml = list.xml
  guard xml.utf8.count <= PropertyListLimits.byteCount else { return }
  let again: PropertyList
  do {
    again = try PropertyList(Array(xml.utf8))
  } catch {
    throw Violation(
      statement: "what is written is read: \(error)", file: #fileID, line: #line)
  }
  // As text, because one NaN is not equal to another.
  try require(again.xml == xml, "a list is written and read without a change")
}
