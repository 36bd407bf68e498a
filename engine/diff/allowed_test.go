package diff_test

import (
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/tui/demo"
)

// TestChangesThatPass are changes of the demo that nobody would call a fault.
func TestChangesThatPass(t *testing.T) {
	builder, queries := engine.NewBuilder(), demoQueries(t)
	base := demoDump(t).bytes(t)
	for _, x := range []struct {
		name     string
		registry func(*dump)
		config   func(string) string
	}{
		{name: "a new tool in a toolset that sessions are granted", registry: func(d *dump) {
			d.add("mcp-payments", "mcp_payments_export_ledger", "Export the ledger of a month as a spreadsheet.")
		}},
		{name: "a new server", registry: func(d *dump) {
			d.add("mcp-tides", "mcp_tides_high_water", "When the water is high at a harbour.")
		}},
		{name: "one tool that no label names is removed", registry: func(d *dump) {
			d.Tools = d.Tools[:0:0]
			for _, tool := range demoDump(t).Tools {
				if function(tool)["name"] != "mcp_bucket_copy_object" {
					d.Tools = append(d.Tools, tool)
				}
			}
		}},
		{name: "one labelled tool is renamed, which may be chance", registry: func(d *dump) {
			function(d.named("mcp_wiki_touch"))["name"] = "mcp_wiki_confirm"
		}},
		{name: "a description says more", registry: func(d *dump) {
			f := function(d.named("mcp_payments_answer_dispute"))
			f["description"] = f["description"].(string) + " For a cardholder who contests a transaction."
		}},
		{name: "the limit is higher", config: replacing("search_default_limit: 5", "search_default_limit: 8")},
		{name: "another ranker finds more", config: replacing("ranker: bm25", "ranker: fielded")},
		{name: "a new session", config: func(text string) string {
			return strings.Replace(text, "sessions:\n", "sessions:\n  auditor: {enabled_toolsets: [payments, mail]}\n", 1)
		}},
		{name: "a rule denies more", config: replacing("policy:\n", "policy:\n  - match: \"mcp_mail_*\"\n    action: deny\n")},
		{name: "a session is granted less, of what no label names", config: replacing("[essentials, code_execution, forge,", "[code_execution, forge,")},
	} {
		t.Run(x.name, func(t *testing.T) {
			d, text := demoDump(t), string(demo.Config())
			if x.registry != nil {
				x.registry(d)
			}
			if x.config != nil {
				text = x.config(text)
			}
			r := judged(t, snapshotOf(t, builder, base, demo.Config(), ""), snapshotOf(t, builder, d.bytes(t), []byte(text), ""), queries, diff.GateOptions{})
			if !r.Passed() {
				t.Errorf("%+v; recall %+v", r.Reasons, r.Recall)
			}
		})
	}
}
