//go:build unix

package kept

import (
	"io/fs"
	"syscall"
)

// fileOf returns a number that a file keeps as long as it is that file.
func fileOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
