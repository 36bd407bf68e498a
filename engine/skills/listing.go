package skills

import (
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/model"
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
	ForSetting Why = "setting"  // skillOverrides of Claude Code
)

// Entry is a skill in a list.
type Entry struct {
	Skill *Skill
	Shown Shown
	Why   Why    // empty for a whole description
	Seen  int    // characters of the description that the model sees
	Of    int    // characters of the description as the agent would list it
	Line  string // as the agent lists it, with its end; empty for an absent one
}

// Listing is the list of skills that an agent sends with every request.
type Listing struct {
	Host    string // as package hosts names it
	Unit    string // of Budget, Used and Own: characters or tokens
	Budget  int
	Used    int     // with Own; above Budget where names alone are more
	Own     int     // of Used, what the agent's own skills take
	Entries []Entry // every skill once, the listed first in their order
}

// Text returns the lines of the listed skills as the agent sends them, without its own skills and
// the text around.
func (l *Listing) Text() string {
	var b strings.Builder
	for _, e := range l.Entries {
		b.WriteString(e.Line)
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
// yet is assumed: with a history of calls, Claude Code keeps first what was used most. The settings
// are those of Claude Code.
func List(host string, all []*Skill, context *int, set Settings) (l Listing, ok bool) {
	r, ok := rules[host]
	if !ok {
		return Listing{}, false
	}
	if host == "claude-code" {
		r = r.under(set)
	}
	window := r.context
	if context != nil && *context > 0 {
		window = *context
	}
	l = Listing{Host: host, Unit: r.unit, Budget: r.budget(window)}
	ordered := slices.Clone(all)
	model.Sort(ordered, r.order)
	var rows, own []row
	var absent []Entry
	taken := map[string]bool{}
	for _, s := range ordered {
		w := row{skill: s, name: r.called(s), text: r.text(s), named: r.named != nil && r.named(s)}
		places := r.project
		if s.Home {
			places = r.home
		}
		why := ForPlace
		if s.Place == "" || slices.Contains(places, s.Place) {
			why = r.leaves(s, w.text)
		}
		if why == "" && r.unique {
			if taken[w.name] {
				why = ForAnother
			}
			taken[w.name] = true
		}
		if why != "" {
			absent = append(absent, Entry{Skill: s, Shown: Absent, Why: why, Of: utf8.RuneCountInString(w.text)})
			continue
		}
		if !w.named {
			w.kept = []rune(r.cut(w.text))
		}
		rows = append(rows, w)
	}
	for _, o := range r.own {
		own = append(own, row{name: o.name, kept: []rune(r.cut(strings.Repeat("x", o.length))), fixed: o.fixed})
	}
	if r.ownFirst {
		rows = append(own, rows...)
	} else {
		rows = append(rows, own...)
	}
	r.fit(r, rows, l.Budget)
	for i := range rows {
		w := &rows[i]
		line, used, apart := r.line(w, string(w.kept[:max(0, w.shown)])), 0, r.apart && w.shown == 0
		if w.shown >= 0 && !apart {
			used = r.cost(line)
		}
		l.Used += used
		if w.skill == nil {
			l.Own += used
			continue
		}
		e := w.entry()
		switch {
		case apart:
			e.Line = w.name + ", "
		case w.shown >= 0:
			e.Line = line + "\n"
		}
		l.Entries = append(l.Entries, e)
	}
	l.Used = max(0, l.Used-r.less)
	model.Sort(l.Entries, func(a, b Entry) int { return falseFirst(a.Shown == Absent, b.Shown == Absent) })
	l.Entries = append(l.Entries, absent...)
	return l, true
}

// row is a skill while the list is made.
type row struct {
	skill *Skill // nil: it comes with the agent
	name  string
	text  string // the description before it is cut for its own length
	kept  []rune // and after
	fixed bool   // it is whole in any case
	named bool   // a setting has it listed by its name alone
	shown int    // characters of kept that the model sees; -1: not even the name
}

// entry returns the row as an entry.
func (w *row) entry() Entry {
	e := Entry{Skill: w.skill, Shown: Whole, Seen: max(0, w.shown), Of: utf8.RuneCountInString(w.text)}
	switch {
	case w.shown < 0:
		e.Shown, e.Why = Absent, ForBudget
	case w.named:
		e.Shown, e.Why = NameOnly, ForSetting
	case w.shown == 0:
		e.Shown, e.Why = NameOnly, ForBudget
	case w.shown < len(w.kept):
		e.Shown, e.Why = Cut, ForBudget
	case string(w.kept) != w.text:
		e.Shown, e.Why = Cut, ForLength
	}
	return e
}

// sum returns the units of rows that are all whole, or all a name alone.
func (r *hostRules) sum(rows []row, whole bool) (n int) {
	for i := range rows {
		text := ""
		if whole || rows[i].fixed {
			text = string(rows[i].kept)
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
		need := r.cost(r.line(w, string(w.kept))) - r.cost(r.line(w, ""))
		switch {
		case all || w.fixed:
			w.shown = len(w.kept)
		case need <= room:
			w.shown = len(w.kept)
			room -= need
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
			need := r.cost(r.line(&rows[i], ""))
			if need > room {
				rows[i].shown = -1
				continue
			}
			room -= need
		}
		return
	}
	bounds := make([][]int, len(rows)) // units of each line by the characters of its description
	for i := range rows {
		w := &rows[i]
		bounds[i] = append(bounds[i], r.cost(r.line(w, "")))
		size := len(r.line(w, "x")) + 1 - len("x")
		for _, c := range w.kept {
			size += utf8.RuneLen(c)
			bounds[i] = append(bounds[i], bytesAsTokens(size))
		}
	}
	for gave := true; gave; {
		gave = false
		for i := range rows {
			w := &rows[i]
			if w.shown == len(w.kept) {
				continue
			}
			if need := bounds[i][w.shown+1] - bounds[i][w.shown]; need <= room {
				w.shown++
				room -= need
				gave = true
			}
		}
	}
}

// fitFirst keeps the first skills up to the one that does not fit, and names of the others up
// to a length.
func (r *hostRules) fitFirst(rows []row, budget int) {
	full, names := false, 0
	for i := range rows {
		w := &rows[i]
		need := r.cost(r.line(w, string(w.kept)))
		if full = full || need > budget; !full {
			w.shown = len(w.kept)
			budget -= need
			continue
		}
		if names += words.Units(w.name) + len(", "); copilotBefore+names-len(", ") > copilotNames {
			w.shown = -1
		}
	}
}
