package newfile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange gives two files each other's name in one step.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	for _, unknown := range []error{unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.EPERM} { // EPERM: filters of system calls
		if errors.Is(err, unknown) {
			return errors.ErrUnsupported
		}
	}
	return err
}
