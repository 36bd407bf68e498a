package cli

import (
	"os"
	"path/filepath"
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
