// Three ways to trap with a message.

typedef __SIZE_TYPE__ size_t;

static inline __attribute__((always_inline)) void check(size_t index, size_t count) {
  if (index >= count) __builtin_verbose_trap("Bounds check", "index past the end");
}

__attribute__((noinline)) int element(const int *values, size_t count, size_t index) {
  check(index, count);
  return values[index];
}

__attribute__((noinline)) int sum(int one, int other) {
  return one + other;
}

__attribute__((noinline)) void nameless(void) {
  __builtin_verbose_trap("", "no category");
}

int main(int count, char **arguments) {
  const int values[] = {1, 2, 3};
  if (count > 5) nameless();
  return sum(element(values, 3, (size_t)count), count);
}
