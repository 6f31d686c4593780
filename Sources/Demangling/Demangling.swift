// Raw name -> shown name.
