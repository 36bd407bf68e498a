package watch

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns the time of the last change of the file or of its status (ctime).
func changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return info.ModTime()
}
