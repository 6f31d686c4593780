import ReportRendering

/// A bar for each day, or for several: a picture in the page itself, without a script.
struct HtmlChart {
  /// The reports of each bar.
  let bars: [Int]
  let daysPerBar: Int64
  private let days: ClosedRange<Int64>

  /// - Parameters:
  ///   - range: the days to show, also those without reports.
  ///   - barLimit: the most bars.
  init(_ counts: DayCounts, range: ClosedRange<Int64>, barLimit: Int) {
    // Dates have years of four digits, so nothing overflows.
    let dayCount = range.upperBound - range.lowerBound + 1
    let limit = Int64(max(1, barLimit))
    let daysPerBar = (dayCount + limit - 1) / limit
    var bars = [Int](repeating: 0, count: Int((dayCount + daysPerBar - 1) / daysPerBar))
    for (day, count) in counts.ascending where range.contains(day) {
      let index = Int((day - range.lowerBound) / daysPerBar)
      bars[index] = bars[index].saturatingSum(count)
    }
    self.bars = bars
    self.daysPerBar = daysPerBar
    days = range
  }

  private static let barWidth = 8
  private static let height = 48

  /// - Parameter label: describes the chart to people who cannot see it.
  func write(to writer: inout HtmlWriter, _ shape: HtmlClass, label: String) {
    let greatest = bars.max() ?? 0
    writer.element(
      .svg, .classes([.chart, shape]), .imageRole, .label(label),
      .viewBox(width: bars.count * Self.barWidth, height: Self.height), .stretched
    ) { writer in
      for (index, count) in bars.enumerated() where count > 0 {
        let height = max(2, share(of: count, in: greatest, units: Self.height))
        writer.element(
          .rect,
          .box(
            x: index * Self.barWidth, y: Self.height - height, width: Self.barWidth - 1,
            height: height), text: "")
      }
    }
  }

  var firstDay: String { ReportDate(day: days.lowerBound).day }
  var lastDay: String { ReportDate(day: days.upperBound).day }
}
