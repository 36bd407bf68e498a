package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/tui/cells"
	"caliper/tui/demo"

	tea "github.com/charmbracelet/bubbletea"
)

func contexts() []Context {
	all := make([]Context, contextCount)
	for i := range all {
		all[i] = Context(i)
	}
	return all
}

// textContexts are those in which letters are typed.
var textContexts = []Context{CtxQuery, CtxArgs, CtxFilter, CtxChooser, CtxMessage, CtxRequest, CtxPaste}

// keyNamed returns the key that bubbletea calls by a name.
func keyNamed(name string) (tea.KeyMsg, bool) {
	alt := strings.HasPrefix(name, "alt+")
	bare := strings.TrimPrefix(name, "alt+")
	for k := tea.KeyType(-100); k < 128; k++ {
		if m := (tea.KeyMsg{Type: k, Alt: alt}); k != tea.KeyRunes && m.String() == name {
			return m, true
		}
	}
	if utf8.RuneCountInString(bare) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(bare), Alt: alt}, true
	}
	return tea.KeyMsg{}, false
}

func TestNoKeyTwiceInAContext(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	for _, c := range contexts() {
		taken := map[string]string{}
		for _, b := range keys.in(c) {
			for _, name := range b.Keys() {
				if other, ok := taken[name]; ok {
					t.Errorf("context %d: %s is %q and %q", c, name, other, b.Help().Desc)
				}
				taken[name] = b.Help().Desc
			}
		}
		if len(taken) == 0 {
			t.Errorf("context %d has no keys", c)
		}
	}
}

func TestKeysExistAndHaveHelp(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	for _, s := range keys.sections() {
		for _, b := range s.binds {
			if b.Help().Desc == "" || b.Help().Key == "" && len(b.Keys()) > 0 {
				t.Errorf("%s: %v has no help", s.title, b.Keys())
			}
			if cells.Width(b.Help().Key)+len(s.after)+1 > helpKey {
				t.Errorf("%s: %q is too long for the help", s.title, b.Help().Key)
			}
			for _, name := range b.Keys() {
				if k, ok := keyNamed(name); !ok || k.String() != name {
					t.Errorf("%s: bubbletea has no key %q", s.title, name)
				}
				if name == "alt+]" {
					t.Errorf("%s: alt+] is how the terminal's answers begin", s.title)
				}
			}
		}
	}
}

func TestTextKeepsItsLetters(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	for _, c := range textContexts {
		for _, b := range keys.in(c) {
			for _, name := range b.Keys() {
				if utf8.RuneCountInString(name) == 1 {
					t.Errorf("context %d: %q is taken from text by %q", c, name, b.Help().Desc)
				}
			}
		}
	}
}

func TestHabits(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	browsing := []Context{CtxHits, CtxSchema, CtxWhy, CtxDryRun}
	tests := []struct {
		in   []Context
		keys string
		want Action
	}{
		{contexts(), "ctrl+c", ActInterrupt},
		{contexts(), "ctrl+z", ActSuspend},
		{[]Context{CtxQuery}, "up ctrl+p", ActUp},
		{[]Context{CtxQuery}, "down ctrl+n", ActDown},
		{[]Context{CtxQuery}, "ctrl+r", ActHistory},
		{append(browsing, CtxQuery, CtxArgs, CtxFilter, CtxChooser, CtxHelp, CtxCopy), "esc", ActBack},
		{append(browsing, CtxQuery, CtxArgs, CtxFilter), "tab", ActNextPane},
		{append(browsing, CtxQuery, CtxArgs, CtxFilter), "shift+tab", ActPrevPane},
		{append(browsing, CtxQuery, CtxArgs, CtxFilter), "ctrl+k", ActPalette},
		{append(browsing, CtxQuery, CtxArgs, CtxFilter), "f1", ActHelp},
		{browsing, ":", ActPalette},
		{browsing, "?", ActHelp},
		{browsing, "q", ActQuit},
		{browsing, "z", ActZoom},
		{browsing, "y", ActCopy},
		{browsing, "E", ActOpenFile},
		{browsing, "s", ActSession},
		{browsing, "R", ActReload},
		{browsing, " ", ActPause},
		{browsing, "!", ActNotice},
		{browsing, "up k", ActUp},
		{browsing, "down j", ActDown},
		{browsing, "pgup", ActPageUp},
		{browsing, "pgdown", ActPageDown},
		{browsing, "ctrl+d", ActHalfDown},
		{browsing, "ctrl+u", ActHalfUp},
		{browsing, "g", ActTop},
		{browsing, "G", ActBottom},
		{[]Context{CtxHits, CtxSchema}, "/", ActSearch},
		{[]Context{CtxHits, CtxSchema}, "n", ActNextMatch},
		{[]Context{CtxHits, CtxSchema}, "N", ActPrevMatch},
		{[]Context{CtxHits}, "i", ActQuery},
		{[]Context{CtxHits, CtxSchema, CtxWhy, CtxDryRun}, "d", ActDirect},
		{[]Context{CtxHits, CtxQuery}, "enter", ActOpen},
		{[]Context{CtxHits, CtxSchema, CtxWhy, CtxDryRun}, "e", ActEditArgs},
		{[]Context{CtxSchema}, "right l", ActExpand},
		{[]Context{CtxSchema}, "left h", ActCollapse},
		{[]Context{CtxSchema}, "enter", ActToggle},
		{[]Context{CtxSchema}, "*", ActExpandAll},
		{[]Context{CtxSchema}, "1 2 3 4 5 6 7 8 9", ActLevel},
		{[]Context{CtxSchema}, "ctrl+g", ActFollow},
		{[]Context{CtxCopy}, "n", ActCopyName},
		{[]Context{CtxCopy}, "s", ActCopySchema},
		{[]Context{CtxCopy}, "c", ActCopyCall},
		{[]Context{CtxCopy}, "m", ActCopyModel},
	}
	for _, tt := range tests {
		for _, c := range tt.in {
			names := strings.Fields(tt.keys)
			if tt.keys == " " {
				names = []string{" "}
			}
			for _, name := range names {
				k, _ := keyNamed(name)
				if got, ok := keys.Action(c, k); !ok || got != tt.want {
					t.Errorf("context %d: %q does %q, want %q", c, name, got, tt.want)
				}
			}
		}
	}
}

func TestPastedTextIsNoKey(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	for _, c := range contexts() {
		for _, text := range []string{"q", "y", "]", "[q]"} {
			if a, ok := keys.Action(c, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}); ok {
				t.Errorf("context %d: pasting %q does %q", c, text, a)
			}
		}
	}
}

func TestHintsAreKeysOfTheirContext(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	for _, c := range contexts() {
		hints := keys.Hints(c)
		if len(hints) == 0 {
			t.Errorf("context %d has no hints", c)
		}
		for _, h := range hints {
			if h.Action == "" {
				t.Errorf("context %d: hint %q does nothing", c, h.Help().Desc)
			}
			for _, name := range h.Keys() {
				k, _ := keyNamed(name)
				if got, ok := keys.Action(c, k); !ok || got != h.Action {
					t.Errorf("context %d: hint %q says %q, %s does %q", c, h.Help().Desc, h.Action, name, got)
				}
			}
		}
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	commands := NewKeys(unicodeGlyphs()).Commands()
	seen := map[Action]bool{}
	names := map[string]bool{}
	for _, c := range commands {
		if seen[c.Action] || names[c.Name] {
			t.Errorf("%q is listed twice", c.Name)
		}
		seen[c.Action], names[c.Name] = true, true
	}
	for _, want := range []Command{
		{ActCopyName, "Copy the tool's name", "y n"},
		{ActReload, "Reload the files", "R"},
		{ActTokenizer, "Switch tokenizer", ""},
	} {
		found := false
		for _, c := range commands {
			found = found || c == want
		}
		if !found {
			t.Errorf("%+v is missing", want)
		}
	}
}

func TestKeysInASCII(t *testing.T) {
	t.Parallel()
	keys := NewKeys(asciiGlyphs())
	for _, s := range keys.sections() {
		for _, b := range s.binds {
			if text := b.Help().Key + b.Help().Desc; strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) >= 0 {
				t.Errorf("%s: %q is not ASCII", s.title, text)
			}
		}
	}
}

// What a key does by itself stands in the palette too. Left out is what only
// moves, edits text, or answers what lies over the screen.
func TestEveryActionHasACommand(t *testing.T) {
	t.Parallel()
	keys := NewKeys(unicodeGlyphs())
	named := map[Action]bool{}
	for _, c := range keys.Commands() {
		named[c.Action] = true
	}
	moves := []Action{"", ActUp, ActDown, ActPageUp, ActPageDown, ActHalfUp, ActHalfDown, ActTop, ActBottom, ActAnswerUp, ActAnswerDown}
	here := []Action{ActOpen, ActBack, ActYes, ActPalette, ActRun, ActApply, ActTryInEditor}
	levels := []Action{ActLevel} // by name it is one of three
	for _, s := range keys.sections() {
		for _, b := range s.binds {
			if !named[b.Action] && !slices.Contains(slices.Concat(moves, here, levels), b.Action) {
				t.Errorf("%s: %s %q has no name in the palette", s.title, b.Help().Key, b.Help().Desc)
			}
		}
	}
	if !named[ActPart] || !named[ActLess] || !named[ActCore] {
		t.Error("v, the knobs or the core have no name")
	}
}

// The footer says what keys do where they are pressed.
func TestFootersOfKnobsAndLists(t *testing.T) {
	t.Parallel()
	d := onStrategies(t, 120, 36, refund).selected("a")
	d.app().notices.showing = false
	d.wants("d drop turn").lacks("u undo")
	d.Press("tab", "tab").wants("←→ value").lacks("drop turn", "add turn", "u undo").selected("right").wants("u undo")
	d.selected("u").lacks("u undo").Press("u").wants("nothing to undo")
	d.app().notices.showing = false
	d.Press("y").wants("↑↓ move", "enter choose", "esc close", "r Markdown repro").lacks("enter bytes", "add turn")
	onResults(t, 40, 10).judged("e").wants("pgdn answer")
}

// After a write there is nothing to undo: the file says what the knob said.
func TestNoUndoAfterAWrite(t *testing.T) {
	t.Parallel()
	opt := demoResults()
	opt.ConfigName = filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(opt.ConfigName, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	d := startExplorer(t, opt, 120, 36).judged("alt+2", "tab", "right").wants("u undo").Press("S", "y")
	data, err := os.ReadFile(opt.ConfigName)
	if err != nil {
		t.Fatal(err)
	}
	d.reload(ConfigPart, string(data))
	d.app().notices.showing = false
	d.lacks("u undo").Press("u").wants("nothing to undo")
}

func TestPercentOfLessThanAll(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{100: "100.0%", 99.97: "99.9%", 99.94: "99.9%", 0: "0.0%", -3: "−3.0%"} {
		if got := percent(p); got != want {
			t.Errorf("%v is %s", p, got)
		}
	}
}
