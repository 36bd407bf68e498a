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
