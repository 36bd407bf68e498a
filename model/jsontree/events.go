package jsontree

import "bytes"

// eventFields begin the lines of an event stream (WHATWG HTML); a colon begins a comment.
var eventFields = [][]byte{[]byte("data:"), []byte("event:"), []byte("id:"), []byte("retry:"), []byte(":")}

var dataField = eventFields[0]

// IsEvents reports whether the text is an event stream with JSON in its data.
func (t *Text) IsEvents() bool {
	data := bytes.TrimLeft(t.Data, " \t\r\n")
	for i, field := range eventFields {
		if !bytes.HasPrefix(data, field) {
			continue
		}
		if i == 0 && opens(data[len(field):]) {
			return true
		}
		for rest := data; ; {
			n := bytes.Index(rest, dataField)
			if n < 0 {
				return false
			}
			before := n == 0 || rest[n-1] == '\n' || rest[n-1] == '\r'
			if rest = rest[n+len(dataField):]; before && opens(rest) {
				return true
			}
		}
	}
	return false
}

// opens reports whether a line begins with an object or an array.
func opens(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && (line[0] == '{' || line[0] == '[')
}

// Events returns the lines of each event's data, without those of events whose data is not JSON.
func (t *Text) Events() *Text {
	w := rewriter{from: t, out: make([]byte, 0, len(t.Data)), edit: make([]edit, 0, bytes.Count(t.Data, dataField))}
	inData, isJSON := false, false // of the event
	for at := 0; at < len(t.Data); {
		end := lineEnd(t.Data, at)
		line := t.Data[at:end]
		switch {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			inData = false
		case bytes.HasPrefix(line, dataField):
			content := line[len(dataField):]
			if !inData {
				inData, isJSON = true, opens(content) && !bytes.HasPrefix(bytes.TrimLeft(content, " "), []byte("[DONE]"))
			}
			if isJSON {
				w.drop(end - len(content))
				w.keep(end)
			}
		}
		at = end
	}
	w.drop(len(t.Data))
	return w.text()
}

// lineEnd returns the offset behind the line at an offset and its end, which is \n, \r\n or \r.
func lineEnd(data []byte, at int) int {
	n := bytes.IndexAny(data[at:], "\r\n")
	switch {
	case n < 0:
		return len(data)
	case data[at+n] == '\r' && at+n+1 < len(data) && data[at+n+1] == '\n':
		return at + n + 2
	}
	return at + n + 1
}
