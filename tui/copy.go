package tui

import (
	"reflect"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/picture"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// The copy actions that work on every screen.
const (
	CopyName   ui.Action = "copy name"
	CopySchema ui.Action = "copy schema"
	CopyRepro  ui.Action = "copy repro"
	CopyTried  ui.Action = "copy the draft description"
	CopySVG    ui.Action = "save the screen as SVG"
	CopyHTML   ui.Action = "save the screen as HTML"
)

// saveScreen returns a command that saves a picture of the screen as it is now, in the
// colours of the theme.
func (a *App) saveScreen(what, name string, render func(*picture.Grid, picture.Options) []byte) tea.Cmd {
	frame, whole := a.View(), a.layout.Whole
	palette := picture.Dark
	if a.theme.Look.Light {
		palette = picture.Light
	}
	return a.clip.Save(what, name, func() []byte {
		return render(picture.Parse([]byte(frame), whole.Dx(), whole.Dy()), picture.Options{Palette: palette, Rows: true})
	})
}

// noSubject returns why nothing of a tool can be copied.
func (a *App) noSubject() string {
	if a.state == nil || a.screen().Tool() == nil {
		return "no tool is selected"
	}
	return ""
}

// pickCopy opens the menu of everything that can be copied: by the app on every
// screen, and by this screen.
func (a *App) pickCopy() tea.Cmd {
	if a.state == nil {
		return a.Notify(ui.LevelInfo, a.noSubject())
	}
	quick := &ui.Group{}
	var choices []ui.Choice
	bindings := slices.Clone(a.keys.copy.Bindings) // each replaced by the screen's for the same key while that one is enabled
	for _, g := range a.screen().Groups() {
		if g.After != a.keys.copy.After {
			continue
		}
		for _, b := range g.Bindings {
			at := slices.IndexFunc(bindings, func(other ui.Binding) bool { return slices.Equal(other.Keys(), b.Keys()) })
			switch {
			case at < 0:
				bindings = append(bindings, b)
			case b.Disabled() == "":
				bindings[at] = b
			}
		}
	}
	for _, b := range bindings {
		reason := b.Disabled()
		if reason == "" {
			choices = append(choices, ui.Choice{ID: string(b.Action), Label: b.Help().Desc, Note: b.Help().Key})
		}
		quick.Bindings = append(quick.Bindings, b.Unless(nil).Does(func() tea.Cmd {
			a.closeTop()
			if reason != "" {
				return a.Notify(ui.LevelInfo, reason)
			}
			return b.Do()
		}))
	}
	m := a.newMenu("copy", choices, nil)
	m.take = func(id string) tea.Cmd { return quick.Binding(ui.Action(id)).Do() }
	m.stays = true // its bindings close the menu
	hints := m.layer.Hints
	for _, c := range choices {
		hints = append(hints, ui.Hint{Action: ui.Action(c.ID)})
	}
	m.quick = &ui.Layer{Groups: []*ui.Group{a.keys.menu, quick, a.keys.edit}, Hints: hints, Type: m.layer.Type}
	a.Open(m)
	return nil
}

// reportCase returns the part that all reports share: the settings of files and
// flags, and separately the values that are tried. It compares the loaded
// states, because knobs may have been turned since the newest load.
func (a *App) reportCase() report.Case {
	now, was := a.state, a.state.OnDisk()
	c := report.Case{Program: report.Program(), Snapshot: now.Snapshot, Posture: now.Files.Posture, Settings: was.Config.Settings}
	if f := a.configRead; f != nil {
		c.ConfigName, c.ConfigData = f.Name, f.Data
	}
	if now == was {
		return c
	}
	before := map[string]any{}
	for _, s := range was.Config.Settings {
		before[s.Key] = s.Value
	}
	for _, s := range now.Config.Settings {
		if !reflect.DeepEqual(s.Value, before[s.Key]) {
			c.Tried = append(c.Tried, report.Tried{Key: s.Key, Was: before[s.Key], Now: s.Value})
		}
	}
	for _, k := range desk.UnwrittenKnobs() {
		if a, b := k.ValueIn(was.Snapshot), k.ValueIn(now.Snapshot); a != b {
			c.Tried = append(c.Tried, report.Tried{Key: k.Key, Was: a, Now: b})
		}
	}
	if was.Snapshot.Registry != now.Snapshot.Registry {
		for _, t := range now.Snapshot.Registry.Tools {
			same := func(i int) bool { return was.Snapshot.Registry.Tools[i].Qualified == t.Qualified }
			if i := t.Index; i < len(was.Snapshot.Registry.Tools) && same(i) && was.Snapshot.Registry.Tools[i].Description != t.Description {
				c.Edited = append(c.Edited, workbench.Edit{Tool: t.Qualified, Description: t.Description})
			}
		}
	}
	return c
}
