import FunctionNames
import TestSupport
import Testing

/// What is left of a function's name in a signature. The names are those that compilers, demanglers
/// and Apple's reports write; what is left follows from docs/signature.md.
struct SignatureNameTests {
  @Test(arguments: [
    // Swift
    ("Board.turnTile(at:)", "Board.turnTile(at:)"),
    ("Board::turn(std::__1::vector<Tile, std::allo...", "Board::turn"),
    ("Board::turn(std::__1::vector<Tile, std::__1::al<Tile> >, std::__1::ve...", "Board::turn"),
    ("crashMe()", "crashMe()"),
    ("@objc ViewController.viewDidLoad()", "ViewController.viewDidLoad()"),
    ("specialized static CrashClass.pleaseCrash()", "static CrashClass.pleaseCrash()"),
    ("merged Board.draw()", "Board.draw()"),
    (
      "closure #3 in closure #1 in DownloadHelper.init(urlString:)",
      "closure in closure in DownloadHelper.init(urlString:)"
    ),
    ("partial apply for closure #2 in closure #1 in setup()", "closure in closure in setup()"),
    (
      "implicit closure #2 in implicit closure #1 in Queue.sync<A>(execute:)",
      "closure in closure in Queue.sync(execute:)"
    ),
    (
      "@objc closure #1 in static MultithreadedCrash.spawnThread(_:)",
      "closure in static MultithreadedCrash.spawnThread(_:)"
    ),
    ("helper #1 (x:) in outer()", "helper (x:) in outer()"),
    ("(1) await resume partial function for Feed.load()", "Feed.load()"),
    (
      "(12) suspend resume partial function for closure #1 in Feed.load()", "closure in Feed.load()"
    ),
    (
      "protocol witness for DownloadDelegate.imageDownloaded(_:) in conformance PlanetViewController",
      "PlanetViewController.imageDownloaded(_:)"
    ),
    (
      "protocol witness for static Equatable.== infix(_:_:) in conformance Box<A>",
      "static Box.== infix(_:_:)"
    ),
    ("Dictionary<String, [Int]>.load<A, B>(from:)", "Dictionary.load(from:)"),
    ("static Level.< infix(_:_:)", "static Level.< infix(_:_:)"),
    (
      "LocationService.__allocating_init(locationManager:)",
      "LocationService.init(locationManager:)"
    ),
    ("Feed.text.modify.resume.0", "Feed.text.modify"),
    ("_assertionFailure+ 217652 (_:_:file:line:flags:)", "_assertionFailure(_:_:file:line:flags:)"),
    // Objective-C and blocks
    ("-[Crasher doAbort]", "-[Crasher doAbort]"),
    (
      "-[NSRunLoop+ 32796 (NSRunLoop) runMode:beforeDate:]",
      "-[NSRunLoop(NSRunLoop) runMode:beforeDate:]"
    ),
    (
      "__32-[AppDelegate(UI) crashCommands]_block_invoke.263",
      "-[AppDelegate(UI) crashCommands]_block_invoke"
    ),
    (
      "__32-[AppDelegate(UI) crashCommands]_block_invoke375",
      "-[AppDelegate(UI) crashCommands]_block_invoke"
    ),
    ("__26-[RCTJSThreadManager init]_block_invoke_2", "-[RCTJSThreadManager init]_block_invoke"),
    (
      "__38+[UMConfigure initWithAppkey:channel:]_block_invoke",
      "+[UMConfigure initWithAppkey:channel:]_block_invoke"
    ),
    ("___CFXRegistrationPost_block_invoke", "_CFXRegistrationPost_block_invoke"),
    ("__TCCAccessRequest_block_invoke.185", "TCCAccessRequest_block_invoke"),
    (
      "-[FBSWorkspaceScenesClient queue_activate].cold.1",
      "-[FBSWorkspaceScenesClient queue_activate]"
    ),
    // C
    ("main + 20", "main"), ("_dispatch_dispose$VARIANT$mp", "_dispatch_dispose"),
    ("dispatch_assert_queue$V2.cold.1", "dispatch_assert_queue"),
    ("_reserveSpace.llvm.12173597123290323594", "_reserveSpace"),
    ("parse.constprop.0.isra.1", "parse"), ("parse.part.0", "parse"), ("open$NOCANCEL", "open"),
    // C++
    ("ledger::Book::post(long, char const*) const", "ledger::Book::post"),
    (
      "std::vector<int, std::allocator<int>>::operator[][abi:ne180100](unsigned long)",
      "std::vector::operator[]"
    ),
    ("void bgtfs::sort<int, (bgtfs::Order)1>(int*, int*)", "bgtfs::sort"),
    ("(anonymous namespace)::Pool::pop(void*)", "(anonymous namespace)::Pool::pop"),
    ("{anonymous}::Pool::pop(void*)", "(anonymous namespace)::Pool::pop"),
    ("_GLOBAL__N_1::Pool::pop", "(anonymous namespace)::Pool::pop"),
    (
      "Node::walk(int)::'lambda'(Node*)::operator()(Node*) const",
      "Node::walk::'lambda'::operator()"
    ),
    (
      "Node::walk(int)::'lambda0'(Node*)::operator()(Node*) const",
      "Node::walk::'lambda'::operator()"
    ),
    ("Node::walk(int)::$_3::operator()(Node*) const", "Node::walk::'lambda'::operator()"),
    (
      "Node::walk(int)::{lambda(Node*)#2}::operator()(Node*) const",
      "Node::walk::'lambda'::operator()"
    ),
    ("geo::operator<<(std::ostream&, geo::Point const&)", "geo::operator<<"),
    ("bool geo::operator< <int>(geo::Box<int> const&, geo::Box<int> const&)", "geo::operator<"),
    ("geo::Box<int>::operator->() const", "geo::Box::operator->"),
    (
      "invocation function for block in gl::Queue::run(std::function<void ()>)",
      "gl::Queue::run_block_invoke"
    ),
    ("non-virtual thunk to gl::View::draw()", "gl::View::draw"),
    ("nextFrame(int, bool)", "nextFrame"),
    ("gl::parse(char const*) [clone .cold]", "gl::parse"),
    // Rust
    (
      "ureq::agent::Agent::run_via_middleware::h536400a2c217cbc6",
      "ureq::agent::Agent::run_via_middleware"
    ),
    (
      "tokio::runtime::io::driver::Driver::turn::hd5fed859352f9ec7 (.llvm.5188751975030512962)",
      "tokio::runtime::io::driver::Driver::turn"
    ),
    (
      "<alloc::boxed::Box<F,A> as core::ops::function::FnOnce<Args>>::call_once",
      "<alloc::boxed::Box as core::ops::function::FnOnce>::call_once"
    ),
    ("core::iter::map::<u8, app::f>", "core::iter::map"),
    ("app::run::{closure#4}", "app::run::{closure}"),
    ("app::run::{{closure}}", "app::run::{closure}"),
  ])
  func whatIsLeft(name: String, expected: String) {
    expectEqual(SignatureName.normalized(name), expected)
  }

  /// What is left is left alone.
  @Test(arguments: [
    "closure in Feed.load()", "-[A b]_block_invoke", "geo::operator<",
    "Node::walk::'lambda'::operator()",
    "<a::B as c::D>::call_once", "static Level.< infix(_:_:)",
  ])
  func isStable(name: String) { expectEqual(SignatureName.normalized(name), name) }

  @Test(arguments: [
    "<redacted>", "__hidden#123_", "GCC_except_table763", "___lldb_unnamed_symbol12", "",
  ])
  func namesThatSayNothing(name: String) { expectNil(SignatureName.normalized(name)) }

  /// Names of different functions stay different.
  @Test(arguments: [
    ("Board.turn()", "Board.turn(at:)"), ("-[A b]", "+[A b]"), ("-[A b]", "-[A b]_block_invoke"),
    ("closure #1 in f()", "f()"), ("gl::A::f()", "gl::B::f()"),
    ("gl::operator<(A)", "gl::operator>(A)"),
    ("Feed.text.getter", "Feed.text.setter"), ("static A.f()", "A.f()"),
  ])
  func differentNames(first: String, second: String) {
    expectNotEqual(SignatureName.normalized(first), SignatureName.normalized(second))
  }

  /// Brackets without partners, nested a thousand times, and endings without a name.
  @Test(arguments: [
    "a<b", "a>b<c>", "operator", "operator<", ")(", "f(((", ".cold.1", "$VARIANT$",
    "::h0123456789abcdef",
    "_block_invoke", "__", "protocol witness for  in conformance ",
    "(1) resume partial function for ",
    "closure #", "+ ", "+ 1", " + 1 + 2", "'lambda", "{lambda(", "[abi:", "$_", "\u{0}\u{1b}[2J",
  ])
  func damagedNames(name: String) {
    _ = SignatureName.normalized(name)
    let long = String(repeating: name, count: 1000)
    #expect((SignatureName.normalized(long)?.count ?? 0) <= 501)
    expectNotEqual(
      SignatureName.normalized(name)?.unicodeScalars.contains { $0.value < 0x20 }, true)
  }
}
