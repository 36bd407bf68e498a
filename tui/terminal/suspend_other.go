//go:build !unix

package terminal

// CanSuspend returns false, because the system has no job control.
func CanSuspend() bool { return false }
