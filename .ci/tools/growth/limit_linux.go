package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// limitCPU has the system kill a process that has used more CPU time than the
// limit, in whole seconds.
func limitCPU(pid int, limit time.Duration) error {
	seconds := uint64((limit + time.Second - 1) / time.Second)
	return unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}, nil)
}
