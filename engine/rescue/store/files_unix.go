//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// doNotWait opens a FIFO without waiting for a writer.
const doNotWait = syscall.O_NONBLOCK

// owners returns the user that a file belongs to and the user of this process.
func owners(info fs.FileInfo) (owner, user int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), os.Geteuid(), true
}
