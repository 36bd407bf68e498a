package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"caliper/config"
	"caliper/engine/live"
	"caliper/model/require"
	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/topics"
)

// notRun are the examples that the test does not run, with the reason.
var notRun = map[string]string{
	`caliper import --stdio "npx -y @modelcontextprotocol/server-memory"`:                                    "fetches a package",
	`caliper import --stdio "npx -y @modelcontextprotocol/server-memory" -o registry.json`:                   "fetches a package",
	`caliper import --stdio "github-mcp-server stdio" --env GITHUB_PERSONAL_ACCESS_TOKEN -o registry.json`:   "takes a key",
	`caliper import --http https://example.com/mcp --header "X-Key: $KEY"`:                                   "takes a server",
	`caliper import --http https://example.com/mcp --header "Authorization: Bearer $TOKEN" -o registry.json`: "takes a server",
	`caliper import --http https://mcp.example.com/mcp --sign-in browser -o registry.json`:                   "takes a server and a user",
	`caliper import BFCL_v4_multiple.json possible_answer/ -o bfcl.json --queries-out q.jsonl`:               "takes a public data set",
	`caliper eval q.jsonl --registry bfcl.json`:                                                              "takes what was imported",
	`caliper import BFCL_v4_multiple.json possible_answer/ -o set.json --queries-out q.jsonl`:                "takes a public data set",
	`caliper import tool.jsonl test_in_domain.jsonl test_out_domain.jsonl -o set.json --queries-out q.jsonl`: "takes a public data set",
	`caliper import plugin_des.json all_clean_data.csv -o set.json --queries-out q.jsonl`:                    "takes a public data set",
	`caliper import tools.json all_annotations.json -o set.json --queries-out q.jsonl`:                       "takes a public data set",
	`caliper eval q.jsonl --registry set.json --ranker bm25,fielded`:                                         "takes what was imported",
	`caliper replay ~/.claude/projects --registry r.json --since 30d --max loops=0`:                          "reads the logs of whoever runs the test",
	`caliper serve --mcp-config .mcp.json --all --http 127.0.0.1:7337 --execute`:                             "serves until it is interrupted",
	`caliper tune --queries q.jsonl --registry r.json --config c.yaml --apply`:                               "changes a file",
	`caliper import --mcp-config .mcp.json --all -o registry.json --watch`:                                   "runs until it is interrupted",
}

// saysNo are the examples that answer no, with the reason: their exit code is 1.
var saysNo = map[string]string{
	"caliper call mcp_wiki_read_page --direct":                  "the tool is deferred",
	"caliper lint --demo":                                       "two tools of the demo bear one name",
	"caliper lint --demo --severity warning":                    "two tools of the demo bear one name",
	"caliper lint --demo --sarif lint.sarif --badge badge.json": "two tools of the demo bear one name",

	`caliper try --tool mcp_maps_plan_route --description "Plan a route to drive."`: "one labelled query cannot tell",
	"caliper try --tool mcp_maps_plan_route --description @new.txt":                 "one labelled query cannot tell",
	"caliper try --tool mcp_mail_search --description @texts.yaml --json":           "its queries find it already",

	"caliper tune --queries queries.jsonl --registry tools.json": "few labels tell nothing of recall@5",
}

// exampleFiles are the files that the examples name.
func exampleFiles(t *testing.T) map[string][]byte {
	t.Helper()
	server, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(server, "mcpserver"))
	program, err := filepath.Abs("mcpserver")
	require.NoError(t, err)
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"github": map[string]any{"command": program, "args": []string{"tools", "one"}}}})
	require.NoError(t, err)
	var queries []byte // some of each kind of wording
	for i, line := range bytes.SplitAfter(demo.Queries(), []byte("\n")) {
		if i%8 == 0 {
			queries = append(queries, line...)
		}
	}
	log := bytes.Repeat([]byte("2026-06-01 12:00:00 INFO job 7 is running\n2026-06-01 12:00:01 ERROR job 8 failed\n"), 2000)
	return map[string][]byte{
		"tools.json": demo.Registry(), "request.json": demo.Registry(), "old.json": demo.Registry(), "servers/forge/tools.json": demo.Registry(), "new.json": demo.Registry(),
		"tools/forge.json": demo.Registry(), "dumps/forge.json": demo.Registry(), "old/forge.json": demo.Registry(), "new/forge.json": demo.Registry(),
		"config.yaml": demo.Config(), "all.yaml": []byte("tools: {core: []}\n"), "queries.jsonl": queries, "queries.txt": []byte("open a change\nrefund a charge\n"),
		"messages.txt": []byte("open a change\nrefund a charge\n"), "arguments.json": []byte(`{"page": "ops"}`), "call.json": []byte(`{"name": "mcp_wiki_read_page", "arguments": {"page": "ops"}}`),
		"big.log": log, "build.log": log, "new.txt": []byte("Plan a route to drive.\n"), "texts.yaml": []byte("- Find mail by words.\n- Search mail.\n"), ".mcp.json": servers,
	}
}

// examplesOf returns the example lines of a text: those that begin with the
// name of the program behind an indent. A comment behind an example is left out.
func examplesOf(text, indent string) []string {
	var out []string
	for line := range strings.Lines(text) {
		rest, found := strings.CutPrefix(strings.TrimRight(line, "\n"), indent+"caliper ")
		if found {
			rest, _, _ = strings.Cut(rest, " # ")
			out = append(out, strings.TrimSpace("caliper "+rest))
		}
	}
	return out
}

// everyExample returns the examples of every help page, of every topic and of
// the README.
func everyExample(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, cmd := range commands() {
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			line = strings.TrimSuffix(strings.TrimPrefix(line, "source <("), ")") // of bash
			out = append(out, line)
		}
	}
	for _, topic := range topics.All {
		_, commands, _ := strings.Cut(topicPage(topic, 400), "\nCommands\n")
		out = append(out, examplesOf(commands, "  ")...)
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	return append(out, examplesOf(string(readme), "    ")...)
}

// TestExamples runs every example of the help pages and of the README as it is
// printed, in a folder with the files that they name.
func TestExamples(t *testing.T) {
	examples := everyExample(t)
	if len(examples) < 70 {
		t.Fatalf("only %d examples", len(examples))
	}
	for _, known := range slices.Concat(slices.Collect(maps.Keys(notRun)), slices.Collect(maps.Keys(saysNo))) {
		if !slices.Contains(examples, known) {
			t.Errorf("no longer an example: %s", known)
		}
	}
	t.Chdir(t.TempDir())
	for name, data := range exampleFiles(t) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, data, 0o600))
	}
	done, written := map[string]bool{}, map[string]bool{}
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Width: 120, Store: filepath.Join(t.TempDir(), "store"),
		Lookup: os.LookupEnv,
		Explore: func(_ context.Context, o tui.Options) error {
			for _, name := range slices.Concat(o.Registry, []string{o.Config, o.Queries}, o.Results) {
				if _, err := os.Stat(name); name != "" && err != nil && !(o.ConfigFound && name == o.Config) {
					return err
				}
			}
			return nil
		}}
	result := `{"items": [` + "\n" + strings.Repeat(`{"name": "a job that failed with an error"},`+"\n", 5000) + "{}]}\n"
	id := *putIn(t, env, result, "--config", "config.yaml").ID // that the examples slice
	for _, example := range examples {
		if _, known := notRun[example]; known || done[example] {
			continue
		}
		done[example] = true
		args, in, out := shellWords(t, strings.ReplaceAll(example, `"$ID"`, id))
		if i := slices.Index(args, "-o"); i > 0 { // an earlier example wrote it
			if written[args[i+1]] {
				require.NoError(t, os.Remove(args[i+1]))
			}
			written[args[i+1]] = true
		}
		here := env
		here.StdoutTerminal = out == ""
		code, _, complaints := commandIn(t, here, in, args[1:]...)
		want := 0
		if _, no := saysNo[example]; no {
			want = 1
		}
		if code != want {
			t.Errorf("%s: exit code %d, want %d; %s", example, code, want, complaints)
		}
	}
}

// shellWords splits a command line as a shell does, as far as quotes go. What
// the file behind < holds is in, and out is the name behind >.
func shellWords(t *testing.T, line string) (words []string, in, out string) {
	t.Helper()
	words = splitQuoted(line)
	for i := 0; i < len(words)-1; i++ {
		switch words[i] {
		case "<":
			data, err := os.ReadFile(words[i+1])
			require.NoError(t, err)
			in = string(data)
		case ">":
			out = words[i+1]
		default:
			continue
		}
		words = slices.Delete(words, i, i+2)
		i--
	}
	return words, in, out
}

// The configuration that README prints grants its session the server that README imports.
func TestReadmeGrantsWhatItImports(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "caliper import --stdio \"")
	command, _, closed := strings.Cut(rest, "\"")
	if !found || !closed {
		t.Fatal("README imports no server")
	}
	var block strings.Builder
	for line := range strings.Lines(string(readme)) {
		if line = strings.TrimPrefix(line, "    "); strings.HasPrefix(line, "model:") || strings.HasPrefix(line, "tools:") || strings.HasPrefix(line, "sessions:") {
			block.WriteString(line)
		}
	}
	f, err := config.Parse("config.yaml", []byte(block.String()))
	if err != nil || len(f.Warnings) > 0 || len(f.Sessions) != 1 {
		t.Fatal(err, f.Warnings, f.Sessions)
	}
	if toolset := "mcp-" + live.CommandName(strings.Fields(command)); !slices.Contains(f.Sessions[0].Enabled, toolset) {
		t.Errorf("session %s enables %q, and the import makes %s", f.Sessions[0].Name, f.Sessions[0].Enabled, toolset)
	}
}

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
