package rescue

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// maxItems bounds the items that are remembered of each end.
const maxItems = 1000

// item is an item of a JSON array or a member of a JSON object.
type item struct {
	index    int
	name     string // of a member, raw, its first bytes
	from, to int64  // of the value
	first    byte   // of the value
	stale    bool   // the name came again
}

// size returns the bytes of the value.
func (i item) size() int64 { return i.to - i.from }

// TypeOf returns the JSON type of a value by its first byte.
func TypeOf(first byte) string {
	switch first {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// items are the ends of a JSON array or object.
type items struct {
	object  bool
	count   int
	repeats int    // members whose name came again, as far as the ends show
	ends    []item // the first ones and the last ones, in order, without those
}

// empty reports whether there is no item to show.
func (i *items) empty() bool { return len(i.ends) == 0 }

// scanItems returns nil for a text that is no JSON array or object, or deeper than
// maxDepth.
func scanItems(text []byte, l Limits) *items {
	s := newScanner(text)
	found, ok := readItems(s, min(max(0, l.JSONHeadItems), maxItems), min(max(0, l.JSONTailItems), maxItems))
	if !ok || !s.AtEnd() {
		return nil
	}
	return found
}

// readItems reads an array or an object.
func readItems(s *jsontree.Scanner, head, tail int) (*items, bool) {
	opening := s.Peek()
	if opening != '{' && opening != '[' {
		return nil, false
	}
	found := &items{object: opening == '{'}
	s.Take(opening)
	s.Around = 1
	var ring []item
	oldest := 0 // in ring, once it is full
	byName := map[string]int{}
	for s.Next(opening+2, found.count > 0) { // } is { + 2, and ] is [ + 2
		it := item{index: found.count}
		if found.object {
			if !s.Name() {
				return nil, false
			}
			it.name = captured(s)
			if i, ok := byName[plainText(it.name)]; ok {
				found.ends[i].stale = true
			}
		}
		var ok bool
		it.first = s.Peek()
		if it.from, it.to, ok = s.Value(); !ok {
			return nil, false
		}
		if found.count < head {
			byName[plainText(it.name)] = len(found.ends)
			found.ends = append(found.ends, it)
		} else if len(ring) < tail {
			ring = append(ring, it)
		} else if tail > 0 {
			ring[oldest] = it
			if oldest++; oldest == tail {
				oldest = 0
			}
		}
		found.count++
	}
	if s.Err() != nil {
		return nil, false
	}
	found.ends = append(append(found.ends, ring[oldest:]...), ring[:oldest]...)
	if found.object {
		// The last of equal names counts.
		seen := map[string]bool{}
		for n := len(found.ends) - 1; n >= 0; n-- {
			name := plainText(found.ends[n].name)
			found.ends[n].stale = found.ends[n].stale || seen[name]
			seen[name] = true
		}
		all := len(found.ends)
		found.ends = slices.DeleteFunc(found.ends, func(it item) bool { return it.stale })
		found.repeats = all - len(found.ends)
	}
	return found, true
}

// plainText returns what the inside of a JSON string stands for.
func plainText(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(decodeString([]byte(raw)))
}

// compacted returns the beginning of a JSON value without the white space
// between its tokens.
func compacted(b []byte) []byte {
	out := make([]byte, 0, len(b))
	inString, escaped := false, false
	for _, c := range b {
		if inString {
			inString = c != '"' || escaped
			escaped = c == '\\' && !escaped
		} else if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			continue
		} else {
			inString = c == '"'
		}
		out = append(out, c)
	}
	return out
}

// pointerToken returns a member's name as a step of a JSON pointer (RFC 6901),
// on one safe line.
func pointerToken(raw string) string {
	return shownLine([]byte(jsontree.EscapeToken(words.First(plainText(raw), longestNameSeen))))
}

// maxDepth is how deep JSON may be to count as JSON; deeper is text. No
// honest result comes near, and readers of other packages stop earlier than
// memory does.
const maxDepth = 1000

// maxCaptured bounds the bytes of a name that are remembered.
const maxCaptured = 256

// newScanner returns a scanner that refuses values deeper than maxDepth.
func newScanner(text []byte) *jsontree.Scanner {
	s := jsontree.NewScanner(context.Background(), bytes.NewReader(text), 0)
	s.MaxDepth = maxDepth
	return s
}

// captured returns the beginning of the last string that a scanner has read.
func captured(s *jsontree.Scanner) string {
	text := s.Text()
	return string(text[:min(len(text), maxCaptured)])
}
