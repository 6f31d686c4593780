import SystemPackage

/// Reports of about 20 MB, made from the parts of real ones.
enum LargeReports {
  static let byteCount = 20_000_000

  /// The head of the example report, its thread repeated with other numbers, and a list of the
  /// example's images and 500 others.
  static func text() -> [UInt8] {
    let story = lines(of: fixture("LetterShuffle/letter-shuffle.crash"))
    let firstThread = story.firstIndex { $0.hasPrefix("Thread 0") } ?? 0
    let images = story.firstIndex { $0.hasPrefix("Binary Images") } ?? story.count
    let frames = story[firstThread..<images].filter { $0.first?.isNumber == true }
    var text = story[..<firstThread].joined(separator: "\n")
    var thread = 0
    while text.utf8.count < byteCount {
      text +=
        "\nThread \(thread) name:  Dispatch queue: com.example.queue-\(thread)\nThread \(thread):\n"
      text += frames.joined(separator: "\n") + "\n"
      thread += 1
    }
    text += "\n" + story[images...].prefix { !$0.isEmpty }.joined(separator: "\n") + "\n"
    for image in 0..<500 {
      let start = 0x2_0000_0000 + image << 16
      text += "0x\(hexadecimal(start)) - 0x\(hexadecimal(start + 0xffff)) Library\(image) arm64  "
      text += "<\(uuid(image, dashed: false))> /System/Library/Library\(image).dylib\n"
    }
    return Array(text.utf8)
  }

  /// A header and a body with 500 images in the layout of Apple's writer: one frame for each line,
  /// and a symbol in a third of the frames.
  static func ips() -> [UInt8] {
    var text = #"{"app_name":"App","bug_type":"309","incident_id":"I","platform":2}"#
    text +=
      "\n{\n  \"procName\" : \"App\",\n  \"pid\" : 7,\n  \"faultingThread\" : 0,\n  \"threads\" : ["
    var thread = 0
    while text.utf8.count < byteCount {
      text += thread == 0 ? "" : ","
      text += #"{"id":\#(1000 + thread),"queue":"com.example.queue-\#(thread)","frames":["#
      text += (0..<40).map { index in
        let offset = 4096 + thread &* 7919 % 60000 + index
        let symbol =
          index % 3 == 0 ? #""symbol":"-[Controller method\#(index)]","symbolLocation":8,"# : ""
        return #"{"imageOffset":\#(offset),\#(symbol)"imageIndex":\#(index * 12)}"#
      }.joined(separator: ",")
      text += "]}"
      thread += 1
    }
    text += "],\n  \"usedImages\" : [\n"
    text += (0..<500).map { image in
      "  {\n    \"source\" : \"P\",\n    \"arch\" : \"arm64\",\n    \"base\" : \(0x1_0000_0000 + image << 16),\n"
        + "    \"size\" : 65536,\n    \"uuid\" : \"\(uuid(image, dashed: true))\",\n"
        + "    \"path\" : \"\\/System\\/Library\\/Library\(image).dylib\",\n    \"name\" : \"Library\(image).dylib\"\n  }"
    }.joined(separator: ",\n")
    text += "\n]\n}\n"
    return Array(text.utf8)
  }

  /// The path of a file in `Fixtures`. `#filePath` is absolute.
  static func fixture(_ name: String) -> String {
    var folder = FilePath(#filePath)
    for _ in 0..<4 { folder.removeLastComponent() }
    return folder.appending("Fixtures/\(name)").string
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return [] }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = (try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }) ?? 0
    return String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func hexadecimal(_ number: Int) -> String { String(number, radix: 16) }

  private static func uuid(_ number: Int, dashed: Bool) -> String {
    let digits = hexadecimal(0x1000_0000_0000 + number)
    return dashed
      ? "b4a1de49-91b3-3d1d-a64f-\(digits.suffix(12))" : "b4a1de4991b33d1da64f\(digits.suffix(12))"
  }
}

extension LargeReports {
  /// Records of Docker's, 100,000 lines.
  ///
  /// - Parameter hasTraces: whether 12 frames follow every 1,000 lines.
  static func dockerLog(hasTraces: Bool) -> [UInt8] {
    var log: [UInt8] = []
    func add(_ line: String) {
      log += #"{"log":"\#(line)\n","stream":"stderr","time":"2026-01-01T10:00:00.1Z"}"#.utf8
      log.append(0x0A)
    }
    for index in 0..<100_000 {
      add(
        "2026-01-01T10:00:00.1Z INFO request \(index) from 10.0.0.1: GET /api/v1/items/\(index), "
          + "200 in 12 ms, cache miss for user \(index &* 7919), worker 7")
      guard hasTraces, index % 1000 == 999 else { continue }
      for frame in 0..<12 {
        add("\(frame)   Game   0x0000000100001000 0x100000000 + 4096")
      }
    }
    return log
  }
}
