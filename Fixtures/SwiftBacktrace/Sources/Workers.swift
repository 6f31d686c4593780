// Crashes in the second of three threads: a division by zero.
import Glibc

@_silgen_name("pthread_setname_np")
func setName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> CInt

final class Worker {
  let share: Int

  init(share: Int) { self.share = share }

  @inline(never) func run() -> Int { share > 100 ? share : divide(12, by: share) + 1 }

  @inline(never) func divide(_ number: Int, by other: Int) -> Int {
    sleep(other == 0 ? 1 : 60)
    return number / other
  }
}

func start(_ share: Int) -> pthread_t {
  var thread = pthread_t()
  let worker = Unmanaged.passRetained(Worker(share: share))
  pthread_create(
    &thread, nil,
    { argument in
      _ = setName(pthread_self(), "worker")
      print(Unmanaged<Worker>.fromOpaque(argument!).takeRetainedValue().run())
      return nil
    }, worker.toOpaque())
  return thread
}

let threads = [start(0), start(4)]
for thread in threads { pthread_join(thread, nil) }
