#include <pthread.h>

// Two threads write one counter without a lock.

static int counter;

static inline __attribute__((always_inline)) void bump(int *number) {
  *number += 1;
}

__attribute__((noinline)) void *work(void *unused) {
  bump(&counter);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
