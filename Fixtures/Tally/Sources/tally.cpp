#include "tally.h"

namespace tally {

volatile long observed;

void complain(const char *reason, long value) {
  observed = observed + value + reason[0];
}

long total(const Entry *entries, long count) {
  Account account(count);
  for (long i = 0; i < count; i++) {
    if (__builtin_expect(entries[i].kind < 0, 0)) {
      complain("kind", entries[i].kind);
      complain("amount", entries[i].amount);
      return -1;
    }
    account.deposit(entries[i]);
  }
  return account.settled();
}

void Account::close(const Entry *entries, long count) {
  balance -= total(entries, count);
  observed = settled();
}

// Nothing calls it: a linker that collects garbage drops it.
long unused(const Entry *entries) {
  Account account(1);
  account.deposit(entries[0]);
  return account.settled();
}

} // namespace tally
