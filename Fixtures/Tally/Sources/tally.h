#ifndef TALLY_H
#define TALLY_H

// What two programs share: a namespace, classes with inline methods, a template.
namespace tally {

extern volatile long observed;

struct Entry {
  long amount;
  int kind;
};

template <typename Number>
[[gnu::always_inline]] inline Number limited(Number value, Number limit) {
  if (value > limit)
    return limit;
  return value;
}

class Account {
public:
  explicit Account(long opening) : balance(opening) {}

  [[gnu::always_inline]] void deposit(const Entry &entry) {
    balance += weight(entry);
    observed = balance;
  }

  [[gnu::always_inline]] long settled() const {
    return limited(balance >> 2, 1000000L);
  }

  void close(const Entry *entries, long count);

private:
  [[gnu::always_inline]] static long weight(const Entry &entry) {
    return limited(entry.amount * entry.kind, 5000L);
  }

  long balance;
};

long total(const Entry *entries, long count);
[[gnu::cold, gnu::noinline]] void complain(const char *reason, long value);

} // namespace tally

#endif
