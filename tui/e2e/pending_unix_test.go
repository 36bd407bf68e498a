//go:build unix

package e2e

import "golang.org/x/sys/unix"

// pending reports whether the terminal holds input that was not read. Polling
// the side of the program makes Linux move what was just written there first.
func (x *terminal) pending() bool {
	waits := false
	x.onSlave(func(fd int) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		waits = err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	})
	return waits
}
