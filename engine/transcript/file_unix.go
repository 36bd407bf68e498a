//go:build unix

package transcript

import (
	"io/fs"
	"syscall"
)

// FileNumber returns a number that a file keeps as long as it is that file.
func FileNumber(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
