package config

import (
	"sort"
	"unicode/utf8"
)

// stride is how many code points lie between two entries of the index.
const stride = 256

// lineTable finds places in a file. The YAML library counts columns in code
// points and breaks lines at more characters than an editor does; positions
// in diagnostics count bytes and break lines at line feeds only. Finding one
// takes a time that does not grow with the length of its line.
type lineTable struct {
	data  []byte // UTF-8 without the byte order mark
	yaml  []int  // number of code points before each line as YAML breaks them
	feeds []int  // offset of each line as editors break them
	index []int  // offset of every stride-th code point
}

func newLineTable(data []byte) lineTable {
	t := lineTable{data: data, yaml: []int{0}, feeds: []int{0}}
	points := 0
	for i := 0; i < len(data); points++ {
		if points%stride == 0 {
			t.index = append(t.index, i)
		}
		if breaksLine(data[i:]) {
			t.yaml = append(t.yaml, points+1)
		}
		_, n := utf8.DecodeRune(data[i:])
		if data[i] == '\n' {
			t.feeds = append(t.feeds, i+1)
		}
		i += n
	}
	return t
}

// breaksLine says whether the character that b begins with ends a line in YAML
// 1.1. Of a carriage return and a line feed, the line feed does.
func breaksLine(b []byte) bool {
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
	point := t.yaml[line-1] + max(column, 1) - 1
	if point/stride >= len(t.index) {
		return len(t.data)
	}
	at := t.index[point/stride]
	for range point % stride {
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
