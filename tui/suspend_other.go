//go:build !unix

package tui

// canSuspend reports that there is no job control to suspend to.
func canSuspend() bool { return false }
