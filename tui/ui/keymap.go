package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Action identifies one thing that a key, an entry of the palette or a click
// makes the program do. Scenes and tests press keys by their action.
type Action string

// Binding is an action with its keys, its texts and its handler.
type Binding struct {
	key.Binding        // the keys as bubbletea names them, and the key and text that help shows
	Action      Action // empty for keys that only edit text
	Name        string // label in the palette; empty: not listed there
	do          func() tea.Cmd
	here        func() string
	disabled    func() string
	question    func() string
}

// Bind returns a binding of an action: the keys as help shows them, the text of
// the help, the label in the palette, and the keys as bubbletea names them.
//
//go:noinline // or each caller has a copy
func Bind(a Action, shown, help, name string, keys ...string) Binding {
	return Binding{Binding: key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help)), Action: a, Name: name}
}

// Does returns a copy of the binding with the handler do.
//
//go:noinline // or each caller has a copy
func (b Binding) Does(do func() tea.Cmd) Binding {
	b.do = do
	return b
}

// Runs returns a copy of the binding with a handler that needs no command.
//
//go:noinline // or each caller has a copy
func (b Binding) Runs(do func()) Binding {
	return b.Does(func() tea.Cmd {
		do()
		return nil
	})
}

// Says returns a copy of the binding with a function for its current label in
// the footer. When the function returns an empty string, the label of the hint
// stays.
//
//go:noinline // or each caller has a copy
func (b Binding) Says(here func() string) Binding {
	b.here = here
	return b
}

// Unless returns a copy of the binding with a function that returns why it is
// disabled at the moment, empty while it is enabled.
//
//go:noinline // or each caller has a copy
func (b Binding) Unless(disabled func() string) Binding {
	b.disabled = disabled
	return b
}

// When returns a function for Unless: it returns why whenever a condition holds.
//
//go:noinline // or each caller has a copy
func When(holds func() bool, why string) func() string {
	return func() string {
		if holds() {
			return why
		}
		return ""
	}
}

// Asks returns a copy of the binding with a function that returns what to ask
// before the handler runs, empty when it runs unasked. The key is pressed again
// to confirm.
func (b Binding) Asks(question func() string) Binding {
	b.question = question
	return b
}

// Question returns what to ask before the handler runs, empty for nothing.
func (b *Binding) Question() string {
	if b.question == nil {
		return ""
	}
	return b.question()
}

// Disabled returns why the binding is disabled now, empty while it is enabled.
func (b *Binding) Disabled() string {
	if b.disabled == nil {
		return ""
	}
	return b.disabled()
}

// Do runs the handler of the binding, which must not be disabled.
func (b *Binding) Do() tea.Cmd {
	if b.do == nil {
		return nil
	}
	return b.do()
}

// Group is a list of bindings under one heading of the help.
type Group struct {
	Title    string
	Where    string // where its keys work, for a sentence: "in the hits"; empty where the title is the name of a screen
	After    string // the key that must be pressed first; empty for none
	Bindings []Binding
}

// Place returns where the keys of the group work, for a sentence.
func (g *Group) Place() string {
	if g.Where != "" {
		return g.Where
	}
	return "on " + g.Title
}

// Binding returns the binding of an action, nil when the group has none.
func (g *Group) Binding(a Action) *Binding {
	for i := range g.Bindings {
		if g.Bindings[i].Action == a {
			return &g.Bindings[i]
		}
	}
	return nil
}

// Shown returns the keys of a binding as help shows them, after the key that
// must be pressed first.
func (g *Group) Shown(b *Binding) string {
	return strings.TrimSpace(g.After + " " + b.Help().Key)
}
