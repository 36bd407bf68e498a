package replay

import (
	"strings"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report/replays"
	"caliper/tui/ui"
)

// Draw returns exactly h lines of w cells.
func (s *Screen) Draw(t *ui.Theme, w, h int, _ bool) []string {
	s.w, s.h = w, h
	if s.report == nil {
		const boundary = "Nothing leaves the machine. " + replays.ReplayBoundary
		const shows = "v shows what they cost, then each session, the misses and the eager set"
		switch {
		case len(s.paths) == 0:
			return ui.Steps(t, w, h, "No sessions of an agent were found:", boundary, "f, then the path of a file or folder with sessions, or of a record of caliper serve", "enter reads it", shows)
		case !s.asked:
			var found []string
			for _, path := range s.paths {
				found = append(found, safetext.Line(path))
			}
			return ui.Steps(t, w, h, "Sessions were found, and none is read yet:", boundary, "enter reads "+words.And(found), shows, "f reads another file or folder")
		}
		return ui.FitLines(ui.Centered(t, w, h, s.nothing()...), w, h)
	}
	lines := s.lines(w)
	return s.cursors[s.view].Draw(t, s.rows(), w, h, true, func(l *ui.Line, i int, _ bool) {
		r := lines[i]
		style := [...]ui.Style{plain: t.Text, strong: t.Strong, faint: t.Faint, bad: t.Bad}[r.tone]
		l.Text(style, r.text)
		if r.legend {
			for i, glyph := range s.partGlyphs() {
				l.Repeat(t.Series[i], glyph, 1)
				l.Text(t.Faint, " "+partNames[i]+"  ")
			}
		}
		if r.parts != nil {
			left := r.bar
			for i, glyph := range s.partGlyphs() {
				l.Repeat(t.Series[i], glyph, r.parts[i])
				left -= r.parts[i]
			}
			l.Repeat(style, " ", max(0, left))
		}
		l.Text(style, r.behind)
	})
}

// nothing tells why there is no report, and which key leads to one.
func (s *Screen) nothing() []string {
	reading, computing := s.reading.Status, s.computing.Status
	switch {
	case reading.Err != nil:
		why := reading.Err.Error()
		if s.h < lowest {
			why, _, _ = strings.Cut(why, "; ")
		}
		return []string{"reading failed: " + safetext.Line(why), "enter reads again, f reads another file or folder"}
	case computing.Err != nil:
		return []string{"replaying failed: " + safetext.Line(computing.Err.Error()), "enter starts it again"}
	case reading.Stopped || computing.Stopped:
		return []string{"cancelled", "enter starts it again"}
	case s.progress() == "":
		return []string{"waiting for the registry"}
	}
	return []string{s.progress(), "esc cancels"}
}
