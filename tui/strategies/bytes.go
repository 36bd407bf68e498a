package strategies

import (
	"encoding/json"

	"github.com/charmbracelet/x/ansi"

	"caliper/engine/selection"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// bytesLine is a line of the request, or a remark about it.
type bytesLine struct {
	text  string
	aside bool // it is a remark
}

// shownBytes bounds how much of the request is shown. The rest can be copied.
const shownBytes = 256 << 10

// bytesBelow returns what the strategy under the cursor of the comparison
// sends: its bytes as they are, broken where an element of the array begins,
// with the tokens of each.
func (s *Screen) bytesBelow(t *ui.Theme, w int) ui.Lines {
	x := s.pick(s.chosen())
	lines := s.layoutBytes(x, w-1)
	var l ui.Line
	return ui.Lines{
		Heading: s.strategyName(x.Strategy) + "  " + sentText(x) + "  " + ui.Thousands(len(x.Bytes)) + " bytes",
		Count:   len(lines),
		Line: func(i int) string {
			l.StartAt(w, 1)
			style := t.Text
			if lines[i].aside {
				style = t.Faint
			}
			l.Text(style, lines[i].text)
			return l.End()
		},
	}
}

// layoutBytes returns the bytes of a selection in lines of at most w cells.
func (s *Screen) layoutBytes(x *selection.Selection, w int) []bytesLine {
	shown := x.Bytes
	var out []bytesLine
	add := func(data []byte) {
		for text := ui.Clean(safetext.Line(string(data))); text != ""; {
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
				out = append(out, bytesLine{tool.ShownName + "  " + ui.Thousands(s.answer.state.Snapshot.ToolTokens(tool)) + " tok", true})
			case i == len(x.Tools):
				out = append(out, bytesLine{"the bridge  " + ui.Thousands(x.BridgeTokens) + " tok", true})
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
		out = append(out, bytesLine{ui.Thousands(rest) + " more bytes", true})
	}
	return out
}
