// Bytes -> report.
