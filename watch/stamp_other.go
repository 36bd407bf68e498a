//go:build !linux

package watch

import (
	"io/fs"
	"time"
)

// changed returns the time of the last change of the file.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }
