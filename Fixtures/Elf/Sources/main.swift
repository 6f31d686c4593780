print(Clerk().work(Array(CommandLine.arguments.dropFirst())))
