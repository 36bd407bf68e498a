//go:build unix

package rescue

import (
	"net"
	"os"
	"syscall"
)

// strangers put something that is no file at a path.
var strangers = map[string]func(path string) error{
	"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	"a FIFO":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"a link":   func(path string) error { return os.Symlink("elsewhere", path) },
	"a socket": func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}
