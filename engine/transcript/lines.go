package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"caliper/model/jsontree"
)

// MaxLine is the longest line that is read, in bytes. Longer ones are told to Long and
// left out.
const MaxLine = 64 << 20

// Raw tells what to do with the lines of a stream.
type Raw struct {
	// Number and Offset are the lines and the bytes that stand before the stream.
	Number int
	Offset int64
	// Line is called with each line that is not blank, and its number from 1. The bytes
	// lie in a buffer: they are valid until Line returns.
	Line func(number int, line []byte) error
	// Long is called for each line that is longer than MaxLine.
	Long func(number int)
	// Torn is called when the stream ends in the middle of a line, with the offset at
	// which that line begins.
	Torn func(number int, offset int64)
	// Ended is called once the stream has ended, with the number of the last line
	// that has an end and the offset behind it, before what follows is handed over;
	// nil for nobody.
	Ended func(number int, offset int64)
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
	// within: lines that are indented by more than columns are passed over.
	within  bool
	columns int
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// readers are used again, since a folder may have thousands of short logs.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 256<<10) }}

// Read reads a stream to its end. The error is ctx's, the stream's, or Line's.
func (l Raw) Read(ctx context.Context, r io.Reader) error {
	in := readers.Get().(*bufio.Reader)
	in.Reset(r)
	defer func() {
		in.Reset(nil)
		readers.Put(in)
	}()
	var buffer []byte
	offset := l.Offset
	for number := l.Number + 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		start, long := offset, false
		buffer = buffer[:0]
		var line []byte
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			offset += int64(len(part))
			if l.Progress != nil && len(part) > 0 {
				l.Progress(len(part))
			}
			whole := !errors.Is(err, bufio.ErrBufferFull)
			if line = part; whole && len(buffer) == 0 && !long {
				break
			}
			if long = long || len(buffer)+len(part) > MaxLine; !long {
				buffer = append(buffer, part...)
			}
			if line = buffer; whole {
				break
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF && l.Ended != nil {
			l.Ended(number-1, start)
		}
		raw := len(line)
		line = bytes.TrimLeft(line, " \t")
		indented := raw - len(line)
		line = StrippedLine(line)
		switch {
		case l.within && indented > l.columns && !long:
		case long:
			if l.Long != nil {
				l.Long(number)
			}
		case len(line) == 0:
		case err == io.EOF && !jsontree.Whole(line):
			if l.Torn != nil {
				l.Torn(number, start)
			}
		default:
			if e := l.Line(number, line); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// StrippedLine returns a line without what may stand around its value: white space, and what
// is left of the beginning of a file or of a write that failed. A line of nothing else
// than zero bytes stays.
func StrippedLine(line []byte) []byte {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != 0 && line[0] != byteOrderMark[0] {
		return line
	}
	if value := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimLeft(line, "\x00"), byteOrderMark)); len(value) > 0 || line[0] != 0 {
		return value
	}
	return line
}
