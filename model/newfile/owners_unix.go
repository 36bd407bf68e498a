//go:build unix

package newfile

import (
	"io/fs"
	"os"
	"syscall"
)

// DoNotWait opens a FIFO without waiting for a writer; 0 where there is no such flag.
const DoNotWait = syscall.O_NONBLOCK

// Owners returns the user of a file and of this process, if the system says.
func Owners(info fs.FileInfo) (owner, user int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), os.Geteuid(), true
}
