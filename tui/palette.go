package tui

import (
	"bufio"
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/tui/desk"
	"caliper/tui/report"
	"caliper/tui/topics"
	"caliper/tui/ui"
)

// The kinds of rows that the palette finds beside actions, as prefixes of their
// IDs.
const (
	idTool    = "tool:"
	idSession = "session:"
	idSetting = "setting:"
	idQuery   = "query:"
	idView    = "view:"
	idTopic   = "topic:"
)

// paletteTools is how many tools, and how many labelled queries, the palette shows
// for a typed text.
const paletteTools = 12

// topicWidth is the widest that the page of a topic is set.
const topicWidth = 92

// paletteTakes is the things that can be typed in the palette.
var paletteTakes = []string{
	"part of the name of an action, a view, a tool, a session or a help topic; words of a labelled query",
	"or a setting with its value: threshold 12, ranker fielded, context 128k",
}

// palette opens the list of all actions and views, or closes it. For a typed text it also
// finds tools, sessions, labelled queries and settings with a value: "threshold
// 12".
func (a *App) palette() {
	if m, ok := a.top().(*menu); ok && m.palette {
		a.closeTop()
		return
	}
	entries := a.entries()
	var choices []ui.Choice
	for _, e := range entries {
		choices = append(choices, ui.Choice{ID: string(e.binding.Action), Label: e.binding.Name, Note: e.group.Shown(e.binding), Why: e.binding.Disabled()})
	}
	choices = append(choices, a.viewChoices()...)
	for _, t := range topics.All {
		choices = append(choices, ui.Choice{ID: idTopic + t.Name, Label: "help " + t.Name, Note: "topic"})
	}
	m := a.newMenu("commands", choices, nil)
	m.palette, m.More, m.None = true, a.found, paletteTakes
	m.take = func(id string) tea.Cmd { return a.chosen(entries, id) }
	a.lay(m)
}

// chosen does what a row of the palette stands for.
func (a *App) chosen(entries []entry, id string) tea.Cmd {
	if i := slices.IndexFunc(entries, func(e entry) bool { return string(e.binding.Action) == id }); i >= 0 {
		at, owned := a.owners()[entries[i].group]
		if !owned {
			at = -1
		}
		return a.doThere(entries[i].binding, at)
	}
	a.over = nil
	if name, ok := strings.CutPrefix(id, idTool); ok {
		a.goTo(0)
		return a.explore.Choose(a.state.Snapshot.Registry.Named(name))
	}
	if name, ok := strings.CutPrefix(id, idSession); ok {
		a.input.Flags.Session = name
		return a.Load(false)
	}
	if n, ok := strings.CutPrefix(id, idQuery); ok {
		i, _ := strconv.Atoi(n)
		if i >= len(a.state.Queries) { // the file was read again
			return a.Notify(ui.LevelInfo, "the labelled query is gone")
		}
		return a.exploreQuery(a.state.Queries[i].Text, nil)
	}
	if text, ok := strings.CutPrefix(id, idSetting); ok {
		return a.set(text)
	}
	if name, ok := strings.CutPrefix(id, idTopic); ok { // as caliper help prints it
		topic, _ := topics.Find(name)
		page := topic.Page()
		a.openAlone(&text{app: a, Reader: &ui.Reader{Title: "help " + name, Text: func(_ *ui.Theme, w int) ([]string, int) {
			inner := min(w, topicWidth)
			var b strings.Builder
			out := bufio.NewWriter(&b)
			report.Page{Out: out, Width: inner}.Print(page)
			_ = out.Flush() // into memory
			lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
			for i, line := range lines { // a command may be longer than a box is wide
				lines[i] = ui.Fit(line, inner)
			}
			return lines, inner
		}}})
		return nil
	}
	return a.showView(strings.TrimPrefix(id, idView))
}

// viewChoices returns a row of the palette for each view of each screen.
func (a *App) viewChoices() []ui.Choice {
	var list []ui.Choice
	for i, s := range a.screens {
		for _, name := range a.views[i] {
			label := s.Name() + ": " + name
			list = append(list, ui.Choice{ID: idView + label, Label: label, About: viewAbout[label], Note: "view"})
		}
	}
	return list
}

// viewAbout describes views whose names do not tell their content, in words that somebody may look for.
var viewAbout = map[string]string{
	"Queries: findings":     "what lint finds in definitions",
	"Queries: map":          "tools that are confused with each other",
	"Queries: settings":     "the settings that labels prove",
	"Replay: misses":        "loops, lost prompt cache, tools not found, servers never used",
	"Strategies: trade-off": "tokens against recall",
}

// showView goes to a view by its label in the palette. Where it has no tab because
// there is room for several views, it is beside the one before it.
func (a *App) showView(label string) tea.Cmd {
	for i, s := range a.screens {
		name, ok := strings.CutPrefix(label, s.Name()+": ")
		if !ok {
			continue
		}
		a.goTo(i)
		a.draw() // which views there are depends on the size that is drawn
		now, _ := s.Views()
		all := a.views[i]
		for at := slices.Index(all, name); at >= 0; at-- {
			if tab := slices.Index(now, all[at]); tab >= 0 {
				s.ShowView(tab)
				if all[at] != name {
					return a.Notify(ui.LevelInfo, name+" is beside "+all[at]+" here")
				}
				break
			}
		}
		return nil
	}
	return nil
}

// found returns the settings, sessions, tools and labelled queries that a typed
// text finds.
func (a *App) found(typed string) []ui.Choice {
	words := strings.ToLower(strings.TrimSpace(typed))
	if a.state == nil || len(words) < 2 {
		return nil
	}
	list := a.settingsFound(words, strings.TrimSpace(typed))
	for _, s := range a.state.Snapshot.Config.Choosable() {
		if label := "session " + s.Name; strings.Contains(strings.ToLower(label), words) {
			list = append(list, ui.Choice{ID: idSession + s.Name, Label: safetext.Line(label), Note: "s", Current: s.Name == a.state.Snapshot.Session.Name})
		}
	}
	n := 0
	for _, t := range a.state.Snapshot.ByName() {
		if n < paletteTools && strings.Contains(strings.ToLower(t.Qualified), words) {
			list = append(list, ui.Choice{ID: idTool + t.Qualified, Label: t.ShownName, Note: "tool"})
			n++
		}
	}
	n = 0
	for i, q := range a.state.Queries {
		if n < paletteTools && strings.Contains(strings.ToLower(q.Text), words) {
			list = append(list, ui.Choice{ID: idQuery + strconv.Itoa(i), Label: safetext.Line(ui.OneLine(q.Text)), Note: "labelled query"})
			n++
		}
	}
	return list
}

// settingsFound returns the settings whose label begins with the typed words, with the
// value that follows the label, or with each value that the typed one begins. Typed is
// the text as the user wrote it, since names of models have capitals, and lower the same
// in lower case.
func (a *App) settingsFound(lower, typed string) []ui.Choice {
	var list []ui.Choice
	for _, k := range desk.Knobs() {
		if a.knobs.NamedElsewhere(k) {
			continue
		}
		label, now := strings.ToLower(k.Label), "now "+k.Text(a.knobs.Value(k))
		words := lower
		key, rest, named := strings.Cut(lower, " ") // by the name that the setting has in the file: "host codex" is "agent codex"
		switch name := k.Key[strings.LastIndexByte(k.Key, '.')+1:]; {
		case strings.HasPrefix(label, key):
		case named && key == name:
			words = label + " " + rest
		case !named && len(lower) > 3 && strings.HasPrefix(name, lower):
			words = label
		}
		value, valued := strings.CutPrefix(words, label+" ")
		value = strings.TrimSpace(value)
		if at := len(typed) - len(value); k.Kind == config.Text && at >= 0 && strings.EqualFold(typed[at:], value) {
			value = typed[at:]
		}
		var values []string
		switch {
		case k.Key == config.KeyHost && !valued && len(words) > 2 && !strings.HasPrefix(label, words): // an agent is looked for by its own name
			values = slices.DeleteFunc(k.Complete(""), func(v string) bool { return !strings.Contains(v, strings.ReplaceAll(words, " ", "-")) })
		case valued:
			values = k.Complete(value)
		case words == label:
			values = k.Complete("")
		}
		for _, v := range values {
			list = append(list, ui.Choice{ID: idSetting + label + " " + v, Label: k.Label + " " + v, Note: cmp.Or(k.About(v), now)})
		}
		switch {
		case len(values) > 0 && (k.Kind != config.Text || slices.Contains(values, value)):
		case valued && value != "":
			_, err := k.Parse(value, a.state.OnDisk().Snapshot)
			list = append(list, ui.Choice{ID: idSetting + label + " " + value, Label: safetext.Line(label + " " + value), Note: cmp.Or(k.About(value), now), Why: err})
		case strings.HasPrefix(label, words):
			list = append(list, ui.Choice{ID: idSetting + label, Label: k.Label + " …", Note: now})
		}
	}
	return list
}

// set gives a setting the value that follows its label. Without a value the palette
// is opened again, with the label typed.
func (a *App) set(text string) tea.Cmd {
	for _, k := range desk.Knobs() {
		label := strings.ToLower(k.Label)
		if text == label {
			a.palette()
			a.top().(*menu).Type(label + " ")
			return a.Notify(ui.LevelInfo, "type the value of "+k.Label+": "+k.Takes())
		}
		value, ok := strings.CutPrefix(text, label+" ")
		if !ok {
			continue
		}
		v, why := k.Parse(strings.TrimSpace(value), a.state.OnDisk().Snapshot)
		if why != "" {
			return a.Notify(ui.LevelWarn, why)
		}
		if desk.SameValue(v, a.knobs.Value(k)) {
			return a.Notify(ui.LevelInfo, k.Label+" is "+k.Text(v)+" already")
		}
		tried := a.tryTyped(k, v)
		if a.knobs.WhyTryOnly(k) != "" {
			return tried
		}
		keys := "u undoes it, S saves it"
		if a.layer().Type != nil {
			keys = "after tab " + keys // both are letters of the text
		}
		return tea.Batch(tried, a.Notify(ui.LevelInfo, k.Label+" is "+k.Text(v)+" now; "+keys))
	}
	return nil
}
