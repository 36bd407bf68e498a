//go:build unix

package lines

import (
	"io/fs"
	"syscall"
)

// FileOf returns a number that a file keeps as long as it is that file.
func FileOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
