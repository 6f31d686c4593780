#include "tally.h"

static tally::Entry entries[4] = {{7, 1}, {9, 2}, {4, 3}, {8, -1}};

[[gnu::noinline]] static long monthly(long months) {
  tally::Account account(months);
  account.deposit(entries[months & 3]);
  return account.settled();
}

int main() {
  tally::Account account(12);
  account.close(entries, 3);
  return static_cast<int>(monthly(6) + tally::total(entries, 4));
}

extern "C" void _start() {
  main();
  for (;;) {
  }
}
