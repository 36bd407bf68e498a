package tui

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
)

func TestTrialMovesRanksAndTokens(t *testing.T) {
	t.Parallel()
	d, c := onQueries(t, 120, 36), new(copying)
	d.app().clip = clipper{terminal: io.Writer(c)}
	d.Press("t").wants("mcp_payments_answer_dispute as tried", "tok chars4", "enter try it").Type(" It says transaction.").worked("enter")
	d.wants("WHAT IF", "▲", "queries moved against the files", "description as tried", "10 of 80 missed")
	if was, now := d.app().state.Baseline.Budget.EagerTokens, d.app().state.Budget.EagerTokens; now <= was {
		t.Errorf("%d tokens, then %d", was, now)
	}
	d.Press("/").Type("cardholder").Press("enter").worked().wants("2 new", "found  rank 2", " tok")
	d.Press("y", "d").wants("copied description as tried (")
	if text := c.text(t); !strings.HasSuffix(text, " It says transaction.") || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
	d.Press("esc").worked("t").wants(" It says transaction.").Type("x").Press("esc").wants("WHAT IF").lacks("enter try it")
	d.worked("t", "enter").wants("the description is as it was")
	d.worked("u").wants("11 of 80 missed").lacks("WHAT IF", "against the files")
	d.worked("t").Type(" transaction").worked("enter").wants("WHAT IF").worked("0").lacks("WHAT IF")
	d.Press("y", "d").wants("no description is tried")
}

func TestTrialIsDroppedWhenTheRegistrySaysIt(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	d.Press("t")
	own := d.app().trial.now
	d.Type(" It says transaction.").worked("enter").wants("WHAT IF")
	d.reload(RegistryPart, replaced(t, demo.Registry(), own, own+" It says transaction."))
	d.worked().wants("the trial is dropped", "10 of 80 missed", "moved since").lacks("WHAT IF")
	d.worked("t").Type(" More.").worked("enter").wants("WHAT IF")
	d.reload(RegistryPart, replaced(t, demo.Registry(), `"mcp_payments_answer_dispute"`, `"mcp_payments_reply"`))
	d.worked().wants("any more: its trial is dropped").lacks("WHAT IF")
}

func TestTrialStartsFromTheRemedy(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36).worked("v", "v").Press("/").Type("name_not_found").Press("enter").wants("rank 6 → ")
	s := &d.app().queries
	row, _ := s.row()
	edits := s.found.report.Findings[row.i].Remedy.Edits
	if len(edits) == 0 || edits[0].Description == nil {
		t.Skip("the remedy changes no description")
	}
	d.Press("t")
	if got := d.app().trial.text(); got != *edits[0].Description {
		t.Errorf("starts with %q, want %q", got, *edits[0].Description)
	}
	d.worked("enter").wants("WHAT IF", "findings")
	if d.app().editOf(edits[0].Tool.Qualified) == nil {
		t.Error("it is not tried")
	}
}

func TestTrialKeepsLines(t *testing.T) {
	t.Parallel()
	d := onQueries(t, 120, 36)
	d.Press("t")
	d.app().trial.field.Set(inOneLine("one\n two"))
	d.wants("one⏎ two")
	if got := d.app().trial.text(); got != "one\n two" {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{"a": "a", "": "", "a⏎b": "", "a\x1bb": ""} {
		if got := inOneLine(text); got != want {
			t.Errorf("%q is typed as %q, want %q", text, got, want)
		}
	}
}

func TestTrialInTheEditor(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "ed")
	if err := os.WriteFile(bin, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return map[string]string{"EDITOR": bin}[name] }
	ready, ok := editDescription(getenv, "x", "a\nb")().(editorReadyMsg)
	if !ok {
		t.Fatal("no editor")
	}
	path := ready.args[len(ready.args)-1]
	for _, arg := range ready.args {
		if strings.Contains(arg, "caliper-description-") {
			path = arg
		}
	}
	has(t, path, "a\nb\n")
	if err := os.WriteFile(path, []byte("c\nd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := ready.closed(nil).(editorClosedMsg)
	if closed.described != "x" || closed.text != "c\nd" || closed.err != nil {
		t.Errorf("%+v", closed)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the file stays")
	}
	d := onQueries(t, 120, 36)
	d.Send(editorClosedMsg{described: "mcp_wiki_touch", text: "Confirm that the handbook article is still correct."})
	d.worked().wants("WHAT IF", "queries moved against the files")
	d.Send(editorClosedMsg{described: "nobody", text: "x"}).wants("the registry has no nobody any more")
}
