//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// CanSuspend reports whether a shell can resume the program after ctrl-z: it
// runs in the same session with job control and has put the program into a
// process group of its own. In an orphaned process group the kernel ignores the
// stop signal, and bubbletea would wait for ever.
func CanSuspend() bool {
	parent := os.Getppid()
	parentSession, err := unix.Getsid(parent)
	if err != nil {
		return false
	}
	session, err := unix.Getsid(0)
	if err != nil || session != parentSession {
		return false
	}
	group, err := unix.Getpgid(parent)
	return err == nil && group != unix.Getpgrp()
}
