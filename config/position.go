package config

import (
	"sort"
	"unicode/utf8"
)

// lineTable finds places in a file. The YAML library counts columns in code
// points and breaks lines at more characters than an editor does; positions
// in diagnostics count bytes and break lines at line feeds only.
type lineTable struct {
	data  []byte // without the byte order mark
	yaml  []int  // offset of each line as YAML breaks them
	feeds []int  // offset of each line as editors break them
}

func newLineTable(data []byte) lineTable {
	t := lineTable{data: data, yaml: []int{0}, feeds: []int{0}}
	for i := 0; i < len(data); {
		n := breakLength(data[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		t.yaml = append(t.yaml, i)
		if data[i-1] == '\n' {
			t.feeds = append(t.feeds, i)
		}
	}
	return t
}

// breakLength returns the length of the YAML 1.1 line break that b begins
// with, 0 when it begins with none.
func breakLength(b []byte) int {
	switch {
	case b[0] == '\n':
		return 1
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		return 2
	case b[0] == '\r':
		return 1
	case len(b) > 1 && b[0] == 0xC2 && b[1] == 0x85: // NEL
		return 2
	case len(b) > 2 && b[0] == 0xE2 && b[1] == 0x80 && (b[2] == 0xA8 || b[2] == 0xA9): // LS, PS
		return 3
	}
	return 0
}

// offset returns the byte offset of a place as the YAML library counts: line
// and column from 1, the column in code points. Places outside the file are
// moved to its nearest end.
func (t lineTable) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.yaml) {
		return len(t.data)
	}
	at := t.yaml[line-1]
	for ; column > 1 && at < len(t.data); column-- {
		_, n := utf8.DecodeRune(t.data[at:])
		at += n
	}
	return at
}

// position returns line and column of a byte offset, both from 1, the column
// in bytes. A byte order mark has no width.
func (t lineTable) position(offset int) (line, col int) {
	line = sort.SearchInts(t.feeds, offset+1)
	return line, offset - t.feeds[line-1] + 1
}

// text returns a line as editors break them, from 1, without its line feed.
func (t lineTable) text(line int) []byte {
	if line < 1 || line > len(t.feeds) {
		return nil
	}
	end := len(t.data)
	if line < len(t.feeds) {
		end = t.feeds[line] - 1
	}
	return t.data[t.feeds[line-1]:end]
}
