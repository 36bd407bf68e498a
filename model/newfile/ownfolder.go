package newfile

import (
	"fmt"
	"io/fs"
)

// FolderFault returns why a folder is no safe place for files of the user, or nothing.
// With isNew it may be writable by others, because it is given its own mode
// before anything is in it. On systems where the owner of a file is not known
// there is no fault.
//
// SECURITY: whoever can write into a folder can put files in the place of ours,
// and read what we keep.
func FolderFault(info fs.FileInfo, isNew bool) string {
	owner, user, known := Owners(info)
	if !known {
		return ""
	}
	return folderFault(info.Mode(), owner, user, isNew)
}

// folderFault is FolderFault for an owner and a user.
func folderFault(mode fs.FileMode, owner, user int, isNew bool) string {
	switch {
	case owner != user:
		return fmt.Sprintf("it belongs to another user (%d, and this is %d)", owner, user)
	case mode.Perm()&0o022 != 0 && !isNew:
		return fmt.Sprintf("other users can write to it (mode %04o): chmod 700 it if you trust what is in it", mode.Perm())
	}
	return ""
}
