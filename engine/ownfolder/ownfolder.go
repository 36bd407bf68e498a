// Package ownfolder says whether a folder belongs to the user of this process
// alone, so that what is in it can be trusted and stays private.
//
// Non-goals: making folders, and access control lists, which no mode shows.
package ownfolder

import (
	"fmt"
	"io/fs"
)

// Fault returns why a folder is no safe place for files of the user, or nothing.
// With isNew it may be writable by others, because it is given its own mode
// before anything is in it. On systems where the owner of a file is not known
// there is no fault.
//
// SECURITY: whoever can write into a folder can put files in the place of ours,
// and read what we keep.
func Fault(info fs.FileInfo, isNew bool) string {
	owner, user, known := Owners(info)
	if !known {
		return ""
	}
	return fault(info.Mode(), owner, user, isNew)
}

// fault is Fault for an owner and a user.
func fault(mode fs.FileMode, owner, user int, isNew bool) string {
	switch {
	case owner != user:
		return fmt.Sprintf("it belongs to another user (%d, and this is %d)", owner, user)
	case mode.Perm()&0o022 != 0 && !isNew:
		return fmt.Sprintf("other users can write to it (mode %04o): chmod 700 it if you trust what is in it", mode.Perm())
	}
	return ""
}
