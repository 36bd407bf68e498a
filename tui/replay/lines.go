package replay

import (
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/tui/ui"
)

// built are lines, and what they were built of. A key that only moves the cursor builds none.
type built struct {
	of   builtOf
	rows []row
}

// builtOf is everything that the lines of a view depend on.
type builtOf struct {
	view           view
	report         *replayed
	log            *logged
	requests       *requests
	w, h           int
	filter         string
	session        string
	step, strategy int
	agent          transcript.Agent
	since          string
	calibrated     string
	waiting        string
}

// lines returns the lines of the view in w cells, without the rows that the
// filter hides.
func (s *Screen) lines(w int) []row {
	if s.report == nil {
		return nil
	}
	of := builtOf{s.view, s.report, s.log, s.requests, w, s.h, s.filter, s.session, s.step, s.strategy, s.agent, s.sinceTyped, s.calibrated, s.waiting()}
	if s.built.of != of {
		s.built = built{of, s.build(max(20, w-1))}
	}
	return s.built.rows
}

// build builds the lines.
func (s *Screen) build(w int) []row {
	all := [viewCount]func(int) []row{s.sessionLines, s.requestLines, s.missLines, s.eagerLines, s.restLines}[s.view](w)
	if text := s.narrowed(); text != "" {
		all = append(wrapped(row{text: text, tone: faint}, w), all...)
	}
	if s.filter == "" {
		return all
	}
	return filtered(all, s.filter)
}

// filtered returns the lines without the rows that do not contain a text. Lines that
// are no rows stay.
func filtered(all []row, text string) []row {
	var out []row
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].below {
			end++
		}
		if all[i].key == "" || contain(all[i:end], text) {
			out = append(out, all[i:end]...)
		}
		i = end
	}
	return out
}

// contain reports whether a line of some contains a text.
func contain(lines []row, text string) bool {
	return slices.ContainsFunc(lines, func(r row) bool {
		return strings.Contains(strings.ToLower(r.text), text) || strings.Contains(strings.ToLower(r.also), text)
	})
}

// mostListed is how many sessions, loops or calls a list has. A log may have hundreds of
// thousands, and nobody walks through them.
const mostListed = 1000

// most returns the lines of the first of n things, and how many more there are. Those that the
// filter hides do not count, so that it finds every one.
func (s *Screen) most(n int, what string, lines func(i int) []row) (out []row) {
	listed := 0
	for i := range n {
		if listed == mostListed {
			text := ui.Count(n-i, "more "+what) + ": / finds those with a text"
			if s.filter != "" {
				text = "not looked at: " + ui.Count(n-i, "more "+what) + "; a longer text finds fewer"
			}
			return append(out, row{tone: faint, text: text})
		}
		if of := lines(i); s.filter == "" || contain(of, s.filter) {
			out = append(out, of...)
			listed++
		}
	}
	return out
}
