package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"caliper/model/newfile"
)

// suffixes are of the files that belong to a database: itself, the log of what was
// written last, and what takes a broken write back.
var suffixes = []string{"", "-wal", "-journal"}

// copyName is the name of the copy of a database.
const copyName = "state.db"

// copies is how often a database is copied that changes under the copy.
const copies = 5

// magic begins every database.
var magic = []byte("SQLite format 3\x00")

// IsDatabase reports whether a file that begins with these bytes is a database.
func IsDatabase(head []byte) bool { return bytes.HasPrefix(head, magic) }

// ReadDatabase reads the sessions of a database of Hermes, state.db, into r, in the order of their
// time and id. The error is ctx's or the file system's; a file that is no database, or a damaged one,
// is counted as left out.
//
// To open a database where it lies would leave a file beside it, or miss the sessions that are only
// in its log. So the database and its logs are copied into a folder of their own and opened there.
//
// Invariants:
//   - nothing is written, created or removed where the database lies;
//   - nothing of the copy is left, however the process ends after it was opened; what a process
//     left that was killed before, the next one removes;
//   - a database that is damaged gives what can be read of it, and is counted.
//
// The cost is one copy and one pass; memory grows with the longest message.
func ReadDatabase(ctx context.Context, r *HermesReader, path string) error {
	head := make([]byte, len(magic))
	if err := readHead(path, head); err != nil {
		return err
	}
	if !IsDatabase(head) {
		r.skipped.Add(path, 0, "not a database")
		return nil
	}
	folder, err := newPrivate(time.Now())
	if err != nil {
		return err
	}
	// SECURITY: the folder for temporary files is shared with everybody: a copy does not stay.
	defer folder.remove()
	to := filepath.Join(folder.folder, copyName)
	stood := false // still, while it was copied
	for range copies {
		before, err := stampOf(path)
		if err != nil {
			return err
		}
		for _, suffix := range suffixes {
			if err := duplicateFile(ctx, path+suffix, to+suffix, suffix != "", r.Options.Progress); err != nil {
				return err
			}
		}
		after, err := stampOf(path)
		if err != nil {
			return err
		}
		if stood = before == after; stood {
			break
		}
	}
	if !stood {
		r.skipped.Add(path, 0, "changes while it is read")
		return nil
	}
	err = folder.readCopy(ctx, r, path, to)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.skipped.Add(path, 0, "damaged")
	}
	return nil
}

// stampOf returns a text that changes when pages are written into a database, and when its log
// begins anew. A log that only grew meanwhile is copied up to some whole transaction.
func stampOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	var head [100]byte // with its change counter
	if err := readHead(path, head[:]); err != nil {
		return "", err
	}
	var log [32]byte // of the log, with its salts
	if err := readHead(path+"-wal", log[:]); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	_, missing := os.Stat(path + "-journal")
	return fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano(), " ", FileNumber(info), head, log, missing == nil), nil
}

// DatabaseSize returns the bytes of a file and, for a database, of what belongs to it.
func DatabaseSize(path string) (all int64) {
	for _, suffix := range suffixes {
		if info, err := os.Stat(path + suffix); err == nil {
			all += info.Size()
		}
	}
	return all
}

// openFile opens a regular file.
//
// SECURITY: a pipe that lies there would hold the process, and a device would never end.
func openFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|newfile.DoNotWait, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// readHead reads the first bytes of a file, which may have fewer.
func readHead(path string, head []byte) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// duplicateFile copies one file. One that may be missing has no copy then.
func duplicateFile(ctx context.Context, from, to string, optional bool, progress func(int)) error {
	in, err := openFile(from)
	if optional && errors.Is(err, fs.ErrNotExist) {
		if err = os.Remove(to); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	defer in.Close()
	// SECURITY: nobody else may read the copy.
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.TeeReader(in, Told(func(n int) error {
		if progress != nil && n > 1 {
			progress(n / 2) // the other half is told of when it is read
		}
		return ctx.Err()
	})))
	return errors.Join(err, out.Close())
}

// Told is told how many bytes are written to it, and ends that with an error.
type Told func(n int) error

// Write implements io.Writer.
func (t Told) Write(p []byte) (int, error) { return len(p), t(len(p)) }
