#include "tally.h"

static tally::Entry samples[2] = {{3, 5}, {1, 4}};

namespace {

struct Auditor {
  long found = 0;

  [[gnu::always_inline]] void inspect(const tally::Entry &entry) {
    tally::Account account(found);
    account.deposit(entry);
    found += account.settled();
  }
};

} // namespace

[[gnu::noinline]] static long inspectAll(long count) {
  Auditor auditor;
  for (long i = 0; i < count; i++)
    auditor.inspect(samples[i]);
  return auditor.found;
}

int main() {
  return static_cast<int>(inspectAll(2) + tally::total(samples, 2));
}

extern "C" void _start() {
  main();
  for (;;) {
  }
}
