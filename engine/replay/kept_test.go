package replay

import (
	"testing"

	"caliper/model"
)

// TestKeptByServer: the tools that save something, server by server, with what all tools of the server
// come to: those that save nothing, and those that nobody calls, cost.
func TestKeptByServer(t *testing.T) {
	tool := func(server, name string) *model.Tool { return &model.Tool{Name: name, Server: server} }
	moor, grind, sail := tool("quay", "moor"), tool("mill", "grind"), tool("quay", "sail")
	r := &Report{Eager: EagerSet{Keep: 2, perToken: burden{money: 9, tokens: 2},
		Tools: []Eager{{Tool: moor, SavingTokens: 100}, {Tool: grind, SavingTokens: 50}, {Tool: sail, SavingTokens: -30}}}}
	r.Unused.Servers = []UnusedServer{{Unused: []UnusedTool{{Tool: tool("quay", "anchor"), Schema: 20}, {Tool: tool("inn", "book"), Schema: 7}, {Tool: tool("mill", "sift"), Schema: 40}}}}
	got := r.KeptByServer()
	if len(got) != 2 || got[0].Tools[0] != moor || len(got[0].Tools) != 1 || got[0].Saving != 100-30-2*20 || got[1].Tools[0] != grind || got[1].Saving != 50-2*40 {
		t.Errorf("%+v", got)
	}
	r.Eager.Priced = true
	for i := range r.Eager.Tools {
		r.Eager.Tools[i].Saving = 200
	}
	if got := r.KeptByServer(); got[0].Saving != 400-9*20 || got[1].Saving != 200-9*40 {
		t.Errorf("%+v", got)
	}
}
