// Package atomicfile replaces the content of a file in one step, if it is
// still what the new content was made from.
//
// Goals: who reads the file at any moment finds the old content or the new,
// never half of one, and the disk has the new one when Replace returns; what
// somebody else has written meanwhile is not lost; the file stays what it was
// but for its content: a symbolic link, its mode, its owner.
//
// Non-goals: making files, and locks. Whoever writes in the moment between the
// last look and the rename loses.
package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
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
	// Beside the target, so that it is on the same disk; looking for another
	// place would make more files there.
	f, err := renameio.NewPendingFile(target, renameio.WithTempDir(filepath.Dir(target)), renameio.WithStaticPermissions(info.Mode().Perm()))
	if err != nil {
		return err
	}
	lease := flock.New(f.Name())
	defer lease.Close()
	_, _ = lease.TryLock() // where a disk has no locks, sweep finds none free either
	if err := fill(f, info, new); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	if err := unchanged(path, target, old); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(err, f.Cleanup())
	}
	return nil
}

// sweep removes the temporary files of earlier replacements of target that were
// killed: nobody holds the lock of one. What cannot be removed is left.
func sweep(target string) {
	folder, prefix := filepath.Dir(target), "."+filepath.Base(target)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(folder, e.Name())
		lease := flock.New(name, flock.SetFlag(os.O_RDWR))
		if free, err := lease.TryLock(); err == nil && free {
			os.Remove(name)
		}
		lease.Close()
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

// fill writes the content of a new file and gives it the owner of the old one.
func fill(f *renameio.PendingFile, old fs.FileInfo, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
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
