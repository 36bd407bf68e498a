//go:build unix

package newfile

import (
	"io/fs"
	"os"
	"syscall"
)

// DoNotWait is the flag of os.OpenFile that opens a FIFO without waiting for a
// writer; 0 where there is none.
const DoNotWait = syscall.O_NONBLOCK

// Owners returns the user that a file belongs to and the user of this process,
// if the system says.
func Owners(info fs.FileInfo) (owner, user int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), os.Geteuid(), true
}
