package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Hint is an entry of the footer: an action, or two opposite actions, and their
// label. A click on the hint of two actions runs the second.
type Hint struct {
	Action Action
	Before Action // the opposite action, whose key is shown first; empty for none
	Words  string // label; empty for the text of the help
}

// As returns a hint of the action with another label than the text of the help.
func (a Action) As(words string) Hint { return Hint{Action: a, Words: words} }

// After returns a hint of two opposite actions.
func (a Action) After(before Action, words string) Hint { return Hint{a, before, words} }

// Hinted is an Action, labelled by the text of the help, or a Hint.
type Hinted interface{ hint() Hint }

func (a Action) hint() Hint { return Hint{Action: a} }
func (h Hint) hint() Hint   { return h }

// Hints returns a list of hints in the given order, the most useful first.
func Hints(list ...Hinted) []Hint {
	hints := make([]Hint, len(list))
	for i, h := range list {
		hints[i] = h.hint()
	}
	return hints
}

// Layer describes what has the keyboard: the keys that work, the hints of the
// footer, the most useful first, and the handlers of typed and pasted text.
type Layer struct {
	Groups []*Group
	Hints  []Hint
	// Type handles a key without a binding, which is text or edits text; nil
	// where no text can be typed.
	Type func(tea.KeyMsg) tea.Cmd
	// Paste handles pasted text where no text can be typed; nil ignores it.
	Paste func(tea.KeyMsg) tea.Cmd

	byKey map[string]*Binding
}

// With returns a copy of the layer with more groups after its own, in which
// Find works. The groups must not change afterwards.
func (l *Layer) With(groups ...*Group) *Layer {
	all := *l
	all.Groups, all.byKey = append(slices.Clone(l.Groups), groups...), map[string]*Binding{}
	for _, g := range all.Groups {
		for i := range g.Bindings {
			b := &g.Bindings[i]
			for _, name := range b.Keys() {
				if _, taken := all.byKey[name]; !taken && b.Action != "" {
					all.byKey[name] = b
				}
			}
		}
	}
	return &all
}

// Find returns the binding of a key in the layer; nil when the key has none.
// Pasted text never matches a binding.
func (l *Layer) Find(k tea.KeyMsg) *Binding {
	if k.Paste {
		return nil
	}
	return l.byKey[k.String()]
}

// Bound reports whether a key has a binding in the layer.
func (l *Layer) Bound(name string) bool { return l.byKey[name] != nil }

// Binding returns the binding of an action, nil when the layer has none.
func (l *Layer) Binding(a Action) *Binding {
	for _, g := range l.Groups {
		if b := g.Binding(a); b != nil {
			return b
		}
	}
	return nil
}

// Shown is a hint as the footer draws it.
type Shown struct {
	Key, Words string
	Binding    *Binding
	From, To   int // cells of the drawn footer, to exclusive, for clicks
}

// Footer returns the hints of the layer whose bindings are enabled. The label
// is the current one of the binding (see Says), else that of the hint, else the
// text of the help.
func (l *Layer) Footer() []Shown {
	var out []Shown
	for _, h := range l.Hints {
		b := l.Binding(h.Action)
		if b == nil || b.Disabled() != "" {
			continue
		}
		s := Shown{Key: b.Help().Key, Words: b.Help().Desc, Binding: b}
		if h.Words != "" {
			s.Words = h.Words
		}
		if h.Before != "" {
			s.Key = firstKey(l.Binding(h.Before)) + firstKey(b)
		}
		if b.here != nil {
			if words := b.here(); words != "" {
				s.Words = words
			}
		}
		out = append(out, s)
	}
	return out
}

// firstKey returns the first of the keys that the help shows for a binding.
func firstKey(b *Binding) string {
	first, _, _ := strings.Cut(b.Help().Key, " ")
	return first
}
