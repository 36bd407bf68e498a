package workbench

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openForWriting reports whether somebody has a file open for writing: the kernel then
// refuses a lease to readers, fcntl(2) of F_SETLEASE. It gives them to the owner of the
// file and to root, and on local disks alone; others learn of no writer.
func openForWriting(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK) // closing ends it too
	}
	return errors.Is(err, unix.EAGAIN)
}
