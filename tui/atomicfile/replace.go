// Package atomicfile replaces the content of a file in one step, if it is
// still what the new content was made from, and makes the new content again
// when it is not.
//
// Goals: who reads the file at any moment finds the old content or the new,
// never half of one, and the disk has the new one when Replace returns; what
// somebody else has written meanwhile is not lost; the file stays what it was
// but for its content: a symbolic link, its mode, its owner.
//
// Non-goals: locks. Whoever writes in the moment between the last look and the
// rename loses.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"caliper/model/newfile"
)

// ChangedError says that a file is not what it was.
type ChangedError struct {
	Path string
	Data []byte // what it is now
}

// Error returns the path and what happened.
func (e *ChangedError) Error() string { return e.Path + ": changed by somebody else meanwhile" }

// Replace writes new to the file at path, whose content is old. A symbolic
// link is followed, and stays. A hard link does not: the other names keep the
// old content. The error is a *ChangedError when the content is another than
// old by now, and wraps the operating system's when the file is gone, is not a
// regular one or may not be written; nothing is then changed.
func Replace(path string, old, new []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "replace", Path: path, Err: errors.New("not a regular file")}
	}
	if err := writable(target); err != nil {
		return err
	}
	sweep(target)
	f, err := newfile.Create(target, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer hold(f.Name())()
	if err := fill(f, info, new); err != nil {
		return errors.Join(err, f.Discard())
	}
	if err := unchanged(path, target, old); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// young is the age below which an unfinished file is not swept: its writer may
// have made it and not locked it yet.
const young = time.Minute

// sweep removes the unfinished files of earlier replacements of target that were
// killed. What is young or cannot be removed is left.
func sweep(target string) {
	for _, e := range newfile.Unfinished(target) {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) >= young {
			removeAbandoned(filepath.Join(filepath.Dir(target), e.Name()))
		}
	}
}

// writable returns why a file may not be written. A rename would not ask: it
// changes the folder.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// fill writes the content of a new file and gives it the permissions, whatever
// the umask, and the owner of the old one.
func fill(f *newfile.File, old fs.FileInfo, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(old.Mode().Perm()); err != nil {
		return fmt.Errorf("keeping the permissions: %w", err)
	}
	if err := chown(f.File, old); err != nil {
		return fmt.Errorf("keeping the owner: %w", err)
	}
	return nil
}

// unchanged returns a ChangedError when a file is not what it was.
func unchanged(path, target string, old []byte) error {
	now, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, old) {
		return &ChangedError{Path: path, Data: now}
	}
	return nil
}
