package tui

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/tokens"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// entry is an action in the palette: its binding, and its group.
type entry struct {
	binding *ui.Binding
	group   *ui.Group
}

// entries returns every action that has a name, once, in the order of the help.
// When several screens bind an action, the current screen's binding is used.
func (a *App) entries() []entry {
	here, at := a.screen().Groups(), map[ui.Action]int{}
	var all []entry
	for _, g := range a.everyGroup() {
		for j := range g.Bindings {
			b := &g.Bindings[j]
			before, seen := at[b.Action]
			switch {
			case b.Name == "":
			case !seen:
				at[b.Action] = len(all)
				all = append(all, entry{b, g})
			case slices.Contains(here, g):
				all[before] = entry{b, g}
			}
		}
	}
	return all
}

// owners returns the index of the screen of each group of keys that has one.
func (a *App) owners() map[*ui.Group]int {
	owner := map[*ui.Group]int{}
	for i, s := range a.screens {
		for _, g := range s.Groups() {
			owner[g] = i
		}
	}
	return owner
}

// pickSession opens the picker of sessions.
func (a *App) pickSession() {
	if a.state == nil {
		return
	}
	var choices []ui.Choice
	for _, s := range a.state.Snapshot.Config.Choosable() {
		note := "every toolset" // that the lists of the session grant
		switch {
		case s.Enabled != nil && len(s.Enabled) == 0:
			note = "nothing"
		case s.Enabled != nil:
			note = ui.Count(len(s.Enabled), "toolset")
		}
		switch {
		case len(s.Disabled) > 0 && s.Enabled == nil:
			note = "all but " + ui.Count(len(s.Disabled), "toolset")
		case len(s.Disabled) > 0:
			note += " − " + strconv.Itoa(len(s.Disabled))
		}
		choices = append(choices, ui.Choice{
			ID: s.Name, Label: safetext.Line(s.Name), Note: note,
			Current: s.Name == a.state.Snapshot.Session.Name,
		})
	}
	a.Choose("session", choices, false, func(name string) tea.Cmd {
		a.input.Flags.Session = name
		return a.Load(false)
	})
}

// tokenizers are the methods of the tokenizer picker, in order, with their descriptions.
var tokenizers = [][2]string{{string(tokens.Chars4), "characters / 4, as the agent estimates"}, {string(tokens.O200k), "exact for the JSON"}, {string(tokens.Cl100k), "exact for the JSON"},
	{string(tokens.RenderedOpenAI), "as TypeScript, the form that OpenAI shows its models"}, {string(tokens.RenderedAnthropic), "estimate of what Anthropic shows, with its prompt"}}

// pickTokenizer opens the picker of token methods, with those that the visible screen
// alone can count by.
func (a *App) pickTokenizer() {
	if a.state == nil {
		return
	}
	counting := a.screen()
	own := counting.Tokenizers()
	onOwn := slices.ContainsFunc(own, func(c ui.Choice) bool { return c.Current })
	var choices []ui.Choice
	for _, t := range tokenizers {
		choices = append(choices, ui.Choice{ID: t[0], Label: t[0], Note: t[1], Current: !onOwn && t[0] == string(a.state.Snapshot.Tokenizer)})
	}
	a.Choose("count tokens with", append(choices, own...), false, func(id string) tea.Cmd {
		if slices.ContainsFunc(own, func(c ui.Choice) bool { return c.ID == id }) {
			counting.CountBy(id)
			return nil
		}
		counting.CountBy("")
		a.input.Flags.Tokenizer = tokens.Method(id)
		a.knobs.Forget(workbench.KnobTokenizer)
		return a.Load(false)
	})
}
