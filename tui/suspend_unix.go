//go:build unix

package tui

import (
	"os"

	"golang.org/x/sys/unix"
)

// canSuspend reports whether somebody can bring the program back after
// ctrl-z: a shell with job control runs in our session and put us into a
// process group of our own. In an orphaned group the kernel drops the stop
// signal, and bubbletea would wait for its end for ever.
func canSuspend() bool {
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
