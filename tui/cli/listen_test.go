package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/tui"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
)

// TestListenFlags: flags that mean nothing together are refused before anything opens.
func TestListenFlags(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "none.jsonl")
	for _, c := range []struct{ name, args, want string }{
		{"two sources", "--demo --listen 127.0.0.1:0 --events x", "one of them"},
		{"no data", "--listen 127.0.0.1:0", "needs --registry or --config, or --demo"},
		{"no data of a record", "--events x", "--events needs --registry or --config"},
		{"nothing listens", "--demo --execute", "need --listen ADDRESS"},
		{"no server to execute", "--demo --listen 127.0.0.1:0 --execute", "--execute needs --mcp-config"},
		{"no address", "--demo --listen nowhere", "--listen: want HOST:PORT"},
		{"every machine", "--demo --listen 0.0.0.0:0", "--public allows that"},
		{"no record", "--demo --events RECORD", "none.jsonl"},
	} {
		opened := false
		env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Explore: func(context.Context, tui.Options) error { opened = true; return nil }}
		args := strings.Fields(c.args)
		if i := slices.Index(args, "RECORD"); i >= 0 {
			args[i] = record // which may have blanks
		}
		code, _, complaints := commandIn(t, env, "", args...)
		if code != 2 || opened || !strings.Contains(complaints, c.want) {
			t.Errorf("%s: exit code %d, opened %v: %s", c.name, code, opened, complaints)
		}
	}
}

// TestListenServesWhatIsShown: the explorer is told where each session is served, and with
// which entry a client connects.
func TestListenServesWhatIsShown(t *testing.T) {
	t.Parallel()
	var entry, address string
	env := runner.Env{StdinTerminal: true, StdoutTerminal: true, Explore: func(ctx context.Context, o tui.Options) error {
		if o.Serving == nil || o.Demo == "" || len(o.Registry) != 1 || filepath.Base(o.Registry[0]) != filepath.Base(demo.In("").Registry) {
			t.Errorf("%+v", o)
			return nil
		}
		address = o.Serving.Address("ops oncall")
		for entry == "" {
			b, ok := o.Serving.Take(ctx)
			if !ok {
				t.Error("it says nothing")
				return nil
			}
			if slices.ContainsFunc(b.Said, func(line string) bool { return strings.Contains(line, "nothing is executed") }) {
				entry = o.Serving.Entry("ops-oncall")
			}
		}
		if o.Serving.Entry("nobody") != "" {
			t.Error("a session that is not served has an entry")
		}
		return nil
	}}
	// --session is where the explorer begins, and no reason to leave out the others.
	code, _, complaints := commandIn(t, env, "", "--demo", "--listen", "127.0.0.1:0", "--session", "forge-dev")
	if code, out, complaints := commandIn(t, runner.Env{}, "", "--demo", "--listen", "127.0.0.1:0"); code != 2 || out != "" || !strings.Contains(complaints, "caliper serve needs none") {
		t.Errorf("without a terminal: exit code %d, %s%s", code, out, complaints)
	}
	if code, out, complaints := commandIn(t, runner.Env{}, "", "--mcp-config", "x.json", "--all"); code != 2 || out != "" || !strings.Contains(complaints, "need --listen") {
		t.Errorf("servers without --listen: exit code %d, %s%s", code, out, complaints)
	}
	if code != 0 || !strings.HasSuffix(address, "/mcp/ops%20oncall") || !strings.Contains(entry, "/mcp/ops-oncall") || !strings.Contains(entry, "Bearer ") {
		t.Errorf("exit code %d, %s, %s: %s", code, address, entry, complaints)
	}
}
