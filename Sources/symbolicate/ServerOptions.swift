import ArgumentParser
import ReportSymbolication
import SymbolicationModel

/// The options for servers of symbol files.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .customLong("symbol-server"),
    help: ArgumentHelp(
      "Ask this server for symbol files that are not on this machine. The layout is native (the default), symstore, ssqp, index2, unified or debuginfod. Repeatable.",
      valueName: "url[,layout]"),
    transform: { argument in
      switch Result(catching: { () throws(InvalidSymbolServer) in try SymbolServer(argument) }) {
      case .success(let server): return server
      case .failure(let error):
        throw ValidationError(UsageMessages.notASymbolServer(error))
      }
    })
  var servers: [SymbolServer] = []

  @Flag(help: "Ask no server. What servers delivered before is used.")
  var offline = false

  func validate() throws {
    guard isNeeded else { return }
    do {
      _ = try ServerLimits.stated()
    } catch {
      throw ValidationError(UsageMessages.notAServerLimit(error))
    }
  }

  private var isNeeded: Bool { !servers.isEmpty || ServerLimits.namesDebuginfod() }

  func apply(to places: inout SymbolPlaces) {
    guard isNeeded else { return }
    places.servers = servers
    places.usesDebuginfod = ServerLimits.namesDebuginfod()
    places.isOffline = offline
    if let limits = try? ServerLimits.stated() { places.serverLimits = limits }
  }
}
