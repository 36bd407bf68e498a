package yamltext

import (
	"bytes"
	"unicode/utf8"

	"caliper/model/jsontree"
)

// lineStride is how many code points lie between two entries of the index.
const lineStride = 256

// lineTable converts positions: the YAML library counts columns in code points and breaks lines at
// more characters than an editor, diagnostics count bytes and line feeds.
type lineTable struct {
	*jsontree.Lines
	data  []byte // UTF-8 without the byte order mark
	yaml  []int  // number of code points before each line as YAML breaks them
	index []int  // offset of every stride-th code point
}

func newLineTable(data []byte) lineTable {
	t := lineTable{Lines: jsontree.NewLines(data), data: data, yaml: []int{0}}
	t.Position(len(data)) // several goroutines may ask for positions from now on
	points := 0
	for i := 0; i < len(data); points++ {
		if points%lineStride == 0 {
			t.index = append(t.index, i)
		}
		if BreaksLine(data[i:]) {
			t.yaml = append(t.yaml, points+1)
		}
		_, n := utf8.DecodeRune(data[i:])
		i += n
	}
	return t
}

// BreaksLine reports whether b begins with a line end of YAML 1.1; of CR LF only the line feed is
// one.
func BreaksLine(b []byte) bool {
	switch b[0] {
	case '\n':
		return true
	case '\r':
		return len(b) == 1 || b[1] != '\n'
	case 0xC2: // NEL
		return len(b) > 1 && b[1] == 0x85
	case 0xE2: // LS, PS
		return len(b) > 2 && b[1] == 0x80 && (b[2] == 0xA8 || b[2] == 0xA9)
	}
	return false
}

// offset returns the byte offset of the library's position, from 1, moved into the file.
func (t lineTable) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.yaml) {
		return len(t.data)
	}
	point := t.yaml[line-1] + max(column, 1) - 1
	if point/lineStride >= len(t.index) {
		return len(t.data)
	}
	at := t.index[point/lineStride]
	for range point % lineStride {
		_, n := utf8.DecodeRune(t.data[at:])
		at += n
	}
	return at
}

// lineOf returns the start of an offset's line, as editors break lines, and its text.
func (t lineTable) lineOf(at int) (start int, text []byte) {
	start = bytes.LastIndexByte(t.data[:at], '\n') + 1
	text, _, _ = bytes.Cut(t.data[start:], []byte("\n"))
	return start, text
}
