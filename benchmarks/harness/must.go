package harness

// Must returns v. What is built here is built from constants, so an error is a fault of this package.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
