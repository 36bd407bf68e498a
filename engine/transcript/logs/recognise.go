package logs

import (
	"bytes"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/transcript"
)

const (
	headSize   = 256 << 10 // bytes of a file that are looked at
	headValues = 1000      // values that are looked at
	heads      = 4         // beginnings that are looked at, where the first ones end in long lines of no format
	longLine   = 16 << 20  // bytes that are searched for the end of such a line
)

// formatOf returns the format of a file that begins with some bytes. agent is who wrote
// it; empty when that is not known.
func formatOf(head []byte, agent transcript.Agent) format {
	if transcript.IsDatabase(head) {
		for _, name := range []string{"`part`", `"part"`, "part ", "part("} { // the schema is kept as it was written
			if bytes.Contains(head, []byte("CREATE TABLE "+name)) {
				return openCodeFormat
			}
		}
		return databaseFormat
	}
	if i := slices.IndexFunc(formats, func(f formatRow) bool { return slices.Contains(f.agents, agent) }); i >= 0 {
		return formats[i].is
	}
	return recognise(head)
}

// formatBehind returns the format that a file tells behind its first bytes, which tell
// none and end in a long line: the format of the lines behind it.
func formatBehind(f io.ReaderAt, head []byte, size int64) format {
	head = slices.Clone(head)
	at := int64(len(head)) // behind what was looked at
	for range heads - 1 {
		if len(head)-bytes.LastIndexByte(head, '\n') <= headSize/2 {
			break
		}
		for limit := min(size, at+longLine); at < limit; { // to the end of the line
			n, err := f.ReadAt(head[:cap(head)], at)
			if end := bytes.IndexByte(head[:n], '\n'); end >= 0 {
				at += int64(end) + 1
				break
			}
			if at += int64(n); err != nil {
				at = limit
			}
			at = min(at, limit)
		}
		n, _ := f.ReadAt(head[:cap(head)], at)
		head, at = head[:n], at+int64(n)
		if is := recognise(head); is != unknownFormat {
			return is
		}
	}
	return unknownFormat
}

// recognise returns the format that the first object tells which is of one. Behind what
// is no JSON it goes on with the next line.
func recognise(head []byte) format {
	for looked := 0; looked < headValues; looked++ {
		head = transcript.StrippedLine(head)
		d := jsontext.NewDecoder(bytes.NewReader(head), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		bad := int64(0) // where the value begins that is cut or damaged
		for ; looked < headValues; looked++ {
			bad = d.InputOffset()
			if d.PeekKind() == '{' {
				o, whole := readObject(d)
				if i := slices.IndexFunc(formats, func(f formatRow) bool { return f.has != nil && f.has(o) }); i >= 0 {
					return formats[i].is
				}
				if !whole {
					break
				}
				continue
			}
			read := d.SkipValue
			if d.PeekKind() == '[' && d.StackDepth() == 0 {
				read = func() error { _, err := d.ReadToken(); return err }
			}
			if read() != nil {
				break
			}
		}
		head = bytes.TrimLeft(head[bad:], " \t\r\n")
		end := bytes.IndexByte(head, '\n')
		if end < 0 {
			return unknownFormat
		}
		head = head[end+1:]
	}
	return unknownFormat
}

// object is the telling part of an object's members: their names, and the values that are
// texts or numbers.
type object struct {
	names []string
	texts map[string]string
}

// readObject reads the object that comes next, as far as there is one; whole is false
// when it is cut or damaged.
func readObject(d *jsontext.Decoder) (o object, whole bool) {
	o.texts = map[string]string{}
	if _, err := d.ReadToken(); err != nil {
		return o, false
	}
	for {
		token, err := d.ReadToken()
		if err != nil {
			return o, false
		}
		if token.Kind() == '}' {
			return o, true
		}
		name := token.String()
		o.names = append(o.names, name)
		if kind := d.PeekKind(); kind == '"' || kind == '0' {
			value, err := d.ReadToken()
			if err != nil {
				return o, false
			}
			o.texts[name] = value.String()
		} else if d.SkipValue() != nil {
			return o, false
		}
	}
}

// has reports whether the object has all of some members.
func (o object) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(o.names, name) })
}
