/* The unit AppDelegate.swift: main, as @UIApplicationMain makes it. */

int UIApplicationMain(int count, char **arguments, void *principal, void *delegate);

#line 12 "AppDelegate.swift"
int main(int count, char **arguments) {
  return UIApplicationMain(count, arguments, 0, 0);
}
