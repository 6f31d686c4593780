import ArgumentParser

/// How the options of `symbolicate` reach ArgumentParser (see `OptionList`).
extension SymbolicateCommand: CustomReflectable {
  /// In the order of the help.
  var sections: [OptionSection] {
    [
      OptionSection(symbols, title: HelpSection.symbols),
      OptionSection(servers, title: HelpSection.symbols),
      OptionSection(output, title: HelpSection.output),
      OptionSection(terminal, title: HelpSection.output),
      OptionSection(selection, title: HelpSection.selection),
      OptionSection(frames, title: HelpSection.selection),
      OptionSection(codePatterns, title: HelpSection.selection),
      OptionSection(sourcePaths, title: HelpSection.sourcePaths),
      OptionSection(sourceLines, title: HelpSection.sourcePaths),
      OptionSection(indexes, title: HelpSection.indexes),
      OptionSection(jobs, title: HelpSection.resources),
      OptionSection(limits, title: HelpSection.resources),
      OptionSection(diagnostics, title: HelpSection.diagnostics),
      OptionSection(general),
      OptionSection(operands),
    ]
  }

  /// What ArgumentParser reads the definitions of options from.
  var customMirror: Mirror {
    Mirror(
      self, children: sections.flatMap(\.list.options), ancestorRepresentation: .suppressed)
  }

  init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: OptionName.self)
    symbols = try SymbolsOptions(from: decoder)
    servers = try ServerOptions(from: decoder)
    output = try OutputOptions(from: decoder)
    terminal = try TerminalOptions(from: decoder)
    selection = try SelectionOptions(from: decoder)
    frames = try FrameOptions(from: decoder)
    codePatterns = try CodePatternOptions(from: decoder)
    sourcePaths = try SourcePathOptions(from: decoder)
    sourceLines = try SourceLineOptions(from: decoder)
    indexes = try IndexOptions(from: decoder)
    jobs = try JobsOption(from: decoder)
    limits = try LimitsOptions(from: decoder)
    diagnostics = try DiagnosticsOptions(from: decoder)
    general = try GeneralOptions(from: decoder)
    operands = try PathOperands(from: decoder)
  }
}
