package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
)

// timeMember is the member of a strategy that a report leaves out.
var timeMember = regexp.MustCompile(`"select_ms": [0-9.e+-]+,`)

// reportOf writes a report of the demo, and returns its file and its figures.
func reportOf(t *testing.T, name string, args ...string) (page string, figures map[string]any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	code, out, complaints := commandIn(t, runner.Env{}, "", append([]string{"report", "-o", file, "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, complaints)
	}
	require.NoError(t, json.Unmarshal([]byte(out), &figures))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data), figures
}

// TestReportFigures: the file has the figures that --json prints, these are what each command
// prints by itself, and nothing on the page is loaded or run.
func TestReportFigures(t *testing.T) {
	t.Parallel()
	of := []string{"--demo", "--queries", "queries.jsonl", "--replay", "sessions"}
	page, figures := reportOf(t, "r.html", of...)
	markdown, again := reportOf(t, "r.md", of...)
	delete(figures, "file")
	delete(again, "file")
	for _, section := range []struct {
		name string
		args []string
	}{
		{"budget", []string{"budget", "--demo"}},
		{"scope", []string{"scope", "--demo"}},
		{"replay", []string{"replay", "sessions", "--demo"}},
		{"compare", []string{"compare", "--queries", "queries.jsonl", "--pareto", "--demo"}},
	} {
		_, out, _ := commandIn(t, runner.Env{}, "", append(section.args, "--json")...)
		out = timeMember.ReplaceAllString(out, "")
		var alone map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &alone))
		for key, value := range figures[section.name].(map[string]any) {
			if want, _ := json.Marshal(alone[key]); key != "time" {
				if got, _ := json.Marshal(value); string(got) != string(want) {
					t.Errorf("%s of %s is %.200s, the command has %.200s", key, section.name, got, want)
				}
			}
		}
	}
	budget := figures["budget"].(map[string]any)
	for _, key := range []string{"eager_tokens", "after_tokens", "saved_tokens"} {
		n := int(budget[key].(float64))
		if !strings.Contains(page, ">"+words.Thousands(n)+"<") || !strings.Contains(markdown, fmt.Sprint(n)) {
			t.Errorf("%s, %d, is not in the file", key, n)
		}
	}
	for _, ts := range budget["toolsets"].([]any) {
		set := ts.(map[string]any)
		if !strings.Contains(page, set["name"].(string)) {
			t.Errorf("no toolset %s", set["name"])
		}
	}
	recall := figures["eval"].(map[string]any)["metrics"].(map[string]any)["recall@5"].(float64)
	if want := fmt.Sprintf("%.1f%%", 100*recall); !strings.Contains(page, want) || !strings.Contains(markdown, want) {
		t.Errorf("recall@5 %s is not in the file", want)
	}
	better := figures["eval"].(map[string]any)["better"].(map[string]any)
	if want := fmt.Sprintf("with %s %v of %v misses are found", better["ranker"], better["found"], better["of"]); !strings.Contains(page, want) || !strings.Contains(markdown, want) {
		t.Errorf("%q is not in the file", want)
	}
	if regexp.MustCompile(`[0-9] (ms|µs)\b`).MatchString(markdown) {
		t.Error("the file says how long something took")
	}
	if !strings.Contains(page, "<svg") || strings.Contains(markdown, "<svg") {
		t.Error("charts belong on the page alone")
	}
	if m := regexp.MustCompile(`(?i)<script|<link|<img|<iframe|\son\w+=|(src|href)="[^#]|url\(|@import`).FindString(page); m != "" {
		t.Errorf("something on the page is loaded or run: %s", m)
	}
}

// TestReportTexts: what users wrote is in the file and in the figures only with --texts.
func TestReportTexts(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "base.json")
	require.NoError(t, os.WriteFile(base, bytes.ReplaceAll(demo.Registry(), []byte("Send"), []byte("Hand over")), 0o600))
	of := []string{"--demo", "--queries", "queries.jsonl", "--base", base}
	with, all := reportOf(t, "r.md", append(of, "--texts")...)
	without, some := reportOf(t, "r.md", of...)
	misses := all["eval"].(map[string]any)["misses"].([]any)
	if len(misses) == 0 {
		t.Fatal("the demo misses nothing")
	}
	for _, m := range misses {
		text := m.(map[string]any)["query"].(string)
		if !strings.Contains(with, text) || strings.Contains(without, text) {
			t.Errorf("%q: with --texts %v, without %v", text, strings.Contains(with, text), strings.Contains(without, text))
		}
	}
	queries, err := runner.ParseQueries("queries.jsonl", demo.Queries())
	require.NoError(t, err)
	changed := some["diff"].(map[string]any)["queries"].([]any)
	if len(changed) == 0 {
		t.Error("the base changes no query")
	}
	printed, _ := json.Marshal(some)
	for _, q := range queries {
		if strings.Contains(without, q.Text) || strings.Contains(string(printed), q.Text) {
			t.Errorf("%q is written without --texts", q.Text)
		}
	}
	for _, m := range some["eval"].(map[string]any)["misses"].([]any) {
		if _, has := m.(map[string]any)["query"]; has {
			t.Error("the figures have a query")
		}
	}
}
