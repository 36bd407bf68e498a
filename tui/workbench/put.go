package workbench

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"syscall"

	"caliper/model/newfile"
)

// These files (put_*.go, label_lines.go, overrides.go) change files of the user. PutFile replaces the content of a file in
// one step, if it is still what the new content was made from, and makes the new content again
// when it is not.
//
// Goals: who reads the file at any moment finds the old content or the new,
// never half of one, and the disk has the new one when PutFile returns; what
// somebody else writes meanwhile, in place or over it, is not lost; the file stays
// what it was but for its content: a symbolic link, its mode, its owner.
//
// A write takes these steps: it locks the file, which every caliper does; writes the
// new content beside it, and syncs that; waits until nobody has the file open for
// writing, and looks whether it has the old content; gives the two files each
// other's name; and looks at what came out. If that is not the old content, or is
// being written, it goes back, and the file is as the other program left it.
//
// Limits: only Linux can tell that a file is open for writing, and only Linux and
// macOS give two files each other's name, on most disks. Elsewhere, what another
// program writes in the moment between the last look and the rename is lost. What it
// writes after the last step, it writes over the new content.
//
// Non-goals: hard links. The other names of the file keep the old content.
//
// Two kinds of files are changed line by line: labelled queries (AddLabel, RemoveLabel,
// RewriteLabels) and overrides (ProposeOverrides), whose formats packages labels and
// config have. Every line that is not changed keeps its bytes. A tool has one entry in a
// file of overrides: the one that counts for it is replaced, whichever name it has.

// ChangedError is that a file is not as it was.
type ChangedError struct {
	Path string
	Data []byte // what it is now
}

// Error returns the path and what happened.
func (e *ChangedError) Error() string { return e.Path + ": changed by somebody else meanwhile" }

// ErrBusy is that somebody else did not let go of a file, or changed it between
// every look and the write after it.
var ErrBusy = errors.New("somebody else writes it all the time")

// errNotFile is why only files are read and written: a FIFO would be
// waited for without end.
var errNotFile = errors.New("not a regular file")

// ReadFile returns the content of a regular file, nil for a missing one.
func ReadFile(path string) ([]byte, error) {
	data, _, err := peek(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// PutFile writes new to the file at path, whose content is old. A nil old stands for a
// missing file, which is made with the permissions 0644 less the umask. A symbolic
// link is followed, and stays. The error is a *ChangedError when the content is
// another than old by now, and wraps ErrBusy or the operating system's error when the
// file is gone, is not a regular one or may not be written; nothing is then changed.
func PutFile(path string, old, new []byte) error {
	h, err := hold(path)
	if err != nil {
		return err
	}
	defer h.release()
	return h.put(old, new, 0o644)
}

// attempts is how often Rewrite tries.
const attempts = 10

// RewriteFile changes the content of the file at path and returns what the content was
// and what it is. The argument of change is nil when the file is missing, and the file
// is then made with the permissions perm less the umask; when perm is 0, a missing file
// is an error. Changes that somebody else makes meanwhile are not lost: the change is then made
// again, to that. A change that changes nothing writes nothing. The error is that from
// change, or one that PutFile returns, but no *ChangedError.
func RewriteFile(path string, perm fs.FileMode, change func(old []byte) ([]byte, error)) (before, after []byte, err error) {
	for range attempts {
		before, after, err = rewriteOnce(path, perm, change)
		var meanwhile *ChangedError
		if !errors.As(err, &meanwhile) {
			return before, after, err
		}
	}
	return nil, nil, &fs.PathError{Op: "write", Path: path, Err: ErrBusy}
}

// rewriteOnce is one attempt of Rewrite.
func rewriteOnce(path string, perm fs.FileMode, change func(old []byte) ([]byte, error)) (before, after []byte, err error) {
	h, err := hold(path)
	if err != nil {
		return nil, nil, err
	}
	defer h.release()
	if h.info == nil && perm == 0 {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
	}
	if before, err = h.look(); err != nil {
		return nil, nil, err
	}
	if after, err = change(before); err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(before, after) {
		err = h.put(before, after, perm)
	}
	return before, after, err
}

// create makes a file that is missing.
func create(path string, data []byte, perm fs.FileMode) error {
	newfile.Sweep(path)
	f, err := newfile.Create(path, perm)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Discard())
	}
	err = f.CommitNew()
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	now, _, err := peek(path)
	if err != nil {
		return err
	}
	return &ChangedError{Path: path, Data: now}
}

// writable returns why a file may not be written. An exchange of names would not ask:
// it changes the folder.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
