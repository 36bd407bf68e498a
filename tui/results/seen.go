package results

import (
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
)

// contentLines returns the lines of a text that holds nothing but content.
func contentLines(text string) []rescue.Line {
	var out []rescue.Line
	for text := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		out = append(out, rescue.Line{Text: text, Kind: rescue.LineContent})
	}
	return out
}

// lines returns what the model sees of the result.
func (v *verdict) lines() []rescue.Line {
	if v.Rescue {
		return v.Preview.Lines
	}
	return contentLines(v.whole)
}

// wrappedLine is one line of a width.
type wrappedLine struct {
	rescue.Line
	more bool // it continues the line above
}

// wrap returns the lines that pass the filter, wrapped to a width.
func (s *Screen) wrap(w int, lines []rescue.Line) (out []wrappedLine) {
	for _, l := range lines {
		if !passes(s.filter, l.Text) {
			continue
		}
		wrapped := ui.Wrap(safetext.Line(l.Text), max(1, w-3))
		if len(wrapped) == 0 {
			wrapped = []string{""}
		}
		for i, text := range wrapped {
			out = append(out, wrappedLine{rescue.Line{Text: text, Kind: l.Kind}, i > 0})
		}
	}
	return out
}

// drawWrapped returns the lines; only those that are seen are drawn.
func drawWrapped(t *ui.Theme, content ui.Style, w int, lines []wrappedLine) ui.Lines {
	var l ui.Line
	return ui.Lines{Count: len(lines), Line: func(i int) string {
		l.Start(w)
		line := lines[i]
		mark, style := " ", content
		switch line.Kind {
		case rescue.LineLeftOut:
			mark, style = t.Ellipsis, t.Warn
		case rescue.LineOurs:
			style = t.Faint
		}
		if line.more {
			mark = t.Thin.Vertical
		}
		l.Text(t.Faint, mark+" ")
		l.Text(style, line.Text)
		return l.End()
	}}
}

// seenBelow returns what the model sees of the result.
func (s *Screen) seenBelow(t *ui.Theme, w int) ui.Lines {
	v := &s.verdict
	out := drawWrapped(t, t.Text, w, s.wrap(w, v.lines()))
	if out.Count == 0 && s.filter != "" {
		out = ui.DrawnLines("", "", ui.Centered(t, w, 2, "no line of what the model sees contains "+safetext.Line(s.filter), "e, then grep, searches the whole result; esc clears the filter"))
	}
	switch {
	case v.Rescue:
		out.Heading, out.Note = "handle  "+ui.Thousands(v.Preview.Chars)+" chars", leftOut(v.Preview.Left)
	case v.Meta.Bytes > shownWhole:
		out.Heading = "all of it, of which the first " + words.Size(shownWhole)
	default:
		out.Heading = "all of it"
	}
	return out
}

// leftOut tells how much is left out in all, empty for nothing.
func leftOut(gaps []rescue.Gap) string {
	var chars int64
	for _, g := range gaps {
		chars += g.Chars
	}
	if chars == 0 {
		return ""
	}
	return ui.Thousands(int(chars)) + " chars left out"
}

// showGap goes to the next place where something was left out, or with a negative
// step to the one before. The first follows the last.
func (s *Screen) showGap(by int) tea.Cmd {
	s.Tab, s.Focus = int(viewSeen), ui.AreaList
	var at []int
	for i, line := range s.wrap(s.MainWidth(), s.verdict.lines()) {
		if line.Kind == rescue.LineLeftOut && !line.more {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return s.host.Notify(ui.LevelInfo, "the filter hides where something was left out")
	}
	i := s.gap - 1 + by
	if s.gap == 0 && by < 0 { // nothing was gone to yet
		i = -1
	}
	i = (i + len(at)) % len(at)
	s.Below.Top, s.gap = max(0, at[i]-s.BelowRoom/2), i+1
	return nil
}

// drawSummary draws in three lines, or one, what the result is and what becomes of it.
func (s *Screen) drawSummary(t *ui.Theme, w int, room bool) []string {
	v := &s.verdict
	var l ui.Line
	before, after := v.OriginalTokens, v.OriginalTokens
	chars, shown := v.Meta.Chars, v.Meta.Chars
	if v.Rescue {
		after, shown = v.HandleTokens, v.Preview.Chars
	}
	share := 1.0 // of nothing all is sent
	if before > 0 {
		share = float64(after) / float64(before)
	}
	gauge := ui.Bar{Fraction: float64(after) / float64(max(1, before)), Mark: -1, Fill: t.Ok, Empty: true}
	badge := func() {
		if v.Rescue {
			l.Text(t.Badge, " RESCUED ")
		} else {
			l.Text(t.SelectionBlur, " PASSES WHOLE ")
		}
	}
	l.Start(w)
	if !room {
		gauge.Draw(&l, t, 6)
		l.Text(t.Number, " "+ui.Thousands(after))
		l.Text(t.Faint, "/"+ui.Thousands(before)+" tok ")
		badge()
		return []string{l.End()}
	}
	narrow := w < 100
	l.Gap(1)
	l.Text(t.Name, safetext.Line(filepath.Base(v.name)))
	if !narrow || stem(v.name) != v.of.tool {
		s.drawTool(&l, t, v, narrow)
	}
	about := "  " + string(v.Meta.Kind) + "  " + ui.Thousands(chars) + " chars  " + ui.Count(v.Meta.Lines, "line")
	if v.Envelope != "" {
		about += "  out of " + v.Envelope
	}
	l.Text(t.Faint, about)
	lines := []string{l.End()}
	l.StartAt(w, 1)
	width := ui.GaugeWidth(w)
	if narrow {
		width /= 2
	}
	gauge.Draw(&l, t, width)
	l.Gap(2)
	l.Text(t.Number, ui.Thousands(after))
	l.Text(t.Faint, " of "+ui.Thousands(before)+" tok")
	l.Text(t.Number, "  "+ui.Thousands(shown))
	l.Text(t.Faint, " of "+ui.Thousands(chars)+" chars")
	saved := "  saved " + ui.Percent(100*(1-share))
	if tokens := before - after; tokens > 0 {
		saved = ui.Longest(l.Room(), "  saved "+ui.Thousands(tokens)+" tok ("+ui.Percent(100*(1-share))+")", saved)
	}
	l.Text(t.Text, saved)
	lines = append(lines, l.End())
	l.StartAt(w, 1)
	badge()
	l.Text(t.Accent, " "+v.Rule+"  ")
	var why string
	if v.Rule == rescue.RuleMCPName && v.of.tool == anyTool && s.assumed(v.name, v.of.tool) {
		why = "no tool is chosen: the limit is that of an MCP tool"
	} else {
		size, because := v.Size(), v.Because("it")
		switch {
		case because == "":
			why = size
		case size != "" && !narrow:
			why = size + ", and " + because
		case v.Never():
			why = "never rescued: " + because
		default:
			why = because
		}
	}
	l.Text(t.Text, why)
	return append(lines, l.End())
}

// drawTool draws the tool of a result, and for a guess the key that changes it.
func (s *Screen) drawTool(l *ui.Line, t *ui.Theme, v *verdict, narrow bool) {
	assumed, key := s.assumed(v.name, v.of.tool), s.KeyOf(SourceTool)
	if assumed && v.of.tool == anyTool {
		l.Text(t.Faint, "  of an unknown tool ("+key+" chooses it)")
		return
	}
	l.Text(t.Faint, "  of ")
	l.Text(t.Text, safetext.Line(v.of.tool))
	switch {
	case !assumed:
	case narrow:
		l.Text(t.Faint, "? ("+key+" changes it)")
	default:
		l.Text(t.Faint, ", a guess: it is selected in Explore ("+key+" changes it)")
	}
}
