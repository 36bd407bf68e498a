package tui

import (
	"cmp"
	"slices"
	"strings"

	"caliper/config"
	"caliper/tui/desk"
	"caliper/tui/topics"
	"caliper/tui/ui"

	tea "github.com/charmbracelet/bubbletea"
)

// helpRow is a row of the help: a key with what it does, a sign, or a word with
// its meaning.
type helpRow struct {
	group   string      // the heading that it is under
	key     string      // as help shows it; empty for a word
	text    string      // what the key does, or the meaning
	word    string      // of the glossary; empty for a key or sign
	also    string      // what the filter finds too
	binding *ui.Binding // nil for what cannot be run at all
	screen  int         // where it runs; -1 for everywhere
	never   string      // why it cannot be run from here; empty when its binding decides
	away    bool        // its key works in another place; enter on the row runs it all the same
}

// The headings of the help besides the titles of groups of keys.
const (
	cursorWords = "Under the cursor"
	paneWords   = "Words here"
	settingsToo = "Settings"
)

// why returns why the row cannot run now, empty when it can.
func (r *helpRow) why() string {
	switch {
	case r.never != "":
		return r.never
	case r.binding == nil:
		return ""
	}
	return r.binding.Disabled()
}

// help opens the help of what has the keyboard over it, or closes it. It is generated from
// the bindings, the glyphs and the glossary, so that it always agrees with them.
func (a *App) help() {
	if _, open := a.top().(*manual); open {
		a.closeTop()
		return
	}
	m := &manual{app: a, rows: a.helpRows(), field: ui.NewField(longestFind, ""), follows: true}
	m.browse = &ui.Layer{Groups: []*ui.Group{a.keys.help, a.keys.move}, Hints: ui.Hints(ui.Open, ui.Find, ui.Back, ui.Down.After(ui.Up, "rows"))}
	m.filter = &ui.Layer{Groups: []*ui.Group{a.keys.helpFilter}, Hints: ui.Hints(ui.Open, ui.Back, ui.Down.After(ui.Up, "rows")), Type: func(k tea.KeyMsg) tea.Cmd {
		if _, changed := m.field.Key(k); changed {
			m.narrow()
		}
		return nil
	}}
	m.narrow()
	first := cmp.Or(a.asking(), cursorWords) // so that it is seen in the smallest box
	m.cursor = max(0, slices.IndexFunc(m.rows, func(r helpRow) bool { return r.group == first }))
	a.lay(m)
}

// helpRows returns the rows of the help: on the demo the tour first, for who is here for the
// first time, then the word that the cursor is on, the keys of the pane that has the
// keyboard, of the visible screen, the other keys, the signs, and at the end
// the glossary, with the words of the focused pane before the others.
func (a *App) helpRows() []helpRow {
	here, pane := a.screen().Words()
	if a.comparing() {
		here, pane = a.sides.Words()
	}
	if a.asking() != "" {
		here, pane = nil, slices.Concat(here, pane)
	}
	var words []helpRow
	seen := map[string]bool{}
	add := func(group, label string) { // a label of the glossary or the key of a setting, once, unless nothing explains it
		r := helpRow{group: group, screen: -1}
		if text := topics.Setting(label); text != "" {
			spec, _ := config.SpecOf(label)
			r.word, r.text, r.also = spec.Label, text, label
		} else if t, ok := topics.TermOf(label); ok {
			label = t.Word
			r.word, r.text, r.also = t.Word, t.Meaning, strings.Join(t.Also, " ")
		}
		if r.word != "" && !seen[label] {
			seen[label] = true
			words = append(words, r)
		}
	}
	for _, label := range here {
		add(cursorWords, label)
	}
	keys := a.keyRows()
	after := slices.IndexFunc(keys, func(r helpRow) bool { return r.group != a.keys.first.Title })
	rows := slices.Insert(keys, after, words...)
	words = nil
	for _, label := range pane {
		add(paneWords, label)
	}
	for _, s := range topics.Glossary() {
		for _, t := range s.Terms {
			add(s.Title, t.Word)
		}
	}
	for _, k := range desk.Knobs() {
		add(settingsToo, k.Key)
	}
	t := a.theme
	for _, s := range [][2]string{
		{t.Tie, "tie: another hit has the same score"},
		{t.Risen + " " + t.Fallen, "rank risen, fallen since on disk"},
		{t.Same, "rank unchanged since on disk"},
		{"new", "found only with the knobs"},
		{t.Pin, "the tool that is expected; in a plot, the selected point"},
		{t.Dot, "the active strategy; in the header, a file that is watched"},
		{t.Tick + " " + t.Cross, "found or allowed; missed or denied"},
		{"?", "a person is asked first; in a chain, not known"},
		{t.Cut + " limit " + t.Cut, "cut line: nothing below is returned"},
	} {
		rows = append(rows, helpRow{group: "Signs", key: s[0], text: s[1]})
	}
	return append(rows, words...)
}

// asking returns the heading of the keys of the question that has the keyboard; empty for
// none.
func (a *App) asking() string {
	if o := a.top(); o != nil && slices.Contains(a.layer().Groups, a.keys.asked) {
		return o.Layer().Groups[0].Title
	}
	return ""
}

// keyRows returns a row for each key that help shows, group by group. Bindings that
// several screens have under one title appear once.
func (a *App) keyRows() []helpRow {
	now := a.layer().Groups
	owner, k := a.owners(), &a.keys
	ofBoxes := append([]*ui.Group{k.find, k.menu, k.help, k.helpFilter, k.reader, k.confirm, k.leaving, k.asked, k.value, k.text}, a.sides.Groups()...) // and of the search line
	var titles []string
	byTitle := map[string][]helpRow{}
	own := a.screen().Layer().Groups
	if o := a.top(); o != nil {
		own = slices.Concat(o.Layer().Groups, own)
	}
	groups := slices.Concat(own, a.screen().Groups(), a.everyGroup())
	if first := []*ui.Group{a.keys.first}; a.opt.Demo != "" {
		groups = slices.Concat(first, groups)
	} else {
		groups = append(groups, first...) // there is no tour of one's own files
	}
	for _, g := range groups {
		if !slices.Contains(titles, g.Title) {
			titles = append(titles, g.Title)
		}
		for i := range g.Bindings {
			b := &g.Bindings[i]
			same := func(r helpRow) bool {
				return r.binding == b || b.Action != "" && r.binding.Action == b.Action
			}
			if (g == a.keys.views || g == a.keys.browse) && a.ofScreen(b) {
				continue // the screen tells what the key does there
			}
			if b.Help().Desc == "" || slices.ContainsFunc(byTitle[g.Title], same) {
				continue
			}
			r := helpRow{group: g.Title, key: g.Shown(b), text: b.Help().Desc, also: b.Name, binding: b, screen: -1}
			if at, owned := owner[g]; owned {
				r.screen = at
			}
			if g.After != "" && r.screen >= 0 && r.screen != a.current {
				r.text += ", in " + a.screens[r.screen].Name()
			}
			switch {
			case b.Action == "":
				r.never = "edits text"
			case b.Action == ui.Help:
				r.never = "this is the help"
			case slices.Contains(now, g):
				r.screen = -1
			case b.Name != "":
				r.away = len(b.Keys()) > 0 && g.After == ""
			case r.screen >= 0 || slices.Contains(ofBoxes, g):
				r.never = "works " + g.Place()
			default:
				r.never = "works outside text"
			}
			byTitle[g.Title] = append(byTitle[g.Title], r)
		}
	}
	var rows []helpRow
	for _, title := range titles {
		rows = append(rows, byTitle[title]...)
	}
	return rows
}

// ofScreen reports whether the visible screen, and not only a pane of it, binds an action
// by the same key.
func (a *App) ofScreen(b *ui.Binding) bool {
	return b.Action != "" && len(b.Keys()) > 0 && slices.ContainsFunc(a.screen().Groups(), func(g *ui.Group) bool {
		return g.Title == a.screen().Name() && slices.ContainsFunc(g.Bindings, func(own ui.Binding) bool {
			return own.Action == b.Action && slices.Contains(own.Keys(), b.Keys()[0])
		})
	})
}
