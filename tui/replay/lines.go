package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// lines returns the lines of the view in w cells, without the rows that the
// filter hides. A key that only moves the cursor builds none anew.
func (s *Screen) lines(w int) []row {
	if s.report == nil {
		return nil
	}
	of := fmt.Sprintf("%d %p %p %p %d %d %q %q %d %d %q %q %q %q", s.view, s.report, s.log, s.requests, w, s.h, s.filtering(), s.session, s.step, s.strategy, s.agent, s.sinceTyped, s.calibrated, s.waiting())
	if s.builtOf == of {
		return s.built
	}
	w = max(20, w-1)
	all := [viewCount]func(int) []row{s.sessionLines, s.requestLines, s.missLines, s.eagerLines, s.restLines}[s.view](w)
	var narrowed []string // which sessions the user asked for alone
	if s.sinceTyped != "" && s.log != nil {
		narrowed = append(narrowed, "since "+safetext.Line(s.sinceTyped)+": "+strconv.Itoa(s.report.Totals.Sessions)+" of "+ui.Count(len(s.log.Sessions), "session")+", B changes it")
	}
	if s.agent != "" {
		narrowed = append(narrowed, "logs read as those of "+string(s.agent)+", W changes it")
	}
	if text := strings.Join(narrowed, "; "); text != "" {
		all = append(wrapped(row{text: text, tone: faint}, w), all...)
	}
	if text := s.filtering(); text != "" {
		if all = filtered(all, text); !slices.ContainsFunc(all, func(r row) bool { return r.key != "" }) {
			all = append(all, row{}, row{text: "no row contains " + safetext.Line(s.filter) + "; esc clears the filter", tone: faint})
		}
	}
	s.builtOf, s.built = of, all
	return all
}

// filtering returns the text that the rows of the view have to contain, in small letters; empty
// for any. The requests of a session, and the calibrated tokenizers, are no rows.
func (s *Screen) filtering() string {
	if s.view == viewSession || s.view == viewRest {
		return ""
	}
	return s.filter
}

// noFilter returns why there is nothing to filter.
func (s *Screen) noFilter() string {
	switch s.view {
	case viewSession:
		return "the requests of a session are not filtered: " + s.glyphs.Left + " and " + s.glyphs.Right + " go through them"
	case viewRest:
		return "nothing to filter here: verdict, misses and eager set have rows"
	}
	if s.filter == "" && !slices.ContainsFunc(s.lines(s.w), func(r row) bool { return r.key != "" }) {
		return "there are no rows to filter"
	}
	return ""
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
	listed, filter := 0, s.filtering()
	for i := range n {
		if listed == mostListed {
			text := ui.Count(n-i, "more "+what) + ": / finds those with a text"
			if filter != "" {
				text = "not looked at: " + ui.Count(n-i, "more "+what) + "; a longer text finds fewer"
			}
			return append(out, row{tone: faint, text: text})
		}
		if of := lines(i); filter == "" || contain(of, filter) {
			out = append(out, of...)
			listed++
		}
	}
	return out
}
