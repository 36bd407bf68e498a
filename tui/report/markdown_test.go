package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/engine"
	"caliper/engine/lint"
	"caliper/engine/selection"
	"caliper/model/require"
	"caliper/model/safetext"
	"caliper/tui/workbench"

	"pgregory.net/rapid"
)

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"":            "",
		"plain":       "`plain`",
		"a`b":         "``a`b``",
		"a``b`c":      "```a``b`c```",
		"`":           "`` ` ``",
		"`a":          "`` `a ``",
		" a ":         "`  a  `",
		" a":          "` a`",
		"a\nb\tc":     "`a⏎b c`",
		"\x1b[2J\x00": "`␛[2J␀`",
		"\u202eb":     "`�b`",
		"<b> & @you":  "`<b> & @you`",
	} {
		if got := new(markdown).code(text, maxCode); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := new(markdown).code(strings.Repeat("ä", maxCode+1), maxCode); got != "`"+strings.Repeat("ä", maxCode)+"… (121 characters in all)`" {
		t.Error(got)
	}
}

// TestRemoved: a report knows whether characters were replaced, wherever the
// text stands, and does not count how its lines are set apart.
func TestRemoved(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "a b": false, "a\r\nb\tc\n": false, "創建 é": false, "␛␀": false,
		"a\x1b[2J": true, "\u202eb": true, "\x00": true, strings.Repeat("a", maxBlock) + "\x1b": true,
	} {
		for name, write := range map[string]func(*Report){
			"paragraph": func(r *Report) { r.Say("See %s.", Name(text)) },
			"list":      func(r *Report) { r.List(Name("plain"), Name(text)) },
			"table":     func(r *Report) { t := Columns("", ""); t.Row("7", Name(text)); r.Table(t) },
			"fence":     func(r *Report) { r.Fence("x", text) },
			"quote":     func(r *Report) { r.Quote(text) },
		} {
			r := new(Report)
			write(r)
			if out, removed := r.Markdown(); removed != want {
				t.Errorf("%s of %.20q: removed %v, %q", name, text, removed, out)
			}
		}
	}
}

func TestFence(t *testing.T) {
	for text, want := range map[string]string{
		"":              "```x\n\n```\n",
		"a":             "```x\na\n```\n",
		"a\n":           "```x\na\n```\n",
		"a\r\n```\n# b": "````x\na\n```\n# b\n````\n",
		"`````":         "``````x\n`````\n``````\n",
		"~~~\n\x1b[2J":  "```x\n~~~\n␛[2J\n```\n",
	} {
		d := new(Report)
		if d.Fence("x", text); md(d) != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, md(d), want)
		}
	}
}

// A row of hostile cells has as many cells, and each is read back.
func TestRowsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("`|\\ \n\r\tab<>&@#*_[]()!~-\x1b\u202e\u2028é課")))
		cells := []Text{Name(text.Draw(t, "first")), TextOf(7), Name(text.Draw(t, "second"))}
		var m markdown
		m.row(cells)
		got := splitRow(t, strings.TrimSuffix(m.b.String(), "\n"))
		if len(got) != len(cells) {
			t.Fatalf("%d cells of %d: %q", len(got), len(cells), m.b.String())
		}
		for i := range got {
			if want := strings.TrimSpace(m.text(cells[i])); got[i] != want {
				t.Fatalf("cell %d is %q, want %q", i, got[i], want)
			}
			isCode(t, got[i])
		}
	})
}

// splitRow returns the cells of a table row as GFM reads them: a pipe ends a
// cell unless a backslash is before it, which is taken away.
func splitRow(t rapid.TB, line string) []string {
	t.Helper()
	if strings.Contains(line, "\n") || !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") {
		t.Fatalf("not a row: %q", line)
	}
	var cells []string
	cell := ""
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] != '|':
			cell += line[i : i+1]
		case line[i-1] == '\\':
			cell = cell[:len(cell)-1] + "|"
		default:
			cells = append(cells, strings.Trim(cell, " "))
			cell = ""
		}
	}
	return cells
}

// isCode fails unless a cell is of our own words and numbers, or wholly code:
// the first run of backticks that is as long as the opening one ends it.
func isCode(t rapid.TB, cell string) {
	t.Helper()
	if !strings.HasPrefix(cell, "`") {
		if strings.Trim(cell, "0123456789.-−() _%=█░▲▼ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
			t.Fatalf("markup in %q", cell)
		}
		return
	}
	opening := len(cell) - len(strings.TrimLeft(cell, "`"))
	for i := opening; i < len(cell); {
		run := len(cell[i:]) - len(strings.TrimLeft(cell[i:], "`"))
		if run == opening && i+run < len(cell) {
			t.Fatalf("code ends early in %q", cell)
		}
		if run == opening {
			return
		}
		i += max(run, 1)
	}
	t.Fatalf("code without an end: %q", cell)
}

// spell writes text as a JSON string, which is YAML too.
func spell(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(string(b), "\u009b", `\u009b`)
}

// Whatever a registry, a config, a query or arguments hold, a repro has the
// lines that it has for harmless text, but for the contents of fences, nothing
// in it acts on a terminal, and it fits into an issue.
func TestHostileTextStaysText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom(append(strings.Split("`|\\ \rab<>@#*[]()!~'\"$-\x1b\u009b\u202e\u2028課", ""), "\n", "\n", "\n```\n", "\n````\n", "``", "\n# ", "--- |\n"))
		text := rapid.Map(rapid.SliceOfN(piece, 1, 40), func(pieces []string) string { return strings.Join(pieces, "") })
		name, toolset := "x"+text.Draw(t, "name"), "x"+text.Draw(t, "toolset")
		registry := fmt.Sprintf(`[{"type":"function","toolset":%s,"function":{"name":%s,"description":%s}},
			{"type":"function","toolset":%s,"function":{"name":"ab","description":"ab ab"}}]`,
			spell(toolset), spell(name), spell("ab "+text.Draw(t, "description")), spell(toolset))
		session := "x" + text.Draw(t, "session")
		settings := fmt.Sprintf(`{"tools":{"tool_search":{"enabled":"on","search_default_limit":1},"core":[%s]},"sessions":{%s:{"enabled_toolsets":[%s,%[3]s]}},"policy":[{"match":%[1]s,"action":"deny"}]}`,
			spell("x"+text.Draw(t, "core")), spell(session), spell(toolset))
		c := on(t, registry, settings, "")
		c.Program = text.Draw(t, "program")
		c.Edited = []workbench.Edit{{Tool: name, Description: text.Draw(t, "edited")}}
		c.Tried = []Tried{{text.Draw(t, "key"), text.Draw(t, "was"), text.Draw(t, "now")}}
		query := text.Draw(t, "query")
		args := json.RawMessage(spell(text.Draw(t, "arguments")))
		linted, err := lint.Run(t.Context(), c.Snapshot, lint.Options{})
		require.NoError(t, err)
		_, selected := c.selecting(t, query+" ab")
		for _, repro := range []string{
			md(c.Case.Findings(linted.Findings)), md(c.Case.Strategies(selected, selection.Hybrid)),
			c.search(t, query+" ab", name), c.search(t, query, text.Draw(t, "pinned")),
			c.call(name, args, false), c.call(text.Draw(t, "called"), args, true),
			md(c.Case.Budget(c.Snapshot, engine.DefaultHabits)), c.scope(t, "default", name),
			md(c.Case.Activity([]Event{{"14:03:41", text.Draw(t, "title"), []string{text.Draw(t, "detail")}}}, 2)),
		} {
			checkMarkdown(t, repro)
		}
	})
}

// checkMarkdown reads a repro line by line, as GFM does.
func checkMarkdown(t rapid.TB, repro string) {
	t.Helper()
	if n := utf8.RuneCountInString(repro); n > 65_536 {
		t.Fatalf("%d characters", n)
	}
	if safetext.Lines(repro) != repro {
		t.Fatalf("not safe for a terminal: %q", repro)
	}
	fence, headings, fences := "", 0, 0
	for line := range strings.Lines(repro) {
		line = strings.TrimSuffix(line, "\n")
		marks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if indent := strings.TrimLeft(line, " "); strings.HasPrefix(indent, fence) && strings.Trim(indent, "` \t") == "" {
				if line != fence {
					t.Fatalf("the text of a fence ends it: %q", line)
				}
				fence = ""
			}
		case len(marks) >= 3 && !strings.Contains(line[len(marks):], "`"):
			fence, fences = marks, fences+1
		case strings.HasPrefix(line, "|"):
			for _, cell := range splitRow(t, line) {
				isCode(t, cell)
			}
		case strings.HasPrefix(line, "#"):
			headings++
		default:
			outside(t, line)
		}
	}
	if fence != "" || headings < 2 || headings > 7 || fences < 1 {
		t.Fatalf("open fence %q, %d headings, %d fences in\n%s", fence, headings, fences, repro)
	}
}

// outside fails unless the text outside of code in a line is of our own words.
func outside(t rapid.TB, line string) {
	t.Helper()
	rest := regexp.MustCompile("[a-z]_[a-z]").ReplaceAllString(line, "") // within a word it emphasises nothing
	for {
		before, after, found := strings.Cut(rest, "`")
		if strings.ContainsAny(before, "<>@*_[]!\\$|~") {
			t.Fatalf("markup in %q", line)
		}
		if !found {
			return
		}
		after = "`" + after
		marks := after[:len(after)-len(strings.TrimLeft(after, "`"))]
		end := -1
		for i := len(marks); i < len(after); {
			run := len(after[i:]) - len(strings.TrimLeft(after[i:], "`"))
			if run == len(marks) {
				end = i + run
				break
			}
			i += max(run, 1)
		}
		if end < 0 {
			t.Fatalf("code without an end: %q", line)
		}
		rest = after[end:]
	}
}

// A terminal draws nothing that one can read for a character of private use, so the JSON of
// a dry run shows it escaped.
func TestCallEscapesPrivateUse(t *testing.T) {
	call := engine.NextCall{Name: "a", Arguments: json.RawMessage("{\"x\":\"\ue000\"}")}
	trace := engine.Trace{ModelSees: call.JSON(), Correction: &engine.Correction{Kind: engine.CorrectBridge, Call: call}}
	if text := printed(200, Call(trace)); strings.Contains(text, "\ue000") || strings.Count(text, `\ue000`) != 2 {
		t.Errorf("%q", text)
	}
}

// drawn is a chart with a caption.
type drawn string

func (d drawn) SVG() string     { return "<svg></svg>" }
func (d drawn) Caption() string { return string(d) }

// TestHTML: every kind of block is on the page, and no foreign text is markup on it.
func TestHTML(t *testing.T) {
	const hostile = "<script>alert(1)</script> \x1b[31m & \u202e"
	r := new(Report)
	r.Heading(2, "What is sent")
	r.Say("of %s, %d tokens", Name(hostile), 12345)
	r.Line(Strong("bold"), Faint("pale"), Alarm("red"))
	r.List(Name(hostile), TextOf("second"))
	r.Quote("a\n" + hostile)
	table := Columns("tool", ">tokens")
	table.Row(Name(hostile), 7)
	table.FaintRow("other", 8)
	table.Ruler("limit")
	r.Table(table)
	r.Sketch(Columns("of characters"), TextOf("what they mean"))
	r.Draw(drawn(hostile))
	page := r.HTML(hostile)
	for _, want := range []string{
		`<nav><a href="#s1">What is sent</a></nav>`, `<h2 id="s1">`, "12,345", "<strong>bold</strong>", `<span class="alarm">red</span>`,
		"<li><code>&lt;script&gt;", `<td class="figure">7</td>`, `<tr class="faint"><td>other</td>`, `colspan="2"`, "</figcaption><svg", "default-src 'none'",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s on\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script") || strings.ContainsAny(page, "\x1b\u202e") || strings.Contains(page, "http") && !strings.Contains(page, "http-equiv") {
		t.Errorf("foreign text acts on\n%s", page)
	}
	if strings.Contains(page, "of characters") || strings.Contains(page, "what they mean") {
		t.Error("the page has a picture of characters beside its chart")
	}
	text, _ := r.Markdown()
	if strings.Contains(text, "svg") || !strings.Contains(text, "of characters") {
		t.Errorf("Markdown has a chart, or no picture of characters:\n%s", text)
	}
	if !strings.Contains(text, "\n| limit |  |\n") {
		t.Errorf("the ruler is no row of Markdown:\n%s", text)
	}
}
