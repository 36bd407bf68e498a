package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/tui/cli/runner"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyCommand calls a function for each command that does something.
func everyCommand(do func(*cobra.Command)) {
	for _, cmd := range commands() {
		if !cmd.HasSubCommands() {
			do(cmd)
		}
	}
}

// Every flag that takes a value, and every argument, is completed, or is free
// text for a reason.
func TestEverythingIsCompleted(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	everyCommand(func(cmd *cobra.Command) {
		check := func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			_, completed := cmd.GetFlagCompletionFunc(f.Name)
			_, persistent := cmd.Root().GetFlagCompletionFunc(f.Name)
			if !completed && !persistent {
				t.Errorf("%s --%s: neither completed nor free text", cmd.CommandPath(), f.Name)
			}
			used[f.Value.Type()] = true
		}
		cmd.LocalNonPersistentFlags().VisitAll(check)
		cmd.Root().PersistentFlags().VisitAll(check)
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			t.Errorf("%s: its arguments are not completed", cmd.CommandPath())
		}
	})
	for _, kind := range freeText {
		if !used[kind] {
			t.Errorf("%s is free text, and no kind of flag that is not completed", kind)
		}
	}
}

// Every setting that takes a value is completed, or is free text for a reason.
func TestEverySettingIsCompleted(t *testing.T) {
	t.Parallel()
	settable := config.Settable()
	for _, key := range settable {
		_, out, _ := commandIn(t, runner.Env{}, "", "__complete", "config", "set", key, "")
		if _, free := freeSettings[key]; !free && strings.HasPrefix(out, ":4") {
			t.Errorf("config set %s: nothing is offered, and it is no free text", key)
		}
	}
	for key, reason := range freeSettings {
		if !slices.Contains(settable, key) || reason == "" {
			t.Errorf("%s is free text, and no setting or without a reason", key)
		}
	}
}

// What a shell is offered.
func TestCompletedValues(t *testing.T) {
	t.Parallel()
	env := runner.Env{Store: filepath.Join(t.TempDir(), "store")}
	clients := write(t, "clients.json", `{"mcpServers":{"forge":{"command":"forge"},"odd name; rm":{"command":"x"}}}`)
	config := write(t, "config.yaml", "plugins: {toolaria: {max_result_chars: 100, fetch_max_chars: 150, excerpt_max_chars: 300}}\n")
	id := *putIn(t, env, strings.Repeat("a line\n", 100), "--config", config).ID
	for _, c := range []struct {
		args []string
		want string // among the offers
	}{
		{[]string{"budget", "--session", ""}, "kanban-worker"},
		{[]string{"search", "x", "--ranker", "bm25,"}, "bm25,fielded"},
		{[]string{"search", "x", "--why-not", "mcp_forge_mer"}, "mcp_forge_merge_change\tmcp-forge"},
		{[]string{"select", "x", "--strategy", ""}, "hybrid"},
		{[]string{"budget", "--tokenizer", ""}, "o200k_base"},
		{[]string{"budget", "--theme", ""}, "plain"},
		{[]string{"config", "set", ""}, "tools.selection\teager, lazy, tool_search, keyword, semantic, hybrid"},
		{[]string{"config", "set", "tools.selection", ""}, "hybrid"},
		{[]string{"config", "set", "tools.core", ""}, "[mcp_forge_merge_change]\tmcp-forge"},
		{[]string{"config", "set", "tools.core", "[terminal,mcp_forge_mer"}, "[terminal,mcp_forge_merge_change]\tmcp-forge"},
		{[]string{"config", "set", "tools.tool_search.threshold_pct", ""}, "10\tthe default; a number from 0 to 100 %"},
		{[]string{"replay", "sessions", "--demo", "--tokenizer", "cal"}, "calibrated\tfitted to the logged usage, each session by its own model"},
		{[]string{"lint", "--code", ""}, "unfindable_tool\tunfindable tool: neither name, first sentence nor parameter names find it within the limit"},
		{[]string{"export", "--shape", ""}, "anthropic"},
		{[]string{"rescue", "fetch", "x", "--mode", ""}, "outline"},
		{[]string{"rescue", "fetch", "--config", config, ""}, id + "\tmcp_x"},
		{[]string{"help", ""}, "rankers\thow hits are ordered, and which ranker to take"},
		{[]string{"eval", "--min", ""}, "recall@5="},
		{[]string{"eval", ""}, "jsonl"},
		{[]string{"tune", "--objective", ""}, "ndcg@10"},
		{[]string{"tune", "--over", "ranker,"}, "ranker,limit"},
		{[]string{"budget", "--config", ""}, "yaml"},
		{[]string{"import", "--naming", ""}, "double"},
		{[]string{"import", "--mcp-config", clients, "--server", ""}, "forge"},
		{[]string{"import", clients, "--server", ""}, "forge"},
		{[]string{"lint", "--tool", "mcp_forge_mer"}, "mcp_forge_merge_change\tmcp-forge"},
		{[]string{"scope", "--without-gate", ""}, "scope_executor"},
		{[]string{"bridge", ""}, "tool_search"},
	} {
		_, out, _ := commandIn(t, env, "", append([]string{"__complete"}, c.args...)...)
		if !slices.Contains(strings.Split(out, "\n"), c.want) || strings.Contains(out, "rm") && strings.Contains(out, "odd") {
			t.Errorf("%q: %q is not among\n%s", c.args, c.want, out)
		}
	}
}
