package ui

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func pressIn(f *Field, names ...string) {
	for _, name := range names {
		k, _ := keyNamed(name)
		f.Key(k)
	}
}

// drawn returns the field in w cells.
func drawField(f *Field, t *Theme, w int, focused bool) string {
	var l Line
	l.Start(w)
	f.Draw(&l, t, w, focused)
	return l.End()
}

func TestFieldEditing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, start, keys, want string
	}{
		{"type", "", "a b c", "abc"},
		{"backspace", "abc", "backspace", "ab"},
		{"backspace takes a character as one sees it", "a👨\u200d👩\u200d👧\u200d👦", "backspace", "a"},
		{"and a letter with its marks", "xe\u0301\u0323", "backspace", "x"},
		{"left over a character as one sees it", "a👨\u200d👩\u200d👧\u200d👦b", "left left x", "ax👨\u200d👩\u200d👧\u200d👦b"},
		{"right too", "a🇳🇴b", "home right right x", "a🇳🇴xb"},
		{"delete", "🇳🇴b", "home delete", "b"},
		{"ctrl-d deletes", "ab", "home ctrl+d", "b"},
		{"word back", "create an issue", "alt+b x", "create an xissue"},
		{"word forward", "create an issue", "home alt+f x", "createx an issue"},
		{"delete word", "create an issue", "ctrl+w", "create an "},
		{"delete word behind", "create an issue", "home alt+d", " an issue"},
		{"delete the last letter as a word", "ab", "left alt+d", "a"},
		{"delete a word of nothing", "", "alt+d ctrl+w ctrl+u backspace delete", ""},
		{"delete all before", "create an issue", "ctrl+u", ""},
		{"delete all behind", "create an issue", "home alt+f ctrl+k", "create"},
		{"start and end", "bc", "ctrl+a a ctrl+e d", "abcd"},
		{"keys of others", "ab", "up down tab shift+tab enter esc ctrl+n ctrl+p ctrl+r f1 ctrl+v ctrl+j", "ab"},
		{"alt letters", "ab", "alt+x alt+] alt+1", "ab"},
		{"at the ends", "a", "right right left left left backspace", "a"},
		{"delete a value of JSON", `{"owner":"acme","repo":"site"}`, "ctrl+w", `{"owner":"acme","repo":"`},
		{"and the key before it", `{"owner":"acme","repo":"site"}`, "ctrl+w ctrl+w", `{"owner":"acme","`},
		{"word of JSON back", `{"owner":"acme"}`, "alt+b x", `{"owner":"xacme"}`},
		{"word of JSON forward", `{"owner":"acme"}`, "home alt+f x", `{"ownerx":"acme"}`},
		{"delete JSON forward", `{"owner":"acme"}`, "home alt+d", `":"acme"}`},
		{"no word of JSON", `{}`, "home alt+b ctrl+w end alt+f alt+d", `{}`},
		{"characters as one sees them", `{"städte":"größe"}`, "alt+b x", `{"städte":"xgröße"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := NewField(longestQuery, "")
			if strings.HasPrefix(tt.start, "{") {
				f.BreakWords(`{}[]":,`)
			}
			f.Set(tt.start)
			pressIn(f, strings.Fields(tt.keys)...)
			if f.Value() != tt.want {
				t.Errorf("got %q, want %q", f.Value(), tt.want)
			}
		})
	}
}

func TestFieldTellsWhatItUsed(t *testing.T) {
	t.Parallel()
	f := NewField(longestQuery, "")
	for _, tt := range []struct {
		key           string
		used, changed bool
	}{{"a", true, true}, {"left", true, false}, {"ctrl+n", false, false}, {"up", false, false}, {"alt+x", false, false}, {" ", true, true}} {
		k, _ := keyNamed(tt.key)
		if k.Type == tea.KeySpace {
			k.Runes = []rune{' '}
		}
		if used, changed := f.Key(k); used != tt.used || changed != tt.changed {
			t.Errorf("%q: used %v, changed %v", tt.key, used, changed)
		}
	}
}

func TestFieldPaste(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"plain", "create issue", "create issue"},
		{"lines", "{\n\t\"a\": 1\r\n}", `{ "a": 1 }`},
		{"controls", "a\x1b[31mb\x00c\u009bd", "a[31mbcd"},
		{"direction", "a\u202eb\u2066c\u200b", "abc"},
		{"emoji whole", "👨\u200d👩\u200d👧\u200d👦 🏴\U000e0067\U000e0062\U000e007f", "👨\u200d👩\u200d👧\u200d👦 🏴\U000e0067\U000e0062\U000e007f"},
		{"quit is not pressed", "q", "q"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := NewField(longestQuery, "")
			f.Key(pasted(tt.text))
			if f.Value() != tt.want {
				t.Errorf("got %q, want %q", f.Value(), tt.want)
			}
			f.Set(tt.text)
			if f.Value() != tt.want {
				t.Errorf("Set: got %q, want %q", f.Value(), tt.want)
			}
		})
	}
}

func TestFieldDrawing(t *testing.T) {
	t.Parallel()
	plain := plainTheme()
	f := NewField(longestQuery, "what should it do?")
	if got, want := drawField(f, plain, 12, true), "▏what shoul…"; got != want {
		t.Errorf("empty: %q, want %q", got, want)
	}
	if got, want := drawField(f, plain, 12, false), "what should…"; got != want {
		t.Errorf("empty without focus: %q, want %q", got, want)
	}
	f.Set("issue")
	if got, want := drawField(f, plain, 12, true), "issue▏      "; got != want {
		t.Errorf("plain: %q, want %q", got, want)
	}
	pressIn(f, "left", "left")
	if got, want := drawField(f, plain, 12, true), "iss▏ue      "; got != want {
		t.Errorf("plain, inside: %q, want %q", got, want)
	}
	if got, want := drawField(f, NewTheme(Look{}), 12, true), "iss\x1b[7mu\x1b[0me       "; got != want {
		t.Errorf("reversed: %q, want %q", got, want)
	}
	if got, want := drawField(f, plain, 12, false), "issue       "; got != want {
		t.Errorf("without focus: %q, want %q", got, want)
	}
	f.Set("create a github issue")
	if got := ansi.Strip(drawField(f, plain, 12, true)); !strings.Contains(got, "issue▏") {
		t.Errorf("scrolled to the end: %q", got)
	}
	pressIn(f, "home")
	if got := ansi.Strip(drawField(f, plain, 12, true)); !strings.HasPrefix(got, "▏create") {
		t.Errorf("scrolled to the start: %q", got)
	}
}

// TestFieldIsExact edits anything with any keys and draws it in any width.
func TestFieldIsExact(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "課", "e\u0301", "👨\u200d👩\u200d👧\u200d👦", "🇳🇴", "\u0301", "\ufe0f", "\u200d", " ", "mcp_github", "क्\u200dष", "\x1b", "\u1100", "\U000e0041"}
	names := []string{"left", "right", "home", "end", "backspace", "delete", "alt+b", "alt+f", "ctrl+w", "alt+d", "ctrl+u"}
	themes := []*Theme{plainTheme(), NewTheme(Look{})}
	rapid.Check(t, func(t *rapid.T) {
		f := NewField(80, "text")
		for range rapid.IntRange(0, 25).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "type") {
				f.Key(pasted(rapid.SampledFrom(texts).Draw(t, "text")))
			} else {
				pressIn(f, rapid.SampledFrom(names).Draw(t, "key"))
			}
			if !utf8.ValidString(f.Value()) || f.Value() != f.input.Value() {
				t.Fatalf("value %q", f.Value())
			}
			w := rapid.IntRange(0, 20).Draw(t, "w")
			theme := themes[rapid.IntRange(0, 1).Draw(t, "theme")]
			focused := rapid.Bool().Draw(t, "focused")
			got := drawField(f, theme, w, focused)
			if ansi.StringWidth(got) != w {
				t.Fatalf("%q in %d cells is %q, %d cells", f.Value(), w, got, ansi.StringWidth(got))
			}
			if focused && w >= 6 && (theme.Plain && !strings.Contains(got, "▏") || !theme.Plain && !strings.Contains(got, string(theme.Cursor))) {
				t.Fatalf("%q at %d in %d cells: no cursor in %q", f.Value(), f.at(), w, got)
			}
		}
	})
}

// TestLongPaste shows that the work of a key and of a picture does not grow
// with what was pasted: a megabyte must not freeze the explorer.
func TestLongPaste(t *testing.T) {
	megabyte := strings.Repeat(`{"owner":"acme"} `, 1<<16)[:1<<20]
	f := NewField(longestArguments, "")
	f.Key(pasted(megabyte))
	if f.Value() != megabyte {
		t.Fatalf("%d bytes of %d", len(f.Value()), len(megabyte))
	}
	theme := NewTheme(Look{})
	short := NewField(longestArguments, "")
	short.Set(megabyte[:400])
	for _, keys := range [][]string{{"end"}, {"home"}, {"alt+f"}, {"left"}} {
		pressIn(f, keys...)
		pressIn(short, keys...)
		large := testing.AllocsPerRun(5, func() { drawField(f, theme, 60, true) })
		small := testing.AllocsPerRun(5, func() { drawField(short, theme, 60, true) })
		if large > small+2 {
			t.Errorf("%v: %v allocations to draw a megabyte, %v for 400 bytes", keys, large, small)
		}
	}
	pressIn(f, "ctrl+u", "ctrl+w", "x")
	query := NewField(longestQuery, "")
	query.Key(pasted(megabyte))
	if got := len(query.Value()); got != longestQuery {
		t.Errorf("a query of %d characters, want at most %d", got, longestQuery)
	}
}
