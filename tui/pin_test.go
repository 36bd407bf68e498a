package tui

import (
	"context"
	"strings"
	"testing"

	"caliper/engine"
)

func TestPinSaysWhyNot(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 40)
	// Pin a tool from the list of all, then ask for something it is not best at.
	d.Press("esc", "/").Type("delete_branch").Press("enter", "w").wants("pinned mcp_forge_delete_branch")
	d.Press("esc", "shift+tab").Type("protect the main branch of a repo")
	for d.app().pin.result == nil {
		d.Send(<-d.late)
	}
	d.wants("mcp_forge_delete_branch  expected")
	r := d.app().pin.result
	if r.Stage == engine.StageFound {
		d.wants("found  rank")
	} else {
		d.wants("below the limit", "below the cut line")
	}
	for _, remedy := range r.Remedies {
		if remedy.Kind == engine.RemedyQueryWord {
			for range len(d.app().query.Value()) {
				d.Press("backspace")
			}
			d.Type(r.Query + " " + remedy.Change)
			rank, _, ok := d.app().state.Snapshot.Rank(d.app().query.Value(), r.Tool)
			if !ok || rank != remedy.NewRank {
				t.Errorf("%q gives rank %d, promised %d", remedy.Change, rank, remedy.NewRank)
			}
		}
	}
	if d.Press("w"); d.app().pin.name == "" && strings.Contains(d.Screen(), "  expected") {
		t.Error("what was let go is still shown")
	}
}

func TestPinIgnoresAnOldAnswer(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	d.Type("create a branch").Press("tab", "w")
	d.Send(whyNotMsg{gen: d.app().pin.gen - 1, result: engine.WhyNot{Stage: engine.StageUnknown}})
	d.lacks("not in the registry")
	d.Send(whyNotMsg{gen: d.app().pin.gen, err: context.Canceled})
	d.lacks("not in the registry")
}
