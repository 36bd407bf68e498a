package workbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"caliper/model/newfile"
)

// The files put*.go, label_lines.go and overrides.go change files of the user. PutFile replaces the content of a file in
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

// attempts is how often RewriteFile tries.
const attempts = 10

// RewriteFile changes the content of the file at path and returns what the content was
// and what it is. The argument of change is nil when the file is missing, and the file
// is then made with the permissions perm less the umask; when perm is 0, a missing file
// is an error. Changes that somebody else makes meanwhile are not lost: the change is then made
// again, to that. A change that changes nothing writes nothing. The error is that from
// change, or one that PutFile returns, but no *ChangedError.
func RewriteFile(path string, perm fs.FileMode, change func(old []byte) ([]byte, error)) (before, after []byte, err error) {
	attempt := func() error {
		h, err := hold(path)
		if err != nil {
			return err
		}
		defer h.release()
		if h.info == nil && perm == 0 {
			return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
		}
		if before, err = h.look(); err != nil {
			return err
		}
		if after, err = change(before); err != nil || bytes.Equal(before, after) {
			return err
		}
		return h.put(before, after, perm)
	}
	for range attempts {
		err = attempt()
		var meanwhile *ChangedError
		if !errors.As(err, &meanwhile) {
			return before, after, err
		}
	}
	return nil, nil, &fs.PathError{Op: "write", Path: path, Err: ErrBusy}
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

// held is a file that no other caliper writes meanwhile.
type held struct {
	path    string
	target  string      // where the links of path lead
	info    fs.FileInfo // nil when the file is missing: a missing file has no lock
	release func()
}

// patience is how long others may lock a file or have it open for writing.
var patience = 10 * time.Second

// exchange stands in for a method in tests.
var exchange = (*newfile.File).Exchange

// hold locks the file at path, which may be missing.
func hold(path string) (*held, error) {
	h := &held{path: path, release: func() {}}
	return h, h.retry(func() (done bool, err error) {
		h.target, err = filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if h.info, err = os.Stat(h.target); err != nil {
			return false, err
		}
		if !h.info.Mode().IsRegular() {
			return false, &fs.PathError{Op: "open", Path: path, Err: errNotFile}
		}
		h.release, err = lock(h.target)
		return h.release != nil, err
	})
}

// retry calls step until it is done or fails. The error wraps ErrBusy when patience
// ends before.
func (h *held) retry(step func() (done bool, err error)) error {
	const most = 20 * time.Millisecond
	end := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, most) {
		if done, err := step(); done || err != nil {
			return err
		}
		if time.Now().After(end) {
			return &fs.PathError{Op: "write", Path: h.path, Err: ErrBusy}
		}
		time.Sleep(pause)
	}
}

// look returns the content of the file, nil for a missing one, at a moment when nobody
// is writing it.
func (h *held) look() (data []byte, err error) {
	if h.info == nil {
		return nil, nil
	}
	if data, _, err = peek(h.target); err != nil {
		return nil, err
	}
	return data, h.retry(func() (done bool, err error) {
		before, open := data, false
		data, open, err = peek(h.target)
		return !open && bytes.Equal(before, data), err
	})
}

// peek returns the content of a regular file and, where the system can tell, whether
// somebody had it open for writing before.
func peek(name string) (data []byte, open bool, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|newfile.DoNotWait, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: errNotFile}
	}
	if err != nil {
		return nil, false, err
	}
	open = openForWriting(f)
	data, err = io.ReadAll(f)
	return data, open, err
}

// put is PutFile for a file that is held; perm is for a missing one.
func (h *held) put(old, new []byte, perm fs.FileMode) error {
	switch {
	case h.info == nil && old == nil:
		return create(h.path, new, perm)
	case h.info == nil:
		return &fs.PathError{Op: "write", Path: h.path, Err: syscall.ENOENT}
	}
	// An exchange of names would not ask whether the file may be written: it changes the folder.
	target, err := os.OpenFile(h.target, os.O_WRONLY, 0)
	if err == nil {
		err = target.Close()
	}
	if err != nil {
		return err
	}
	newfile.Sweep(h.target)
	f, err := newfile.Create(h.target, h.info.Mode().Perm())
	if err != nil {
		return err
	}
	// Closing syncs the new content. It has the permissions, whatever the umask, and the owner of the old one.
	if _, err = f.Write(new); err == nil {
		if err = f.Chmod(h.info.Mode().Perm()); err != nil {
			err = fmt.Errorf("keeping the permissions: %w", err)
		} else if err = chown(f.File, h.info); err != nil {
			err = fmt.Errorf("keeping the owner: %w", err)
		} else {
			err = f.Close()
		}
	}
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	now, err := h.look()
	if err == nil && (old == nil || !bytes.Equal(now, old)) {
		err = &ChangedError{Path: h.path, Data: now}
	}
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	return h.swap(f, old, new)
}

// swap puts f, which has the new content, in the place of the file. When something else
// than the old content comes out, that goes back: somebody wrote it since the
// look. So it goes on until the content that comes out went in at the step before.
func (h *held) swap(f *newfile.File, old, new []byte) error {
	in, expected := new, old
	for step := 0; ; step++ {
		err := exchange(f)
		switch {
		case step == 0 && errors.Is(err, errors.ErrUnsupported):
			return f.Commit()
		case step == 0 && err != nil:
			return errors.Join(err, f.Discard())
		case err != nil:
			return fmt.Errorf("what somebody else wrote is in %s: %w", f.Name(), err)
		}
		out, open, err := peek(f.Name())
		if step == 0 && err == nil && !open && bytes.Equal(out, expected) {
			if folder, err := os.Open(filepath.Dir(h.target)); err == nil { // so that the disk has the names, where the system can
				_ = folder.Sync()
				_ = folder.Close()
			}
			out, open, err = peek(f.Name()) // who was about to open it has done so now
		}
		if err != nil {
			return fmt.Errorf("what was there before is in %s: %w", f.Name(), err)
		}
		if !open && bytes.Equal(out, expected) {
			err := f.Discard()
			if step > 0 {
				now, looked := h.look()
				err = errors.Join(looked, err)
				if err == nil {
					err = &ChangedError{Path: h.path, Data: now}
				}
			}
			return err
		}
		in, expected = out, in
	}
}
