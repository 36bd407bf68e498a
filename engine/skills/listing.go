package skills

import (
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/model/words"
)

// Shown is how much of a skill the model sees.
type Shown string

// The degrees of what the model sees.
const (
	Whole    Shown = "whole"
	Cut      Shown = "cut"  // the beginning of the description
	NameOnly Shown = "name" // the name without its description
	Absent   Shown = "none"
)

// Why is the reason for which the model does not see a whole description.
type Why string

// The reasons.
const (
	ForBudget  Why = "budget"   // the list is full
	ForLength  Why = "length"   // of the description or the name alone
	ForPlace   Why = "place"    // the agent does not look there
	ForManual  Why = "manual"   // disable-model-invocation
	ForYAML    Why = "yaml"     // the front matter is not YAML
	ForAnother Why = "shadowed" // another skill has the name
)

// Entry is a skill in a list.
type Entry struct {
	Skill *Skill
	Shown Shown
	Why   Why // empty for a whole description
	Seen  int // characters of the description that the model sees
	Of    int // characters of the description as the agent would list it

	line string
}

// Listing is the list of skills that an agent sends with every request.
type Listing struct {
	Host    string // as package hosts names it
	Unit    string // of Budget, Used and Own: characters or tokens
	Budget  int
	Used    int     // with Own; above Budget where names alone are more
	Own     int     // of Used, what the agent's own skills take
	Owned   int     // how many skills the agent has of its own
	Entries []Entry // every skill once, the listed first in their order
}

// Text returns the lines of the listed skills as the agent sends them, without its own skills and
// the text around.
func (l *Listing) Text() string {
	var b strings.Builder
	for _, e := range l.Entries {
		b.WriteString(e.line)
	}
	return b.String()
}

// Unseen returns the entries whose description the model sees in part or not at all.
func (l *Listing) Unseen() []Entry {
	return slices.DeleteFunc(slices.Clone(l.Entries), func(e Entry) bool { return e.Shown == Whole })
}

// Count returns how many skills are shown to a degree.
func (l *Listing) Count(shown Shown) (n int) {
	for _, e := range l.Entries {
		if e.Shown == shown {
			n++
		}
	}
	return n
}

// Hosts are the agents whose lists are known, as package hosts names them.
var Hosts = []string{"claude-code", "codex", "copilot-cli"}

// List returns what an agent lists of skills for a model with a context window, nil for an
// unknown one; ok is false for an agent whose list is not known. A skill that no request used
// yet is assumed: with a history of calls, Claude Code keeps first what was used most.
func List(host string, all []*Skill, context *int) (l Listing, ok bool) {
	r, ok := rules[host]
	if !ok {
		return Listing{}, false
	}
	window := r.context
	if context != nil && *context > 0 {
		window = *context
	}
	l = Listing{Host: host, Unit: r.unit, Budget: r.budget(window), Owned: len(r.own)}
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, r.order)
	var rows []row
	var absent []Entry
	taken := map[string]bool{}
	for _, s := range ordered {
		text := r.text(s)
		why := r.leaves(s, text)
		if name := r.called(s); why == "" && r.unique {
			if taken[name] {
				why = ForAnother
			}
			taken[name] = true
		}
		if why != "" {
			absent = append(absent, Entry{Skill: s, Shown: Absent, Why: why, Of: utf8.RuneCountInString(text)})
			continue
		}
		kept := r.cut(text)
		rows = append(rows, row{skill: s, name: r.called(s), text: text, kept: kept})
	}
	own := make([]row, len(r.own))
	for i, o := range r.own {
		own[i] = row{name: o.name, kept: strings.Repeat("x", o.length), fixed: o.fixed, own: true}
	}
	if r.ownFirst {
		rows = append(own, rows...)
	} else {
		rows = append(rows, own...)
	}
	r.fit(r, rows, l.Budget)
	for _, w := range rows {
		line := w.line(r)
		used := 0
		if w.shown != Absent && (w.shown != NameOnly || !r.apart) {
			used = r.cost(line)
		}
		l.Used += used
		if w.own {
			l.Own += used
			continue
		}
		e := w.entry()
		switch {
		case w.shown == NameOnly && r.apart:
			e.line = w.name + ", "
		case w.shown != Absent:
			e.line = line + "\n"
		}
		l.Entries = append(l.Entries, e)
	}
	l.Used = max(0, l.Used-r.less)
	slices.SortStableFunc(l.Entries, func(a, b Entry) int { return falseFirst(a.Shown == Absent, b.Shown == Absent) })
	l.Entries = append(l.Entries, absent...)
	return l, true
}

// row is a skill of the user's or the agent's while the list is made.
type row struct {
	skill *Skill
	name  string
	text  string // the description before it is cut for its own length
	kept  string // and after
	fixed bool   // it is whole in any case
	own   bool

	shown Shown
	chars int // of kept, while shown is Cut
}

// entry returns the row as an entry.
func (w *row) entry() Entry {
	e := Entry{Skill: w.skill, Shown: w.shown, Of: utf8.RuneCountInString(w.text)}
	switch w.shown {
	case Whole:
		e.Seen = utf8.RuneCountInString(w.kept)
		if w.kept != w.text {
			e.Shown, e.Why = Cut, ForLength
		}
	case Cut:
		e.Seen, e.Why = w.chars, ForBudget
	default:
		e.Why = ForBudget
	}
	return e
}

// line returns the row as it is listed.
func (w *row) line(r *hostRules) string {
	switch w.shown {
	case Whole:
		return r.line(w, w.kept)
	case Cut:
		return r.line(w, firstRunes(w.kept, w.chars))
	}
	return r.line(w, "")
}

// firstRunes returns the first n characters of a text.
func firstRunes(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// sum returns the units of rows that are all whole, or all a name alone.
func (r *hostRules) sum(rows []row, whole bool) (n int) {
	for i := range rows {
		text := ""
		if whole || rows[i].fixed {
			text = rows[i].kept
		}
		n += r.cost(r.line(&rows[i], text))
	}
	return n - r.less
}

// fitWhole keeps, in their order, the descriptions that still fit beside all names, whole ones.
// Names are listed even if they do not fit.
func (r *hostRules) fitWhole(rows []row, budget int) {
	room := budget - r.sum(rows, false)
	all := r.sum(rows, true) <= budget
	for i := range rows {
		w := &rows[i]
		need := r.cost(r.line(w, w.kept)) - r.cost(r.line(w, ""))
		switch {
		case all || w.fixed:
			w.shown = Whole
		case need <= room:
			w.shown = Whole
			room -= need
		default:
			w.shown = NameOnly
		}
	}
}

// fitEvenly gives all descriptions a character each in turn while there is room, and when the
// names alone do not fit, keeps the names that do, in their order.
func (r *hostRules) fitEvenly(rows []row, budget int) {
	room := budget - r.sum(rows, false)
	if room < 0 {
		room = budget
		for i := range rows {
			rows[i].shown = Absent
			if need := r.cost(r.line(&rows[i], "")); need <= room {
				rows[i].shown = NameOnly
				room -= need
			}
		}
		return
	}
	bounds := make([][]int, len(rows)) // units of each line by the characters of its description
	for i := range rows {
		w := &rows[i]
		bounds[i] = append(bounds[i], r.cost(r.line(w, "")))
		base := len(r.line(w, "x")) + 1 - len("x")
		for at, c := range w.kept {
			bounds[i] = append(bounds[i], bytesAsTokens(base+at+utf8.RuneLen(c)))
		}
	}
	for gave := true; gave; {
		gave = false
		for i := range rows {
			w := &rows[i]
			if w.chars+1 >= len(bounds[i]) {
				continue
			}
			if need := bounds[i][w.chars+1] - bounds[i][w.chars]; need <= room {
				w.chars++
				room -= need
				gave = true
			}
		}
	}
	for i := range rows {
		w := &rows[i]
		switch w.chars {
		case len(bounds[i]) - 1:
			w.shown = Whole
		case 0:
			w.shown = NameOnly
		default:
			w.shown = Cut
		}
	}
}

// fitFirst keeps the first skills up to the one that does not fit, and names of the others up
// to a length.
func (r *hostRules) fitFirst(rows []row, budget int) {
	full, names := false, 0
	for i := range rows {
		w := &rows[i]
		need := r.cost(r.line(w, w.kept))
		if full = full || need > budget; !full {
			w.shown = Whole
			budget -= need
			continue
		}
		if names += words.Units(w.name) + len(", "); copilotBefore+names-len(", ") <= copilotNames {
			w.shown = NameOnly
		} else {
			w.shown = Absent
		}
	}
}
