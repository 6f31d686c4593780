import FileSystem
import SymbolicationModel
import Wording

extension ReleaseCheck {
  /// The result as JUnit XML, the format in which CI systems read test results: a test case for
  /// each slice. Allowed images and Apple's are skipped tests. What could not be read is a case
  /// with an error. So is a release in which there is nothing to check: a file without cases counts
  /// as passed.
  ///
  /// The elements and attributes are those that Jenkins, GitLab, GitHub's actions and Azure read
  /// (the JUnit schema of the Jenkins xUnit plugin). There is no time in it, so that equal releases
  /// give equal files.
  package var junit: String {
    Self.junitStart + junitContent
  }

  /// How each such file begins.
  package static let junitStart =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"symbolicate check\""

  private var junitContent: String {
    let failures = images.count { $0.defect != nil }
    let skipped = images.count { $0.isSkipped }
    let errors = failure.map { [$0] } ?? problems.map(\.message)
    let counts =
      "tests=\"\(images.count + errors.count)\" failures=\"\(failures)\" errors=\"\(errors.count)\" skipped=\"\(skipped)\""
    var text = " \(counts)>\n"
    text += "  <testsuite name=\(quoted(path)) \(counts)>\n"
    for image in images { text += testCase(image) }
    for error in errors {
      text += "    <testcase classname=\(quoted(path)) name=\"release\">\n"
      text += "      <error type=\"\(failure == nil ? "unreadable" : "nothing-checked")\""
      text += " message=\(quoted(error))>"
      text += XmlText.escaped(error) + "</error>\n    </testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private func testCase(_ image: CheckedImage) -> String {
    // A class name is what CI systems group by.
    let folder = image.path.contains("/") ? image.path.folder : path
    let start = "    <testcase classname=\(quoted(folder)) name=\(quoted(image.shownName))"
    switch image.verdict {
    case .complete: return start + "/>\n"
    case .apple:
      return start
        + ">\n      <skipped message=\"Apple gives out no dSYM for it.\"/>\n    </testcase>\n"
    case .allowed(let defect):
      let message = quoted("Allowed: " + defect.message(of: image))
      return start + ">\n      <skipped message=\(message)/>\n    </testcase>\n"
    case .incomplete(let defect):
      let message = defect.message(of: image)
      return start
        + ">\n      <failure type=\(quoted(defect.schemaName)) message=\(quoted(message))>"
        + XmlText.escaped(message) + "</failure>\n    </testcase>\n"
    }
  }

  private func quoted(_ text: String) -> String { "\"\(XmlText.escaped(text))\"" }
}

extension CheckedImage {
  fileprivate var isSkipped: Bool {
    switch verdict {
    case .allowed, .apple: true
    case .complete, .incomplete: false
    }
  }
}

/// Text in XML.
enum XmlText {
  /// `text` for the content of an element, or of an attribute in double quotes (XML 1.0, section
  /// 2.4). Characters that XML 1.0 forbids (section 2.2), and control characters, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{fffe}", "\u{ffff}":
        result.append("\u{fffd}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
