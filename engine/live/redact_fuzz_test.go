package live

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"caliper/model/require"
	"caliper/model/safetext"
)

// shownInfo returns user information that stands in a text to be shown.
func shownInfo(text string) string {
	for _, s := range userInfos(text) {
		if info := text[s.from:s.to]; info != withheld {
			return info
		}
	}
	return ""
}

// isPlain reports whether a secret is one that cleaning a text leaves as it is.
func isPlain(secret string) bool {
	return plain(secret) == secret && safetext.Line(secret) == secret && !strings.Contains(withheld, secret) && !strings.Contains(secret, "[withheld")
}

// Neither a secret nor the user information of an address is in the shown part
// of a text, however it is cut, and cleaning twice is cleaning once.
func FuzzRedactor(f *testing.F) {
	f.Add("sesame", "a %53esame b\x1b[1mses\u200bame http://u:p@h", 3)
	f.Add("p@ss", "http://u:p%40ss@h/?x=1 postgres:\\/\\/u:p@h", 9)
	f.Add("[with", "[withheld]", 0)
	f.Add("aaaa", "aaaaaaaaa", 5)
	f.Fuzz(func(t *testing.T, secret, text string, cut int) {
		r := newRedactor([]string{secret})
		at := min(max(cut, 0), len(text))
		text = text[:at] + secret + text[at:]
		message := r.message(text)
		x := &tail{redactor: r}
		_, _ = x.Write([]byte(text[:at]))
		_, _ = x.Write([]byte(text[at:]))
		quotation, err := strconv.Unquote(r.quotation([]byte(text)))
		require.NoError(t, err)
		for name, got := range map[string]string{"message": message, "quotation": quotation, "tail": x.String()} {
			if info := shownInfo(got); info != "" {
				t.Fatalf("%s shows the user information %q: %q", name, info, got)
			}
			between := strings.ReplaceAll(got, withheld, "\x00")
			if len(secret) >= shortestSecret && isPlain(secret) && strings.Contains(lowerASCII(between), lowerASCII(secret)) {
				t.Fatalf("%s shows %q: %q", name, secret, got)
			}
		}
		if again := r.message(message); again != message {
			t.Fatalf("%q becomes %q", message, again)
		}
		if strings.ContainsFunc(message, unicode.IsControl) {
			t.Fatalf("%q has control characters", message)
		}
	})
}

// The arguments of a command are shown one for one, without values marked as a
// secret and without user information of addresses.
func FuzzShownArgs(f *testing.F) {
	f.Add("-y\n--proxy=http://u:p@h\n--header\nX: y", "sesame")
	f.Add("-e\nNAME=value\nhttp://h?a=b#c", "--a=b")
	f.Add("--key", "k=v")
	f.Fuzz(func(t *testing.T, lines, secret string) {
		args := strings.Split(lines, "\n")
		shown, _ := shownArgs(args)
		if len(shown) != len(args) {
			t.Fatalf("%q is shown as %q", args, shown)
		}
		for _, a := range shown {
			if len(userInfos(a)) > 0 {
				t.Fatalf("%q is shown as %q", args, shown)
			}
		}
		if again, _ := shownArgs(shown); !slices.Equal(again, shown) {
			t.Fatalf("%q becomes %q", shown, again)
		}
		if len(secret) < shortestSecret || strings.ContainsFunc(secret, endsAddress) || strings.ContainsAny(secret, "$@/?#%\\=: -") {
			return
		}
		marked := []string{"--api-key", secret, "--token=" + secret, "NAME=" + secret, "-e", "X=" + secret, "http://u:" + secret + "@h", "http://h?k=" + secret}
		shown, secrets := shownArgs(marked)
		if text := strings.Join(shown, "\n"); strings.Contains(text, secret) && !strings.Contains("--api-key\n--token=…NAME=…-eX=…http://h?k=…", secret) {
			t.Fatalf("%q is shown in %q", secret, text)
		}
		if !slices.Contains(secrets, secret) {
			t.Fatalf("%q would not be withheld: %q", secret, secrets)
		}
	})
}

// Braces name variables or stand for themselves; nothing else of a text
// changes.
func FuzzExpandBraces(f *testing.F) {
	for _, seed := range []string{"${A}", "a${A:-b}c", "${env:A}${input:x y}${", "$${A}}", "${A:-${B}}", "${/}", "${}", "${1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const mark = "\x00\x01"
		asked := 0
		got := expandBraces(text, func(name, fallback string, has bool) string {
			asked++
			if name == "" || strings.ContainsAny(name, "}") || !has && fallback != "" {
				t.Fatalf("asked for %q, %q", name, fallback)
			}
			if id, ok := strings.CutPrefix(name, "input:"); !isVariable(name) && (!ok || id == "") {
				t.Fatalf("asked for %q", name)
			}
			return mark
		})
		if !strings.Contains(text, "${") && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
		if asked == 0 && !strings.Contains(text, "${/}") && !strings.Contains(text, "${pathSeparator}") && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
		if !strings.Contains(text, mark) && strings.Count(got, mark) != asked {
			t.Fatalf("%q: %d values in %q", text, asked, got)
		}
		// Variables that stand for themselves leave the text as it is.
		same := expandBraces(text, func(name, fallback string, has bool) string {
			if has {
				name += ":-" + fallback
			}
			return "${" + name + "}"
		})
		if same != text && !strings.Contains(text, "${env:") && !strings.Contains(text, "${/") && !strings.Contains(text, "${pathSeparator") {
			t.Fatalf("%q becomes %q", text, same)
		}
	})
}
