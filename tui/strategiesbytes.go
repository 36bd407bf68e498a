package tui

import (
	"encoding/json"

	"github.com/charmbracelet/x/ansi"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cells"
)

// bytesLines are the bytes of a selection, laid out for a width.
type bytesLines struct {
	of    *selection.Selection
	w     int
	lines []bytesLine
}

// bytesLine is a line of what is sent, or of what is said about it.
type bytesLine struct {
	text  string
	aside bool
}

// shownBytes bounds how much of what is sent is laid out. The rest can be
// copied.
const shownBytes = 256 << 10

// bytesBelow returns what the strategy under the cursor of the comparison
// sends: its bytes as they are, broken where an element of the array begins,
// with the tokens of each.
func (s *strategiesScreen) bytesBelow(t *Theme, w int) belowLines {
	x := s.pick(s.chosen())
	if x == nil {
		return linesOf(string(s.chosen()), "", nil)
	}
	if s.bytes.of != x || s.bytes.w != w {
		s.bytes = bytesLines{x, w, s.layBytes(x, w-1)}
	}
	lines := s.bytes.lines
	var l cells.Line
	return belowLines{
		heading: string(x.Strategy) + "  " + s.sentWords(x) + "  " + thousands(len(x.Bytes)) + " bytes",
		count:   len(lines),
		line: func(i int) string {
			l.Start(w)
			l.Gap(1)
			style := t.Text
			if lines[i].aside {
				style = t.Faint
			}
			l.Text(style, lines[i].text)
			return l.End()
		},
	}
}

// layBytes lays out the bytes of a selection in lines of at most w cells.
func (s *strategiesScreen) layBytes(x *selection.Selection, w int) []bytesLine {
	shown := x.Bytes
	var out []bytesLine
	add := func(data []byte) {
		for text := cells.Clean(model.Sanitize(string(data))); text != ""; {
			head := ansi.Truncate(text, w, "")
			if head == "" {
				break
			}
			out = append(out, bytesLine{text: head})
			text = text[len(head):]
		}
	}
	var elements []json.RawMessage
	if len(shown) <= shownBytes && json.Unmarshal(shown, &elements) == nil && x.Strategy != selection.Lazy {
		// Unmarshal keeps the bytes of every element, and the array is compact:
		// between them stand commas.
		for i, e := range elements {
			switch {
			case i < len(x.Tools):
				tool := x.Tools[i].Tool
				out = append(out, bytesLine{tool.ShownName + "  " + thousands(s.answer.state.Snapshot.ToolTokens(tool)) + " tok", true})
			case i == len(x.Tools):
				out = append(out, bytesLine{"the bridge  " + thousands(x.BridgeTokens) + " tok", true})
			}
			open, end := "", ","
			if i == 0 {
				open = "["
			}
			if i == len(elements)-1 {
				end = "]"
			}
			add([]byte(open + string(e) + end))
		}
		if len(elements) == 0 {
			add(shown)
		}
		return out
	}
	rest := 0
	if len(shown) > shownBytes {
		rest = len(shown) - shownBytes
		shown = shown[:shownBytes]
	}
	add(shown)
	if rest > 0 {
		out = append(out, bytesLine{thousands(rest) + " more bytes", true})
	}
	return out
}
