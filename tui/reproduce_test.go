package tui

import (
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// copying keeps what an explorer copies through its terminal.
type copying struct{ strings.Builder }

// text returns what was copied last.
func (c *copying) text(t *testing.T) string {
	t.Helper()
	_, sequence, _ := strings.Cut(c.String(), "]52;c;")
	out, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(sequence, "\a"))
	c.Reset()
	if err != nil || len(out) == 0 {
		t.Fatalf("nothing was copied: %q, %v", sequence, err)
	}
	return string(out)
}

// reproducing drives an explorer whose copies are kept.
func reproducing(t *testing.T) (*driver, *copying) {
	t.Helper()
	opt := testOptions(demo.Registry(), demo.Config())
	opt.Query = "create a branch"
	d, c := startExplorer(t, opt, 120, 36), new(copying)
	var terminal io.Writer = c
	d.app().clip = clipper{terminal: terminal}
	return d, c
}

// says fails unless a text holds all of some texts.
func says(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

func TestReproSaysWhatIsTried(t *testing.T) {
	t.Parallel()
	d, c := reproducing(t)
	d.Press("tab", "y", "r").wants("copied repro of Explore")
	if text := c.text(t); strings.Contains(text, "WHAT IF") || strings.Contains(text, "config set") {
		t.Error(text)
	}
	d.turn("alt+2", "v", "right").onto(knobContext).turn("left").onto(knobB).turn("left").onto(knobTokenizer).turn("right", "alt+1", "y", "r")
	text := c.text(t)
	says(t, text, "WHAT IF: 4 settings tried", "| `tools.tool_search.threshold_pct` | `11` | `10` | `config.yaml:",
		"| `model.context_length` | `128000` | `200000` |", "| `bm25.b` | `0.7` | `0.75` |", "| `tokenizer` | `\"o200k_base\"` | `\"chars4\"` |",
		"caliper config set tools.tool_search.threshold_pct 11\n", "--context 128000 --tokenizer o200k_base --limit 5 'create a branch'",
		"commands rank with `bm25.b` at `0.75`")
	if strings.Contains(text, "| `flag` |") {
		t.Errorf("a knob is said to be a flag:\n%s", text)
	}
}

func TestReproIsOfTheScreen(t *testing.T) {
	t.Parallel()
	d, c := reproducing(t)
	d.turn("alt+2", "v").turn(times(6, "right")...)
	d.Press("y", "r").wants("copied repro of Budget")
	says(t, c.text(t), "## caliper budget", "WHAT IF: 1 setting tried", "| tool search | active | not active |", "| `mcp-forge` | 18 |",
		"1765 deferrable tokens more turn it on: 10 more tools of 181 tokens", "If tool search were active: a session of 20 turns", "| saved altogether | 547521 |")
	d.turn("0").audited().Press("down", "y", "r").wants("copied repro of Scope")
	says(t, c.text(t), "## caliper scope", "| session | granted |", "no violation", "### Two sessions", "The first is `default`")
	d.Press("v", "y", "r")
	says(t, c.text(t), "### Who can call `mcp_forge_create_branch`", "`via tool_call`")
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 16"))
	d.Press("alt+7", "y", "r").wants("copied repro of Activity (")
	text := c.text(t)
	says(t, text, "One of 2 events:", "14:03:41 config reloaded", "    default: search ON → OFF, 30,235")
	if strings.Contains(text, "loaded 192") {
		t.Errorf("not the selected event alone:\n%s", text)
	}
	d.Press("enter", "y", "r").wants("copied repro of Activity (")
	says(t, c.text(t), "One of 2 events:")
	d.Press("enter", "v", "y", "r").wants("copied repro of Activity, 2 events (")
	says(t, c.text(t), "All that happened", "config reloaded", "loaded 192")
}

func TestReproNeedsNoTool(t *testing.T) {
	t.Parallel()
	d, c := reproducing(t)
	d.app().query.Set("zzzzqqqq")
	d.app().queryChanged()
	d.Press("tab", "y").wants("Markdown repro of this screen  r").lacks("n name", "what the model sees").Press("n").wants("no tool is selected")
	d.Press("y", "r")
	says(t, c.text(t), "zzzzqqqq", "0 scored")
	d.app().scope.done = false
	d.app().mode.Screen = ScreenScope
	d.Press("y", "r").wants("the audit is not done")
}

// What a load has not caught up with is not said of its figures.
func TestReproTellsOfTheStateOnScreen(t *testing.T) {
	t.Parallel()
	d, _ := reproducing(t)
	d.app().input.Flags.Knobs = []workbench.Knob{{Key: workbench.KnobB, Value: 0.5}}
	if c := d.app().reproCase(); len(c.Tried) > 0 {
		t.Errorf("%+v", c.Tried)
	}
}

func TestReproOfQueries(t *testing.T) {
	t.Parallel()
	d, c := startExplorer(t, demoQueries(), 120, 36), new(copying)
	d.app().clip = clipper{terminal: io.Writer(c)}
	d.heldBack("alt+5")
	d.Press("y", "r").wants("nothing to copy yet: evaluating is not done").Press("alt+1").worked("alt+5", "c")
	d.Press("y", "r").wants("copied repro of Queries, queries (")
	text := c.text(t)
	says(t, text, "## caliper eval", "80 labelled queries from `queries.jsonl`, limit 5.", "| recall@5 | 83.5% | 87.3% | 22.7% |",
		"| `the handbook article is still correct, confirm it` | `hard-12` | `mcp_wiki_touch` | none in the first 50 | `no_match` |", "| 6 | `below_limit` |",
		"caliper eval --session default --ranker 'bm25,fielded,bm25-gated' queries.jsonl")
	if strings.Contains(text, "WHAT IF") || strings.Count(text, "`below_limit` |\n")+strings.Count(text, "`no_match` |\n") != 11 {
		t.Error(text)
	}
	d.worked("t").Type(" It says transaction.").worked("enter").Press("y", "r")
	says(t, c.text(t), "WHAT IF: 1 description tried", "must be a copy")
	d.worked("u", "v").Press("y", "r").wants("copied repro of Queries, dark tools (")
	says(t, c.text(t), "| `mcp_mail_search` | 6, beyond the limit | 1 | 1 | no |", "caliper lint --session default")
	d.worked("v").Press("/").Type("name_not").Press("enter", "y", "r").wants("copied repro of Queries, findings (")
	if text = c.text(t); strings.Contains(text, "name_clash") || !strings.Contains(text, "rank 6 → ") {
		t.Error(text)
	}
	d.Press("esc").worked("v", "alt+5").label("")
	d.Press("y", "r").wants("there are no labelled queries")
}
