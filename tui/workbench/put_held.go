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

// put is Put for a file that is held; perm is for a missing one.
func (h *held) put(old, new []byte, perm fs.FileMode) error {
	switch {
	case h.info == nil && old == nil:
		return create(h.path, new, perm)
	case h.info == nil:
		return &fs.PathError{Op: "write", Path: h.path, Err: syscall.ENOENT}
	}
	if err := writable(h.target); err != nil {
		return err
	}
	newfile.Sweep(h.target)
	f, err := newfile.Create(h.target, h.info.Mode().Perm())
	if err != nil {
		return err
	}
	if err := h.fill(f, new); err != nil {
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

// fill writes the content of a new file, gives it the permissions, whatever the umask,
// and the owner of the old one, and closes it, which syncs it.
func (h *held) fill(f *newfile.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(h.info.Mode().Perm()); err != nil {
		return fmt.Errorf("keeping the permissions: %w", err)
	}
	if err := chown(f.File, h.info); err != nil {
		return fmt.Errorf("keeping the owner: %w", err)
	}
	return f.Close()
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
			syncFolder(h.target)
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

// syncFolder puts the names in the folder of a file on the disk, where the system can.
func syncFolder(name string) {
	if folder, err := os.Open(filepath.Dir(name)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
