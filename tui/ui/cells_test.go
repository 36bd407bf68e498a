package ui

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	_ "caliper/model/require"
)

func TestClean(t *testing.T) {
	heap := "e" + strings.Repeat("\u0301", 60)
	tests := []struct{ name, s, want string }{
		{"ascii", "plain text", "plain text"},
		{"kept whole", "naïve 課題 👨\u200d👩\u200d👧\u200d👦 🇳🇴 ❤️", "naïve 課題 👨\u200d👩\u200d👧\u200d👦 🇳🇴 ❤️"},
		{"persian joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"escape", "a\x1b[2Jb", "a?[2Jb"},
		{"bell and delete", "\a\x7f", "??"},
		{"c1", "\u0085\u009b", "??"},
		{"raw c1 byte", "\x9b2J", "?2J"},
		{"turned round", "\u202eevil\u2066", "?evil?"},
		{"joiner of nothing", "\u200dx", "?x"},
		{"selector of nothing", "x\ufe0fy", "xy"},
		{"selector of a box", "│\ufe0fx│\u0301", "│\ufe0fx│\u0301"},
		{"separators", "a\u2028b\u2029c", "a?b?c"},
		{"tags of nothing", "a\U000e0041b", "a?b"},
		{"heap of marks", heap, "e?"},
		{"swallows the next", "\u06dd1", "?1"},
		{"noncharacter", "\ufdd0", "?"},
		{"real replacement character", "\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		if got := Clean(tt.s); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.name, tt.s, got, tt.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		name, s string
		w       int
		want    string
	}{
		{"fits", "issue", 5, "issue"},
		{"cut", "issues", 5, "issu…"},
		{"one cell", "issues", 1, "…"},
		{"no cell", "issues", 0, ""},
		{"negative", "issues", -3, ""},
		{"wide fits", "課題", 4, "課題"},
		{"wide leaves a gap", "課題課", 5, "課題…"},
		{"wide cut", "課題課", 4, "課…"},
		{"wide in one cell", "課", 1, "…"},
		{"mark stays with its letter", "cafe\u0301s", 4, "caf…"},
		{"mark at the end fits", "cafe\u0301", 4, "cafe\u0301"},
		{"trailing spaces are no loss", "abc   ", 3, "abc"},
		{"control", "a\x1bbc", 3, "a?…"},
	}
	for _, tt := range tests {
		if got := Truncate(tt.s, tt.w); got != tt.want {
			t.Errorf("%s: Truncate(%q, %d) = %q, want %q", tt.name, tt.s, tt.w, got, tt.want)
		}
	}
}

func TestTruncateReadsOnlyWhatItNeeds(t *testing.T) {
	huge := strings.Repeat("long description ", 1<<16)
	small := testing.AllocsPerRun(20, func() { Truncate(huge[:100], 80) })
	large := testing.AllocsPerRun(20, func() { Truncate(huge, 80) })
	if large > small {
		t.Errorf("%v allocations for a megabyte, %v for 100 bytes", large, small)
	}
}

// nasty draws text from everything that has ever broken a row.
func nasty() *rapid.Generator[string] {
	pieces := []string{
		"a", "Z", " ", "issue", "_", "课", "題", "ｱ", "é", "e\u0301", "\u0301", "\u0308\u0323", "…", "│", "█",
		"👩", "👨\u200d👩\u200d👧\u200d👦", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇳", "🇳🇴", "❤️", "\ufe0f", "\ufe0e", "\u200d", "\u200c", "\u200b",
		"\x1b", "\x1b[31m", "\x1b]52;c;eA==\a", "\x00", "\t", "\n", "\r", "\x7f", "\u009b", "\u0090", "\x9b", "\xff", "\xf0\x9f",
		"\u202e", "\u2066", "\u061c", "\ufeff", "\u00ad", "\u0600", "\u0d4e", "\u1100", "\u1160", "\u11a8", "가", "क्\u200dष", "ก็", "نص", "\u115f", "\U0001f3fd", "\u20e3", "\u2028", "\ue0b0",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(0, 4, 12)), 0, 14).Draw(t, "pieces"), "")
	})
}

// harmless fails if s holds a control other than SGR, or bytes that are not
// UTF-8.
func harmless(t interface{ Fatalf(string, ...any) }, s string) {
	text := s
	for i := 0; i < len(text); {
		if n := sgr(text[i:]); n > 0 {
			text = text[:i] + text[i+n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && n == 1 {
			t.Fatalf("control %U in %q", r, s)
		}
		i += n
	}
}

func TestWidthsAreThoseOfTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		clean := Clean(s)
		harmless(t, clean)
		if got, want := Width(s), ansi.StringWidth(clean); got != want {
			t.Fatalf("Width(%q) = %d, the terminal draws %q in %d", s, got, clean, want)
		}
		if again := Clean(clean); again != clean {
			t.Fatalf("Clean(%q) = %q, and again %q", s, clean, again)
		}
	})
}

func TestTruncateAndPadAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := nasty().Draw(t, "s"), rapid.IntRange(-2, 30).Draw(t, "w")
		cut := Truncate(s, w)
		harmless(t, cut)
		if got := ansi.StringWidth(cut); got > max(w, 0) {
			t.Fatalf("Truncate(%q, %d) = %q, %d cells", s, w, cut, got)
		}
		if w > 0 && Width(s) <= w && cut != Clean(s) {
			t.Fatalf("Truncate(%q, %d) = %q, though it fits", s, w, cut)
		}
		for _, padded := range []string{Pad(s, w), PadLeft(s, w)} {
			harmless(t, padded)
			if got := ansi.StringWidth(padded); got != max(w, 0) {
				t.Fatalf("padding %q to %d = %q, %d cells", s, w, padded, got)
			}
		}
	})
}

func TestWrapText(t *testing.T) {
	tests := []struct {
		name, s string
		w       int
		want    []string
	}{
		{"empty", "", 10, nil},
		{"no room", "text", 0, nil},
		{"one line", "create issue", 12, []string{"create issue"}},
		{"between words", "create an issue", 9, []string{"create an", "issue"}},
		{"break falls on the space", "create an issue", 10, []string{"create an", "issue"}},
		{"several spaces", "create     issue", 8, []string{"create", "issue"}},
		{"long word", "mcp_github_create", 6, []string{"mcp_gi", "thub_c", "reate"}},
		{"long word after a short one", "a mcp_github", 6, []string{"a", "mcp_gi", "thub"}},
		{"newlines", "one\n\ntwo\r\nthree", 10, []string{"one", "", "two", "three"}},
		{"trailing newline", "one\n", 10, []string{"one", ""}},
		{"indented", "- one\n  two", 10, []string{"- one", "  two"}},
		{"indented and broken", "  one two", 6, []string{"  one", "two"}},
		{"only spaces", "      ", 4, []string{"    ", ""}},
		{"wide", "課題を作る", 5, []string{"課題", "を作", "る"}},
		{"wide in one cell", "課a", 1, []string{"…", "a"}},
		{"mark stays", "cafe\u0301s", 4, []string{"cafe\u0301", "s"}},
		{"control", "a\x1b b", 2, []string{"a?", "b"}},
	}
	for _, tt := range tests {
		if got := Wrap(tt.s, tt.w); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Wrap(%q, %d) = %q, want %q", tt.name, tt.s, tt.w, got, tt.want)
		}
	}
}

func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := nasty().Draw(t, "s"), rapid.IntRange(2, 20).Draw(t, "w")
		lines := Wrap(s, w)
		for _, line := range lines {
			harmless(t, line)
			if got := ansi.StringWidth(line); got > w {
				t.Fatalf("Wrap(%q, %d): %q has %d cells", s, w, line, got)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "", "\r", "")
		var paragraphs []string
		for p := range strings.SplitSeq(s, "\n") {
			paragraphs = append(paragraphs, Clean(strings.TrimSuffix(p, "\r")))
		}
		got, want := squeeze.Replace(strings.Join(lines, "")), squeeze.Replace(strings.Join(paragraphs, ""))
		if got != want {
			t.Fatalf("Wrap(%q, %d) = %q: text was lost or added", s, w, lines)
		}
	})
}

func TestFitName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		w          int
		want       string
	}{
		{"fits", "mcp_forge_create_issue", 22, "mcp_forge_create_issue"},
		{"loses the first word", "mcp_forge_create_issue", 21, "forge…create_issue"},
		{"and most of the server", "mcp_forge_create_issue", 15, "fo…create_issue"},
		{"all of the server", "mcp_forge_create_issue", 13, "…create_issue"},
		{"only the tool", "mcp_forge_create_issue", 12, "create_issue"},
		{"and then of the tool", "mcp_forge_create_issue", 11, "creat…issue"},
		{"no MCP tool", "browser_take_screenshot", 15, "browser…eenshot"},
		{"nothing behind the server", "mcp_a_very_long_server_", 12, "very_…erver_"},
		{"only a server", "mcp_averylongserver", 12, "mcp_a…server"},
		{"no room to tell anything", "mcp_forge_create_issue", 7, "mcp_forge_create_issue"},
	}
	for _, tt := range tests {
		if got := FitName(tt.text, tt.w); got != tt.want {
			t.Errorf("%s: %q in %d cells is %q, want %q", tt.name, tt.text, tt.w, got, tt.want)
		}
	}
}

// A name that is cut has at most the cells that it may have.
func TestFitNameFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`(mcp_)?[a-z_日]{0,40}`).Draw(t, "name")
		w := rapid.IntRange(8, 50).Draw(t, "w")
		if got := FitName(name, w); Width(got) > w {
			t.Fatalf("%q in %d cells is %q", name, w, got)
		}
	})
}

func TestFlowLosesNothing(t *testing.T) {
	t.Parallel()
	group := []Phrase{{Style: "", Text: "below the limit"}, {Style: "", Text: "rank 8"}, {Style: "", Text: "2.795"}, {Style: "", Text: "0.909 below the cut line"}}
	for w := 8; w < 100; w++ {
		lines := Flow(w, 1, group, []Phrase{{Style: "", Text: "limit 8"}, {Style: "", Text: "rank 8"}}, []Phrase{{Style: "", Text: "query + summarise"}, {Style: "", Text: "rank 1"}})
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if want := "below the limit rank 8 2.795 0.909 below the cut line limit 8 rank 8 query + summarise rank 1"; text != want && w > 10 {
			t.Errorf("%d cells: %q", w, text)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != w {
				t.Errorf("a line of %d cells, want %d: %q", got, w, line)
			}
		}
	}
	if got := Flow(60, 1, group, group); len(got) != 2 {
		t.Errorf("%d lines: %q", len(got), got)
	}
}
