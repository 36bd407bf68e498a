package serving

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"caliper/engine/transcript"
)

// longestLine is the length in bytes from which on a line of a record is no event.
const longestLine = 16 << 20

// lookEvery is how often a record is looked at for more.
const lookEvery = 250 * time.Millisecond

// Follow hands on the events of a record, those that are there and those that another
// process appends, until ctx ends. A record that is renamed when it is full is followed
// to its end and then in the file that took its name. Lines that are no events are
// counted in skipped, which may be nil. The error comes from opening the file first;
// later a file that is not there is waited for.
func Follow(ctx context.Context, path string, event func(transcript.Event), skipped func()) error {
	f := follower{take: event, skip: skipped}
	if err := f.open(path); err != nil {
		return err
	}
	defer func() { f.close() }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		f.read(ctx)
		// The name may belong to another file by now, or to one that is shorter than what was
		// read of it, or there was no file yet.
		now, err := os.Stat(path)
		replaced := err == nil
		if replaced && f.file != nil {
			was, err := f.file.Stat()
			replaced = err != nil || !os.SameFile(was, now) || now.Size() < f.at
		}
		if replaced {
			f.read(ctx) // what came before it was renamed
			f.close()
			if f.open(path) == nil {
				continue
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// follower is a record that is read.
type follower struct {
	take func(transcript.Event)
	skip func()
	file *os.File
	in   *bufio.Reader
	at   int64  // bytes read
	line []byte // the beginning of a line that has no end yet
	long bool   // that line is too long to be kept
}

// open opens the record at its beginning.
func (f *follower) open(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(path + " is not a file")
	}
	if err != nil {
		_ = file.Close() // the first error is the one to tell
		return err
	}
	f.file, f.in, f.at, f.line, f.long = file, bufio.NewReaderSize(file, 64<<10), 0, nil, false
	return nil
}

// close closes the file.
func (f *follower) close() {
	if f.file != nil {
		_ = f.file.Close() // it was only read
		f.file = nil
	}
}

// read reads the lines that have an end, up to the end of the file.
func (f *follower) read(ctx context.Context) {
	for f.file != nil && ctx.Err() == nil {
		part, err := f.in.ReadSlice('\n')
		f.at += int64(len(part))
		if f.long = f.long || len(f.line)+len(part) > longestLine; !f.long {
			f.line = append(f.line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil { // the end, for now
			if !errors.Is(err, io.EOF) {
				f.close()
			}
			return
		}
		e, ok := transcript.ParseEvent(f.line)
		switch {
		case ok && !f.long:
			f.take(e)
		case f.skip != nil && len(bytes.TrimSpace(f.line)) > 0:
			f.skip()
		}
		f.line, f.long = f.line[:0], false
	}
}
