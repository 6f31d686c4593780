// Where symbol files lie.
