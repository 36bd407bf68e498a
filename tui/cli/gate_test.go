package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
)

// The workflow of README is one that GitHub takes, and its last step gates a change.
func TestWorkflowOfReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(readme), "## In CI\n")
	_, rest, _ = strings.Cut(rest, "    on: pull_request\n")
	text, _, _ := strings.Cut(rest, "\n\n")
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Run string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(strings.ReplaceAll("\n"+text, "\n    ", "\n")), &workflow))
	steps := workflow.Jobs["tools"].Steps
	if len(steps) == 0 {
		t.Fatalf("no steps in %q", text)
	}
	command, redirected := strings.CutSuffix(steps[len(steps)-1].Run, " >> $GITHUB_STEP_SUMMARY")
	args := strings.Fields(command)
	if !redirected || args[0] != "./caliper" {
		t.Fatalf("the last step is %q", command)
	}
	t.Chdir(t.TempDir())
	write := func(name string, data []byte) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, data, 0o644))
	}
	for _, name := range []string{"tools.json", "base/tools.json"} {
		write(name, demo.Registry())
	}
	for _, name := range []string{"config.yaml", "base/config.yaml"} {
		write(name, demo.Config())
	}
	write("queries.jsonl", demo.Queries())
	if code, out, complaints := commandIn(t, runner.Env{}, "", args[1:]...); code != 0 || !strings.HasPrefix(out, "### caliper gate: pass\n") {
		t.Errorf("exit code %d, %s%s", code, out, complaints)
	}
	write("config.yaml", []byte(strings.Replace(string(demo.Config()), "[kanban, slipway]", "[kanban, slipway, payments]", 1)))
	if code, out, complaints := commandIn(t, runner.Env{}, "", args[1:]...); code != 1 || !strings.Contains(out, "| scope | session `kanban-worker` is granted 13 tools") {
		t.Errorf("exit code %d, %s%s", code, out, complaints)
	}
}

// diffFigures are the figures of what diff prints.
type diffFigures struct {
	Added, Removed []string
	Tokens         struct{ Old, New int }
	Active         struct{ Old, New bool }
	Queries        []struct {
		Tool    string
		OldRank *int `json:"old_rank"`
		NewRank *int `json:"new_rank"`
	}
	Regressions int
}

// The real registry against its small selection, and back: the sides change places, and of
// the eight tools that the queries expect the small one lacks two.
func TestDiffOfRealRegistries(t *testing.T) {
	t.Parallel()
	full := realRegistry(t)
	small := filepath.Join(filepath.Dir(full), "registry.small.json")
	queries := write(t, "queries.jsonl", `{"query": "create a pull request", "relevant": ["mcp_github_create_pull_request", "mcp_github_legacy_create_pull_request"]}
{"query": "post a message to a channel", "relevant": ["mcp_slack_slack_post_message"]}
{"query": "read many files at once", "relevant": ["mcp_filesystem_read_multiple_files"]}
{"query": "add observations to entities", "relevant": ["mcp_memory_add_observations"]}
{"query": "list the pods of a namespace", "relevant": ["mcp_kubernetes_go_pods_list_in_namespace"]}
{"query": "move a file", "relevant": ["mcp_filesystem_move_file"]}
{"query": "search for code", "relevant": ["mcp_github_legacy_search_code"]}
`)
	between := func(old, new string) (code int, d diffFigures) {
		code, out, complaints := command(t, "diff", old, new, "--queries", queries, "--json")
		if err := json.Unmarshal([]byte(out), &d); err != nil || complaints != "" {
			t.Fatalf("%v, %s", err, complaints)
		}
		return code, d
	}
	code, d := between(full, small)
	if code != 1 || len(d.Added) != 0 || len(d.Removed) != 743 || d.Regressions != 2 || len(d.Queries) != 7 {
		t.Errorf("exit code %d, %d added, %d removed, %d regressions: %+v", code, len(d.Added), len(d.Removed), d.Regressions, d.Queries)
	}
	if d.Tokens.Old != 280_724 || d.Tokens.New != 13_906 || !d.Active.Old || d.Active.New {
		t.Errorf("%+v, %+v", d.Tokens, d.Active)
	}
	code, back := between(small, full)
	if code != 0 || back.Regressions != 0 || !reflect.DeepEqual(back.Added, d.Removed) || back.Tokens.Old != d.Tokens.New {
		t.Errorf("back: exit code %d, %d added, %d regressions, %+v", code, len(back.Added), back.Regressions, back.Tokens)
	}
	for i, q := range back.Queries {
		if of := d.Queries[i]; q.Tool != of.Tool || !reflect.DeepEqual(q.OldRank, of.NewRank) || !reflect.DeepEqual(q.NewRank, of.OldRank) {
			t.Errorf("back: %+v, and there %+v", q, of)
		}
	}
	if code, d := between(full, full); code != 0 || len(d.Added)+len(d.Removed)+len(d.Queries)+d.Regressions != 0 {
		t.Errorf("the same: exit code %d, %+v", code, d)
	}
}
