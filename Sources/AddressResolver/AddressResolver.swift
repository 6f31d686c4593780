// Slide arithmetic and symbol sources.
