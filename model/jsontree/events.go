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
	w := rewriter{from: t, out: make([]byte, 0, len(t.Data)), edit: make([]Mark, 0, bytes.Count(t.Data, dataField))}
	inData, isJSON := false, false // of the event
	for at := 0; at < len(t.Data); {
		end := len(t.Data) // behind \n, \r\n or \r
		if n := bytes.IndexAny(t.Data[at:], "\r\n"); n >= 0 {
			if end = at + n + 1; bytes.HasPrefix(t.Data[end-1:], []byte("\r\n")) {
				end++
			}
		}
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
				w.done = end - len(content)
				w.keep(end)
			}
		}
		at = end
	}
	w.done = len(t.Data)
	return w.text()
}
