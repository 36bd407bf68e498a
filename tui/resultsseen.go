package tui

import (
	"io"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/rescue"
	"caliper/model"
	"caliper/tui/cells"
)

// laidOf is what the lines of a long text depend on.
type laidOf struct {
	text   int // which one: a request, or -1 for what the model sees
	gen    int
	w      int
	needle string
}

// laidText is a long text in lines of a width, kept from one picture to the
// next.
type laidText struct {
	of    laidOf
	lines []laidLine
}

// laidLine is one line: text of the program about what it left out, other text
// of the program, or content.
type laidLine struct {
	text string
	kind laidKind
	more bool // of the line above
}

type laidKind int

const (
	laidContent laidKind = iota
	laidOurs
	laidLeftOut
)

// leftOutMark is how a line begins that says what was left out.
const leftOutMark = "[left out here: "

// seen is the text of laidOf that the model sees.
const seen = -1

// lay breaks a text into lines, unless that was done before.
func (s *resultsScreen) lay(of laidOf, text string) *laidText {
	of.needle = s.needle
	if s.laid.of == of && s.laid.lines != nil {
		return &s.laid
	}
	s.laid = laidText{of: of, lines: []laidLine{}}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if s.needle != "" && !strings.Contains(strings.ToLower(line), s.needle) {
			continue
		}
		kind := laidContent
		if of.text == seen && s.judged.Rescue {
			switch {
			case strings.HasPrefix(line, leftOutMark):
				kind = laidLeftOut
			case line == "" || !strings.Contains("/0123456789", line[:1]):
				kind = laidOurs
			}
		}
		wrapped := cells.Wrap(model.Sanitize(line), max(1, of.w-3))
		if len(wrapped) == 0 {
			wrapped = []string{""}
		}
		for i, part := range wrapped {
			s.laid.lines = append(s.laid.lines, laidLine{part, kind, i > 0})
		}
	}
	return &s.laid
}

// below returns the lines, of which only those that are seen are drawn.
func (p *laidText) below(t *Theme, style cells.Style, w int) belowLines {
	var l cells.Line
	lines := p.lines
	return belowLines{count: len(lines), line: func(i int) string {
		l.Start(w)
		line := lines[i]
		mark, st := " ", style
		switch line.kind {
		case laidLeftOut:
			mark, st = t.Ellipsis, t.Warn
		case laidOurs:
			st = t.Faint
		}
		if line.more {
			mark = t.Vertical
		}
		l.Text(t.Faint, mark+" ")
		l.Text(st, line.text)
		return l.End()
	}}
}

// seenBelow returns what the model sees of the result.
func (s *resultsScreen) seenBelow(t *Theme, w int) belowLines {
	j := &s.judged
	text := j.whole
	if j.Rescue {
		text = j.Preview.Text
	}
	b := s.lay(laidOf{seen, j.gen, w, ""}, text).below(t, t.Text, w)
	if !j.Rescue {
		b.heading = "all of it"
		if j.Meta.Bytes > shownWhole {
			b.heading = "all of it, of which the first " + size(shownWhole)
		}
		return b
	}
	b.heading = "handle  " + thousands(j.Preview.Chars) + " chars"
	b.note = leftOut(j.Preview.Left)
	return b
}

// leftOut says how much is left out in all, empty for nothing.
func leftOut(left []rescue.Gap) string {
	var chars int64
	for _, g := range left {
		chars += g.Chars
	}
	if chars == 0 {
		return ""
	}
	return thousands(int(chars)) + " chars left out"
}

// mainWidth is how wide what stands beside the knobs is.
func (s *resultsScreen) mainWidth() int {
	if s.wide() {
		return s.w - knobsColumn - 3
	}
	return s.w
}

// toGap goes to the next place where something was left out, after the last to
// the first.
func (s *resultsScreen) toGap() tea.Cmd {
	j := &s.judged
	if s.source() == nil || s.late() || !j.Rescue || len(j.Preview.Left) == 0 {
		return s.app.notices.show(levelInfo, "nothing is left out")
	}
	s.part, s.area = partSeen, areaList
	var at []int
	for i, line := range s.lay(laidOf{seen, j.gen, s.mainWidth(), ""}, j.Preview.Text).lines {
		if line.kind == laidLeftOut && !line.more {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return s.app.notices.show(levelInfo, "the filter hides where something was left out")
	}
	s.below.top = max(0, at[s.mark%len(at)]-s.belowRoom/2)
	s.mark++
	return nil
}

// drawSummary draws what the result is and what becomes of it: three lines
// where there is room, else one.
func (s *resultsScreen) drawSummary(t *Theme, w int, room bool) []string {
	j := &s.judged
	var l cells.Line
	before, after := j.OriginalTokens, j.OriginalTokens
	chars, shown := j.Meta.Chars, j.Meta.Chars
	if j.Rescue {
		after, shown = j.HandleTokens, j.Preview.Chars
	}
	share := 1.0 // of nothing all is sent
	if before > 0 {
		share = float64(after) / float64(before)
	}
	narrow := w < 100
	gauge := bar{fraction: float64(after) / float64(max(1, before)), mark: -1, fill: t.GaugeSent, empty: true}
	badge := func() {
		if j.Rescue {
			l.Text(t.Badge, " RESCUED ")
		} else {
			l.Text(t.BadgeOff, " PASSES WHOLE ")
		}
	}
	if !room {
		l.Start(w)
		gauge.draw(&l, t, 6)
		l.Text(t.Number, " "+thousands(after))
		l.Text(t.Faint, "/"+thousands(before)+" tok ")
		badge()
		return []string{l.End()}
	}
	l.Start(w)
	l.Gap(1)
	l.Text(t.Name, model.Sanitize(baseName(j.name)))
	if !narrow || stem(j.name) != j.of.tool {
		l.Text(t.Faint, "  of ")
		l.Text(t.Text, model.Sanitize(j.of.tool))
		if s.assumed(j.name, j.of.tool) {
			l.Text(t.Faint, " ("+s.app.keys.Results.Tool.Help().Key+" chooses)")
		}
	}
	about := "  " + string(j.Meta.Kind) + "  " + thousands(chars) + " chars  " + plural(j.Meta.Lines, "line")
	if j.Envelope != "" {
		about += "  out of " + j.Envelope
	}
	l.Text(t.Faint, about)
	lines := []string{l.End()}
	l.Start(w)
	l.Gap(1)
	if narrow {
		gauge.draw(&l, t, gaugeWidth(w)/2)
	} else {
		gauge.draw(&l, t, gaugeWidth(w))
	}
	l.Gap(2)
	l.Text(t.Number, thousands(after))
	l.Text(t.Faint, " of "+thousands(before)+" tok")
	l.Text(t.Number, "  "+thousands(shown))
	l.Text(t.Faint, " of "+thousands(chars)+" chars")
	l.Text(t.Text, "  saved "+percent(100*(1-share)))
	lines = append(lines, l.End())
	l.Start(w)
	l.Gap(1)
	badge()
	l.Text(t.Accent, " "+j.Rule+"  ")
	words := j.Text
	for _, verdict := range []string{"rescued: ", "not rescued: "} {
		words = strings.TrimPrefix(words, verdict)
	}
	words = strings.Replace(words, strconv.Quote(j.of.tool), "it", 1)
	if size, why, ok := strings.Cut(words, ", and "); ok && narrow && strings.HasPrefix(size, strconv.Itoa(chars)) {
		words = why // the size stands two lines above
	}
	l.Text(t.Text, words)
	return append(lines, l.End())
}

// copySeen copies what the model sees in the place of the result.
func (s *resultsScreen) copySeen() tea.Cmd {
	switch {
	case s.source() == nil || s.late() || s.judged.err != nil:
		return s.app.notices.show(levelInfo, "nothing to copy yet")
	case s.judged.Rescue:
		return s.app.clip.copy("what the model sees", formText, s.judged.Preview.Text)
	}
	text, err := io.ReadAll(io.NewSectionReader(s.judged.result, 0, s.judged.result.Size()))
	if err != nil {
		return s.app.notices.show(levelBad, "nothing was copied: "+model.Sanitize(err.Error()))
	}
	return s.app.clip.copy("what the model sees", formText, string(text))
}
