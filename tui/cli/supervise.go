package cli

import "caliper/engine/live"

// Supervise supervises a server, until it is to end, if the arguments of the
// process say so. It returns the code to exit with; ok is false for any other
// command line. No user gives such arguments: import starts the program with
// them, so that nothing of a server is left behind, however the program ends.
func Supervise(args, environment []string) (code int, ok bool) {
	return live.Supervise(args, environment)
}
