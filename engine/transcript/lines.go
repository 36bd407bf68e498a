package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"caliper/model/jsontree"
)

// MaxLine is the longest line that is read, in bytes. Longer ones are told to Long and
// left out.
const MaxLine = 64 << 20

// Raw tells what to do with the lines of a stream.
type Raw struct {
	// Number is how many lines stand before the stream.
	Number int
	// Line is called with each line that is not blank, and its number from 1. The bytes
	// lie in a buffer: they are valid until Line returns.
	Line func(number int, line []byte) error
	// Long is called for each line that is longer than MaxLine.
	Long func(number int)
	// Torn is called when the stream ends in the middle of a line.
	Torn func(number int)
	// Progress is called with the bytes read since its last call; nil for nobody.
	Progress func(bytes int)
	// within: lines that are indented by more than columns are passed over.
	within  bool
	columns int
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// Read reads a stream to its end. The error is ctx's, the stream's, or Line's.
func (l Raw) Read(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, 256<<10)
	var buffer []byte
	for number := l.Number + 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		long := false
		buffer = buffer[:0]
		var line []byte
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
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
				l.Torn(number)
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
