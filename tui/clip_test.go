package tui

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/tui/demo"
)

func TestSafeCopy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		as      form
		give    string
		want    string
		removed bool
	}{
		{"a name", formLine, "create_issue", "create_issue", false},
		{"a name that ends a paste", formLine, "a\x1b[201~\nrm -rf ~\n", "a␛[201~⏎rm -rf ~⏎", true},
		{"a name of several lines", formLine, "a\r\nb\rc\td", "a⏎b␍c d", true},
		{"a name with a C1 control and hidden text", formLine, "a\u009b201~\u202eb\U000e0041", "a�201~�b�", true},
		{"a name in another script", formLine, "創建問題", "創建問題", false},
		{"a text keeps its lines", formText, "one\ntwo\n", "one\ntwo\n", false},
		{"a text of another system", formText, "one\r\ntwo\r\n", "one\ntwo\n", false},
		{"a text that ends a paste", formText, "one\x1b[201~\ntwo\r", "one␛[201~\ntwo␍", true},
		{"a text that is turned around", formText, "one\n\u202etwo", "one\n�two", true},
		{"a value", formJSON, "{\n  \"a\": \"b <&> é 工\"\n}", "{\n  \"a\": \"b <&> é 工\"\n}", false},
		{"a value that hides text", formJSON, "{\"a\": \"\u202e\u009b\x7f\U000e0041\"}", `{"a": "\u202e\u009b\u007f\udb40\udc41"}`, false},
		{"a value with a character that terminals do not agree on", formJSON, "{\"工\": \"\ue000\U0010ffff\"}", `{"\u5de5": "\ue000\udbff\udfff"}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, removed := safeCopy(tc.as, tc.give); got != tc.want || removed != tc.removed {
				t.Errorf("%q, removed %v; want %q, %v", got, removed, tc.want, tc.removed)
			}
		})
	}
}

// acts reports whether a character acts on a terminal or hides in it. It is
// kept apart from the code that keeps such characters out on purpose.
func acts(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029 ||
		r == 0x200b || r == 0x200e || r == 0x200f || r == 0xfeff || r >= 0xe0000 && r <= 0xe0fff
}

// checkCopy fails when a copy could act on what it is pasted into, is no line
// although it should be one, or is another value than what was copied.
func checkCopy(t interface{ Fatalf(string, ...any) }, as form, text string) {
	safe, removed := safeCopy(as, text)
	for _, r := range safe {
		if acts(r) && (r != '\n' || as == formLine) {
			t.Fatalf("%q is copied as %q, which holds %U", text, safe, r)
		}
	}
	if !utf8.ValidString(safe) {
		t.Fatalf("%q is copied as %q, which is not UTF-8", text, safe)
	}
	if again, more := safeCopy(as, safe); again != safe || more {
		t.Fatalf("%q copied again is %q", safe, again)
	}
	if !removed && as != formJSON && safe != strings.ReplaceAll(text, "\r\n", "\n") {
		t.Fatalf("%q is copied as %q, and that is not reported", text, safe)
	}
	if as != formJSON || !json.Valid([]byte(text)) || strings.ContainsAny(text, "\t\r") {
		return
	}
	var want, got any
	if json.Unmarshal([]byte(text), &want) != nil {
		return // a number too large
	}
	if err := json.Unmarshal([]byte(safe), &got); err != nil {
		t.Fatalf("%q is copied as %q: %v", text, safe, err)
	}
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if string(a) != string(b) || removed {
		t.Fatalf("%q is copied as %q, another value", text, safe)
	}
}

func TestSafeCopyProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\n\r\t\x1b[201~\u009b\u202e\u2066\u200d\ufe0f\U000e0041\ue000e\u0301")))).Draw(t, "text")
		checkCopy(t, formLine, text)
		checkCopy(t, formText, text)
		value, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		checkCopy(t, formJSON, string(value))
	})
}

func FuzzSafeCopy(f *testing.F) {
	f.Add("a\x1b[201~\nrm -rf ~\n")
	f.Add("{\"a\": \"\u202e\x7f\"}")
	f.Add("e\u0301\u0301\u0301\u0301\u0301\u0301\r\n\u009b0m")
	f.Fuzz(func(t *testing.T, text string) {
		checkCopy(t, formLine, text)
		checkCopy(t, formText, text)
		checkCopy(t, formJSON, text)
	})
}

// TestCopyOfHostileNames copies everything that can be copied of a tool whose
// every text attacks whoever pastes it.
func TestCopyOfHostileNames(t *testing.T) {
	t.Parallel()
	const attack = "\x1b[201~\nrm -rf ~\n\u202e\u009b31m\u2066"
	data, err := json.Marshal([]any{map[string]any{"type": "function", "function": map[string]any{
		"name": "create_branch" + attack, "description": "create a branch" + attack,
		"parameters": map[string]any{"type": "object", "properties": map[string]any{"branch" + attack: map[string]any{"type": "string", "description": attack}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name    string
		keys    []string
		line    bool
		removed bool
	}{
		{"name", []string{"y", "n"}, true, true},
		{"schema", []string{"y", "s"}, false, false},
		{"call", []string{"y", "c"}, true, false},
		{"what the model sees", []string{"y", "m"}, false, false},
		{"repro", []string{"y", "r"}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			opt := testOptions(data, demo.Config())
			opt.Query = "create branch"
			d := startExplorer(t, opt, 120, 36)
			var terminal copying
			var native string
			d.app().clip = clipper{terminal: io.Writer(&terminal), native: func(text string) error { native = text; return nil }}
			d.Press("tab").Press(tc.keys...).wants("copied")
			if strings.Contains(d.Screen(), "unsafe characters removed") != tc.removed {
				t.Errorf("the notice says that something was removed: %v\n%s\n%q", !tc.removed, d.Screen(), native)
			}
			if text := terminal.text(t); text != native {
				t.Errorf("the terminal is given %q, the desktop %q", text, native)
			}
			for _, r := range native {
				if acts(r) && (r != '\n' || tc.line) {
					t.Errorf("%U is copied: %q", r, native)
				}
			}
			if !strings.Contains(native, "create_branch") {
				t.Errorf("another thing was copied: %q", native)
			}
			if strings.HasPrefix(native, "{") && !json.Valid([]byte(native)) {
				t.Errorf("no JSON: %s", native)
			}
		})
	}
}

// TestCopyToAFile: what no clipboard takes is written to a file beside the
// state, which only the user can read, made safe as a copy is.
func TestCopyToAFile(t *testing.T) {
	t.Parallel()
	broken := func(string) error { return errors.New("no display") }
	long := strings.Repeat("a", maxOSC52+1)
	for _, tc := range []struct {
		name, text, want string
		clip             clipper
		level            level
	}{
		{"no clipboard", "create_issue", "no clipboard: name (12 bytes) is in FILE", clipper{}, levelWarn},
		{"the desktop has none", "create_issue", "no clipboard: name (12 bytes) is in FILE", clipper{native: broken}, levelWarn},
		{"too long for the terminal", long, "no clipboard: name (75.0 kB) is in FILE", clipper{terminal: io.Discard}, levelWarn},
		{"unsafe", "a\x1b[201~\nb", "no clipboard: name (13 bytes) is in FILE, unsafe characters removed", clipper{}, levelWarn},
		{"the terminal takes it", "a", "copied name (1 byte)", clipper{terminal: io.Discard, native: broken}, levelOk},
		{"the desktop takes it", "a", "copied name (1 byte)", clipper{native: func(string) error { return nil }}, levelOk},
		{"nothing", "", "copy name: nothing to copy", clipper{}, levelBad},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := copyPath(filepath.Join(t.TempDir(), "caliper", "state.json"))
			tc.clip.file = file
			level, words := tc.clip.copy("name", formLine, tc.text)().(copiedMsg).words()
			if words = strings.ReplaceAll(words, file, "FILE"); level != tc.level || words != tc.want {
				t.Errorf("%v: %q, want %q", level, words, tc.want)
			}
			data, err := os.ReadFile(file)
			if !strings.Contains(tc.want, "FILE") {
				if err == nil {
					t.Errorf("it is written to a file too: %q", data)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := safeCopy(formLine, tc.text); string(data) != want {
				t.Errorf("the file holds %q, want %q", data, want)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the file has mode %v: %v", info.Mode(), err)
			}
		})
	}
}

func TestCopyToAFileThatCannotBe(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "caliper")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	clip := clipper{file: filepath.Join(folder, "copied.txt")}
	level, words := clip.copy("name", formLine, "a")().(copiedMsg).words()
	if level != levelBad || !strings.Contains(words, "no terminal to copy through, and no file: ") {
		t.Errorf("%v: %q", level, words)
	}
}

// TestCopyIsWrittenBesideTheState goes the whole way from the key.
func TestCopyIsWrittenBesideTheState(t *testing.T) {
	t.Parallel()
	for _, kept := range []bool{true, false} {
		opt := testOptions(demo.Registry(), demo.Config())
		opt.Query = "create issue"
		folder := t.TempDir()
		if kept {
			opt.StatePath = filepath.Join(folder, "state.json")
		}
		d := startExplorer(t, opt, 120, 36)
		d.app().clip.native = nil
		d.Press("tab", "y", "n")
		data, err := os.ReadFile(filepath.Join(folder, "copied.txt"))
		if kept != (err == nil) || kept && string(data) != d.app().selected().Qualified {
			t.Errorf("a state is kept: %v; the file holds %q, %v", kept, data, err)
		}
		if kept {
			d.wants("warning: no clipboard: name (")
		} else {
			d.wants("error: copy name: no terminal to copy through")
		}
	}
}

func TestCopyFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, want string
		clip             clipper
	}{
		{"nothing", "", "copy name: nothing to copy", clipper{terminal: io.Discard}},
		{"no way", "a", "copy name: no terminal to copy through", clipper{}},
		{"too long", strings.Repeat("a", maxOSC52+1), "too long for the terminal's clipboard", clipper{terminal: io.Discard}},
		{"the desktop has none", "a", "no terminal to copy through", clipper{native: func(string) error { return errors.New("no display") }}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			level, words := tc.clip.copy("name", formLine, tc.text)().(copiedMsg).words()
			if level != levelBad || !strings.Contains(words, tc.want) {
				t.Errorf("%v: %q, want %q", level, words, tc.want)
			}
		})
	}
}
