import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// The options for servers of symbol files.
struct ServerOptions: OptionList {
  /// Texts, because ArgumentParser repeats a value that it cannot convert, with its password.
  @Option(
    name: .customLong("symbol-server"),
    help: ArgumentHelp(
      "Ask this server for symbol files that are not on this machine. The layout is native (the default), symstore, ssqp, index2, unified or debuginfod. Repeatable.",
      valueName: "url[,layout]"))
  var servers: [String] = []

  @Flag(help: "Ask no server. What servers delivered before is used.")
  var offline = false

  var options: [Mirror.Child] { [("_servers", _servers), ("_offline", _offline)] }

  func validate() throws {
    guard isNeeded else { return }
    do {
      for text in servers { _ = try SymbolServer(text) }
      _ = try ServerLimits.stated()
    } catch let error as InvalidSymbolServer {
      throw ValidationError(UsageMessages.notASymbolServer(error))
    } catch let error as ServerLimits.Unreadable {
      throw ValidationError(UsageMessages.notAServerLimit(error))
    }
  }

  /// The environment is read only if it says something about servers.
  private var isNeeded: Bool { !servers.isEmpty || ServerLimits.namesDebuginfod() }

  func apply(to places: inout SymbolPlaces) {
    guard isNeeded else { return }
    places.servers = servers.compactMap { try? SymbolServer($0) }
    places.usesDebuginfod = ServerLimits.namesDebuginfod()
    places.isOffline = offline
    if let limits = try? ServerLimits.stated() { places.serverLimits = limits }
  }
}
