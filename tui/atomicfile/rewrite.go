package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"caliper/model/newfile"
)

// ErrBusy says that a file changed between every look and the write after it.
var ErrBusy = errors.New("somebody else writes it all the time")

// attempts is how often Rewrite tries.
const attempts = 10

// Rewrite changes the content of the file at path, which is old by the last
// look, and returns what the content was and what it is. A nil old stands for a
// file that is missing. When replace, which is Put or stands in for it, finds
// other content there, Rewrite makes the change to that: what somebody else
// writes meanwhile is not lost. A change that changes nothing writes nothing.
// The error is that of change or replace, or wraps ErrBusy after ten attempts.
func Rewrite(path string, old []byte, replace func(path string, old, new []byte) error, change func(old []byte) ([]byte, error)) (before, after []byte, err error) {
	for range attempts {
		changed, err := change(old)
		if err != nil {
			return nil, nil, err
		}
		if bytes.Equal(old, changed) {
			return old, changed, nil
		}
		err = replace(path, old, changed)
		var meanwhile *ChangedError
		if !errors.As(err, &meanwhile) {
			return old, changed, err
		}
		old = meanwhile.Data
	}
	return nil, nil, fmt.Errorf("%s: %w", path, ErrBusy)
}

// Put is Replace for a file that may be missing: a nil old says that it is, and
// the file is then made, with the permissions 0644 less the umask. The error is
// a *ChangedError when there is a file by now.
func Put(path string, old, new []byte) error {
	if old != nil {
		return Replace(path, old, new)
	}
	f, err := newfile.Create(path, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(new); err != nil {
		return errors.Join(err, f.Discard())
	}
	err = f.CommitNew()
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return &ChangedError{Path: path, Data: now}
}
