package transcript

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
)

// ErrMoved is that a record was removed or renamed by somebody else, and goes on in a
// new file.
var ErrMoved = errors.New("the record was removed or renamed, and goes on in a new file")

// largestRecord is the size in bytes at which a file is full.
const largestRecord = 100 << 20

// Record is a record: events appended to a file, for its owner alone. When it is full it
// is renamed to FILE.1, what was FILE.1 to FILE.2 and so on, and goes on empty. Its
// methods may be called from several goroutines.
//
// A line is one write behind the last, so that a kill at any moment leaves whole
// lines and at most one that is torn, which the next start closes.
type Record struct {
	mu    sync.Mutex
	path  string
	file  *os.File
	info  os.FileInfo // of file, when it was opened
	size  int64
	most  int64
	line  []byte
	fault error // why nothing more is written
}

// OpenRecord opens a record, or makes it. One that others may read is closed to them.
func OpenRecord(path string) (*Record, error) {
	f := &Record{path: path, most: largestRecord}
	return f, f.open()
}

// open opens the file and closes a line that was torn.
func (f *Record) open() error {
	// SECURITY: a record names what a user's agent asked for, and may hold its texts. The
	// mode of a file that is there is not changed by opening it.
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", f.path)
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		if err = file.Chmod(0o600); err != nil {
			err = fmt.Errorf("others may read it, and that cannot be changed: %w", err)
		}
	}
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = file.WriteString("\n")
		}
	}
	if err != nil {
		_ = file.Close() // the first error is the one to tell
		return err
	}
	f.file, f.info, f.size = file, info, info.Size()
	return nil
}

// Add appends an event. ErrMoved is that it is in a new file. After any other error
// nothing more is written, and every call returns it.
func (f *Record) Add(e Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault != nil {
		return f.fault
	}
	var moved error
	if now, err := os.Stat(f.path); err != nil || !os.SameFile(now, f.info) { // the old file is left as it is
		moved = ErrMoved
		_ = f.file.Close() // every line of it was written when it came
		if f.fault = f.open(); f.fault != nil {
			f.fault = fmt.Errorf("it was removed or renamed: %w", f.fault)
		}
	}
	if f.fault == nil {
		f.line, f.fault = AppendEvent(f.line[:0], e)
	}
	if f.fault == nil && f.size > 0 && f.size+int64(len(f.line)) > f.most {
		f.fault = f.rotate()
	}
	if f.fault != nil {
		return f.fault
	}
	n, err := f.file.Write(f.line)
	f.size += int64(n)
	if err == nil && n < len(f.line) {
		err = io.ErrShortWrite
	}
	f.fault = err
	if err == nil {
		return moved
	}
	return err
}

// rotate renames the file and its predecessors, the oldest first, and begins another.
func (f *Record) rotate() error {
	if err := f.file.Close(); err != nil {
		return err
	}
	name := func(n int) string { return f.path + "." + strconv.Itoa(n) }
	last := 0
	for {
		if _, err := os.Lstat(name(last + 1)); err != nil {
			break
		}
		last++
	}
	for n := last; n > 0; n-- {
		if err := os.Rename(name(n), name(n+1)); err != nil {
			return err
		}
	}
	if err := os.Rename(f.path, name(1)); err != nil {
		return err
	}
	return f.open()
}

// Close ends the record.
func (f *Record) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fault == nil {
		f.fault = os.ErrClosed
	}
	return f.file.Close()
}
