print("symbolicate")
