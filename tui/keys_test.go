package tui

import (
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/tui/cells"

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
	keys := NewKeys(asciiGlyphs())
	for _, s := range keys.sections() {
		for _, b := range s.binds {
			if text := b.Help().Key + b.Help().Desc; strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) >= 0 {
				t.Errorf("%s: %q is not ASCII", s.title, text)
			}
		}
	}
}
