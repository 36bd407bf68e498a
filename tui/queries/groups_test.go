package queries

import (
	"strings"
	"testing"

	"caliper/engine/lint"
)

// headers returns the headers that are shown, as "▾ error name_clash 2".
func headers(d *driver) (out []string) {
	for _, r := range d.S.rows[viewFindings] {
		if !r.header {
			continue
		}
		g := d.S.groups[r.group]
		mark := "▾ "
		if d.S.isFolded(g.kind) {
			mark = "▸ "
		}
		out = append(out, mark+string(g.severity)+" "+string(g.code))
	}
	return out
}

// Errors come first and information last, folded; every finding is in one group, and
// under a filter the matches are shown with their headers.
func TestFindingsAreGrouped(t *testing.T) {
	t.Parallel()
	d := onDemo(t).Press("v", "v").Wants("4 errors", "1 warning", "217 info")
	want := "▾ error name_clash, ▾ error root_keyword, ▾ warning name_not_found, ▸ info cut_description, ▸ info schema_noise, ▸ info schema_structure, ▸ info weightless_word"
	if got := strings.Join(headers(d), ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	counts := map[lint.Severity]int{}
	for _, g := range d.S.groups {
		counts[g.severity] += g.count
	}
	for s, n := range d.S.found.report.Counts() {
		if counts[s] != n {
			t.Errorf("%d findings in groups of %s, want %d", counts[s], s, n)
		}
	}
	d.Press("*")
	if got := headers(d); strings.Contains(strings.Join(got, ""), "▸") {
		t.Errorf("not all are unfolded: %q", got)
	}
	if rows := len(d.S.rows[viewFindings]); rows != len(d.S.found.report.Findings)+len(d.S.groups) {
		t.Errorf("%d rows", rows)
	}
	d.Press("j", "*")
	if got := headers(d); strings.Contains(strings.Join(got, ""), "▾") || len(d.S.rows[viewFindings]) != len(got) {
		t.Errorf("not all are folded: %q", got)
	}
	if d.S.Tool() != nil {
		t.Error("a header has a tool")
	}
	d.Wants("name clash  2 findings")
	d.S.Filter("name_clash")
	if got := headers(d); len(got) != 1 || got[0] != "▾ error name_clash" {
		t.Errorf("under the filter: %q", got)
	}
	d.Wants("4 errors", "the filter shows every match")
	d.S.Filter("")
	if got := headers(d); strings.Contains(strings.Join(got, ""), "▾") {
		t.Errorf("the filter unfolds %q", got)
	}
}
