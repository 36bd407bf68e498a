//go:build unix

package workbench

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives a file the owner and the group that another has, if they are not
// the same already. Root who edits a user's file must not take it away.
func chown(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if has, ok := info.Sys().(*syscall.Stat_t); ok && has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return err
	}
	return f.Chmod(like.Mode().Perm()) // which a change of the owner may have cut
}
