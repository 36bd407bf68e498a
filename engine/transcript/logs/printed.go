package logs

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/transcript"
)

// What agents print to be read by programs is kept with something around it: as an array, or in the
// log of a job, with a time before each line. It is read as lines of one object each.

// lineTime matches the text before a line in the log of a job: of GitHub Actions, also as gh run view
// --log prints it behind the names of the job and the step, or of a container with times.
var lineTime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[^\t\n]*\t[^\t\n]*\t)?\x{feff}?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z `)
})

// unwrapped reads lines that are made one after the other.
type unwrapped struct {
	next func() (line []byte, more bool)
	line []byte // the rest of the line that is read
	done bool
}

// Read implements io.Reader.
func (u *unwrapped) Read(p []byte) (int, error) {
	if len(u.line) == 0 && !u.done {
		line, more := u.next()
		if u.line, u.done = line, !more; more {
			u.line = append(line, '\n')
		}
	}
	n := copy(p, u.line)
	if u.line = u.line[n:]; n == 0 && u.done {
		return 0, io.EOF
	}
	return n, nil
}

// torn is a line for what cannot be read.
func torn() []byte { return []byte("{") }

// arrayLines returns the elements of a JSON array as lines. What is behind the first damage is a
// torn line.
func arrayLines(in io.Reader) io.Reader {
	from := jsontext.NewDecoder(in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	_, err := from.ReadToken() // the bracket; what cannot be read is no array either
	return &unwrapped{done: err != nil, next: func() ([]byte, bool) {
		value, err := from.ReadValue()
		if err != nil {
			return torn(), false
		}
		line := jsontext.Value(bytes.Clone(value))
		_ = line.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // it is valid
		return line, from.PeekKind() != ']'
	}}
}

// jobLines returns the objects in the log of a job, each in its line; what else is printed becomes
// empty lines. The GitHub action of Claude Code prints an object on several lines, of which the
// first and the last are its brackets (base-action/src/run-claude-sdk.ts).
func jobLines(in io.Reader) io.Reader {
	from := bufio.NewScanner(in)
	from.Buffer(nil, transcript.MaxLine) // SECURITY: nobody else ends a line
	var object []byte                    // of which the last bracket is still to come
	return &unwrapped{next: func() ([]byte, bool) {
		if !from.Scan() {
			if from.Err() != nil || object != nil {
				return torn(), false
			}
			return nil, false
		}
		line := from.Bytes()
		line = bytes.TrimRight(line[len(lineTime().Find(line)):], " \t\r")
		switch end := string(line); {
		case end == "{", len(object)+len(line) > transcript.MaxLine:
			object = append([]byte(nil), line...)
		case object != nil:
			if object = append(object, line...); end == "}" {
				line, object = object, nil
				return line, true
			}
		case bytes.HasPrefix(line, []byte("{")):
			return bytes.Clone(line), true
		}
		return nil, true
	}}
}
