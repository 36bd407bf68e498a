package desk

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func TestSafeCopy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		as      CopyForm
		give    string
		want    string
		removed bool
	}{
		{"a name", CopyLine, "create_issue", "create_issue", false},
		{"a name that ends a paste", CopyLine, "a\x1b[201~\nrm -rf ~\n", "a␛[201~⏎rm -rf ~⏎", true},
		{"a name of several lines", CopyLine, "a\r\nb\rc\td", "a⏎b␍c d", true},
		{"a name with a C1 control and hidden text", CopyLine, "a\u009b201~\u202eb\U000e0041", "a�201~�b�", true},
		{"a name in another script", CopyLine, "創建問題", "創建問題", false},
		{"a text keeps its lines", CopyText, "one\ntwo\n", "one\ntwo\n", false},
		{"a text of another system", CopyText, "one\r\ntwo\r\n", "one\ntwo\n", false},
		{"a text that ends a paste", CopyText, "one\x1b[201~\ntwo\r", "one␛[201~\ntwo␍", true},
		{"a text that is turned around", CopyText, "one\n\u202etwo", "one\n�two", true},
		{"a value", CopyJSON, "{\n  \"a\": \"b <&> é 工\"\n}", "{\n  \"a\": \"b <&> é 工\"\n}", false},
		{"a value that hides text", CopyJSON, "{\"a\": \"\u202e\u009b\x7f\U000e0041\"}", `{"a": "\u202e\u009b\u007f\udb40\udc41"}`, false},
		{"a value with a character that terminals do not agree on", CopyJSON, "{\"工\": \"\ue000\U0010ffff\"}", `{"\u5de5": "\ue000\udbff\udfff"}`, false},
	} {
		if got, removed := SafeToCopy(tc.as, tc.give); got != tc.want || removed != tc.removed {
			t.Errorf("%s: %q, removed %v; want %q, %v", tc.name, got, removed, tc.want, tc.removed)
		}
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
func checkCopy(t interface{ Fatalf(string, ...any) }, as CopyForm, text string) {
	safe, removed := SafeToCopy(as, text)
	for _, r := range safe {
		if acts(r) && (r != '\n' || as == CopyLine) {
			t.Fatalf("%q is copied as %q, which holds %U", text, safe, r)
		}
	}
	if !utf8.ValidString(safe) {
		t.Fatalf("%q is copied as %q, which is not UTF-8", text, safe)
	}
	if again, more := SafeToCopy(as, safe); again != safe || more {
		t.Fatalf("%q copied again is %q", safe, again)
	}
	if !removed && as != CopyJSON && safe != strings.ReplaceAll(text, "\r\n", "\n") {
		t.Fatalf("%q is copied as %q, and that is not reported", text, safe)
	}
	if as != CopyJSON || !json.Valid([]byte(text)) || strings.ContainsAny(text, "\t\r") {
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
		checkCopy(t, CopyLine, text)
		checkCopy(t, CopyText, text)
		value, err := json.Marshal(map[string]string{text: text})
		require.NoError(t, err)
		checkCopy(t, CopyJSON, string(value))
	})
}

func FuzzSafeCopy(f *testing.F) {
	f.Add("a\x1b[201~\nrm -rf ~\n")
	f.Add("{\"a\": \"\u202e\x7f\"}")
	f.Add("e\u0301\u0301\u0301\u0301\u0301\u0301\r\n\u009b0m")
	f.Fuzz(func(t *testing.T, text string) {
		checkCopy(t, CopyLine, text)
		checkCopy(t, CopyText, text)
		checkCopy(t, CopyJSON, text)
	})
}

// TestCopy: what no clipboard takes is written to a file beside the state, which only the
// user can read, made safe as a copy is; without a file it is an error.
func TestCopy(t *testing.T) {
	t.Parallel()
	takes, broken := func(string) error { return nil }, func(string) error { return errors.New("no display") }
	long := strings.Repeat("a", maxOSC52+1)
	for _, tc := range []struct {
		name, text, want string // FILE for the path, which ends there
		clip             Clipper
		state            string // folder of the state
		fails            bool
	}{
		{"no clipboard", "create_issue", "no clipboard: name (12 bytes) is in FILE", Clipper{}, "caliper", false},
		{"the desktop has none", "create_issue", "no clipboard: name (12 bytes) is in FILE", Clipper{Desktop: broken}, "caliper", false},
		{"too long for the terminal", long, "no clipboard: name (75.0 kB) is in FILE", Clipper{Terminal: io.Discard}, "caliper", false},
		{"unsafe", "a\x1b[201~\nb", "no clipboard: name (13 bytes) is in FILE, unsafe characters removed", Clipper{}, "caliper", false},
		{"the terminal takes it", "a", "copied name (1 byte) to the clipboard", Clipper{Terminal: io.Discard, Desktop: broken}, "caliper", false},
		{"the desktop takes it", "a", "copied name (1 byte) to the clipboard", Clipper{Desktop: takes}, "caliper", false},
		{"nothing", "", "copy name: nothing to copy", Clipper{Terminal: io.Discard}, "caliper", true},
		{"no file can be", "a", "no terminal to copy through, and no file: ", Clipper{}, "taken", true},
		{"no way", "a", "copy name: no terminal to copy through", Clipper{}, "", true},
		{"too long, no file", long, "too long for the terminal's clipboard", Clipper{Terminal: io.Discard}, "", true},
		{"no desktop, no file", "a", "no terminal to copy through", Clipper{Desktop: broken}, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "taken"), nil, 0o600))
			file := copyPath(filepath.Join(folder, tc.state, "state.json"))
			if tc.state != "" {
				tc.clip.file = file
			}
			msg := tc.clip.Copy("name", CopyLine, tc.text)().(CopiedMsg)
			words := strings.ReplaceAll(msg.Words(), file, "FILE")
			written := strings.Contains(tc.want, "FILE")
			if msg.Warns() != written || (msg.Err != nil) != tc.fails || words != tc.want && !(tc.fails && strings.Contains(words, tc.want)) {
				t.Errorf("%q, %+v, want %q", words, msg, tc.want)
			}
			data, err := os.ReadFile(file)
			if want, _ := SafeToCopy(CopyLine, tc.text); written != (err == nil) || written && string(data) != want {
				t.Errorf("the file holds %q, %v", data, err)
			}
			if info, err := os.Stat(file); written && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("the file has mode %v: %v", info.Mode(), err)
			}
		})
	}
}

// A picture is always in its own file, and in a clipboard when one takes it.
func TestSave(t *testing.T) {
	t.Parallel()
	takes, broken := func(string) error { return nil }, func(string) error { return errors.New("no display") }
	for _, tc := range []struct {
		name, text, want string
		clip             Clipper
		kept, fails      bool
	}{
		{"no clipboard", "<svg/>", "screen (6 bytes) is in FILE", Clipper{Desktop: broken}, true, false},
		{"too long for the terminal", strings.Repeat("a", maxOSC52+1), "screen (75.0 kB) is in FILE", Clipper{Terminal: io.Discard}, true, false},
		{"the desktop takes it", "<svg/>", "screen (6 bytes) is in FILE, and copied", Clipper{Desktop: takes}, true, false},
		{"unsafe", "<svg>\x1b[201~</svg>", "screen (19 bytes) is in FILE, unsafe characters removed", Clipper{}, true, false},
		{"no file", "<svg/>", "copied screen (6 bytes) to the clipboard", Clipper{Desktop: takes}, false, false},
		{"neither", "<svg/>", "copy screen: no terminal to copy through", Clipper{}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			file := filepath.Join(folder, "screen.svg")
			if tc.kept {
				tc.clip.file = copyPath(filepath.Join(folder, "state.json"))
			}
			msg := tc.clip.Save("screen", "screen.svg", func() []byte { return []byte(tc.text) })().(CopiedMsg)
			if words := strings.ReplaceAll(msg.Words(), file, "FILE"); words != tc.want || (msg.Err != nil) != tc.fails {
				t.Errorf("%q, want %q", words, tc.want)
			}
			data, err := os.ReadFile(file)
			if want, _ := SafeToCopy(CopyText, tc.text); tc.kept && string(data) != want || tc.kept != (err == nil) {
				t.Errorf("the file holds %.50q, %v", data, err)
			}
			if info, err := os.Stat(file); tc.kept && (err != nil || info.Mode().Perm() != 0o600) {
				t.Errorf("the file has mode %v: %v", info.Mode(), err)
			}
		})
	}
}

// A text sent to a terminal that ignores it is lost, so that it goes to the file.
func TestTerminalsWithoutOSC52(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		term, program string
		takes         bool
	}{
		{"xterm-256color", "", true}, {"tmux-256color", "tmux", true}, {"", "", true},
		{"linux", "", false}, {"dumb", "", false}, {"xterm-256color", "Apple_Terminal", false},
	} {
		env := map[string]string{"TERM": tc.term, "TERM_PROGRAM": tc.program}
		c := NewClipper(io.Discard, filepath.Join(t.TempDir(), "state.json"), func(name string) string { return env[name] })
		c.Desktop = nil
		if msg := c.Copy("name", CopyLine, "a")().(CopiedMsg); (msg.file == "") != tc.takes || msg.Err != nil {
			t.Errorf("%s %s: %q", tc.term, tc.program, msg.Words())
		}
	}
}

// TestTmux: within tmux a text goes to tmux and not by OSC 52; a tmux that does not take
// it is no clipboard, so that the file has the text.
func TestTmux(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	got := filepath.Join(dir, "got")
	script := "#!/bin/sh\n[ \"$1 $2 $3\" = 'load-buffer -w -' ] || exit 2\ncat > '" + got + "'\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	env := func(name string) string { return map[string]string{"TMUX": "/tmp/tmux", "TERM": "tmux-256color"}[name] }
	c := NewClipper(io.Discard, filepath.Join(dir, "state.json"), env)
	if c.Terminal != nil {
		t.Error("OSC 52 is sent")
	}
	c.Desktop = throughTmux(nil)
	if msg := c.Copy("name", CopyLine, "a tool")().(CopiedMsg); msg.Err != nil || msg.file != "" {
		t.Errorf("%+v", msg)
	}
	if data, _ := os.ReadFile(got); string(data) != "a tool" {
		t.Errorf("tmux has %q", data)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmux"), []byte("#!/bin/sh\nexit 1\n"), 0o700))
	if msg := c.Copy("name", CopyLine, "a tool")().(CopiedMsg); msg.Err != nil || msg.file == "" {
		t.Errorf("tmux refuses: %+v", msg)
	}
	if err := throughTmux(func(string) error { return nil })("x"); err != nil {
		t.Errorf("the desktop takes it: %v", err)
	}
	if err := throughTmux(func(string) error { return errors.New("none") })("x"); err == nil {
		t.Error("nobody takes it, and that is no error")
	}
}
