//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package embed

import (
	"errors"
	"os"
	"syscall"
)

// lock holds a folder until release is called, or the process ends in whatever
// way: shared by those who write in it, which waits for one who sweeps;
// exclusive, without waiting, to sweep it. ok is false when somebody else holds
// the folder, or when it cannot be held, as on some network disks.
func lock(folder string, exclusive bool) (release func(), ok bool) {
	f, err := os.Open(folder)
	if err != nil {
		return func() {}, false
	}
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return func() { _ = f.Close() }, err == nil
}
