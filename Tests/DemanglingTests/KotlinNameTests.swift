import Demangling
import SymbolicationModel
import Testing

/// Names of Kotlin/Native, written by its rules: `kfun:OWNER#NAME(TYPES){TYPE PARAMETERS}RESULT`.
struct KotlinNameTests {
  @Test(arguments: [
    ("kfun:#main(){}", "main()"),
    (
      "kfun:app.Page#load(kotlin.Int;kotlin.String?){}kotlin.String",
      "app.Page.load(Int, String?): String"
    ),
    ("kfun:kotlin.Throwable#<init>(kotlin.String?){}", "kotlin.Throwable.<init>(String?)"),
    ("kfun:app#all(kotlin.Array<kotlin.String>){}", "app.all(Array<String>)"),
    ("kfun:app#size@kotlin.String(){}kotlin.Int", "app.size(): Int"),
    ("kfun:app.Page.load$lambda$0#internal", "app.Page.load$lambda$0"),
    // Not of this form.
    ("kfun:", "kfun:"), ("kfun:main", "kfun:main"), ("kfun:a#b", "kfun:a#b"),
    ("kfun:a#b(c", "kfun:a#b(c"), ("kfun:a#(){}", "kfun:a#(){}"), ("kfunction", "kfunction"),
  ])
  func simplified(name: String, shown: String) {
    var demangler = SymbolDemangler()
    #expect(demangler.shownName(of: name, isMachOSymbol: false) == shown)
    #expect(demangler.shownName(of: "_" + name, isMachOSymbol: true) == shown)
  }

  @Test func styles() {
    let name = "kfun:app.Page#load(kotlin.Int){}kotlin.String"
    var full = SymbolDemangler(style: .full)
    #expect(
      full.shownName(of: name, isMachOSymbol: false) == "app.Page.load(kotlin.Int): kotlin.String")
    var raw = SymbolDemangler(style: .raw)
    #expect(raw.shownName(of: name, isMachOSymbol: false) == name)
  }
}
