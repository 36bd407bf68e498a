//go:build unix

package e2e

import (
	"strings"
	"testing"
)

func TestReloadKeepsPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t, 40)
	x := start(t, s.setup())
	x.Until("40 tools")
	x.search("move crate")
	x.untilSelected("move_crate_001")
	x.Key("down", "down")
	x.untilSelected("move_crate_003")
	x.typeArguments(`{"crate":"A7","route":5}`)
	x.Until("ALLOWED", "warn schema")
	x.Key("enter", "shift+tab", "shift+tab") // to the schema
	x.Key("*")
	x.Until("harbour", "berth")
	kept := func(s screen) bool {
		return queryLine(s) == " > move crate" && s.Has("harbour", "berth", `{"crate":"A7","route":5}`, "warn schema") &&
			strings.Contains(selected(s), "move_crate_003")
	}
	x.UntilFunc("everything", kept)

	// A tool more, in front of the others and with the same score.
	more := append([]object{tool("move_crate_000", "Move a crate to shelf 0 of the depot and tell the keeper.")}, depot(40)...)
	write(t, s.registry, dump(more))
	if now := x.Until("41 tools "); !kept(now) {
		t.Errorf("a reload lost something:\n%s", now)
	}
	write(t, s.config, settings(100))
	if now := x.Until("search OFF"); !kept(now) && !strings.Contains(selected(now), "move_crate_003") {
		t.Errorf("a reload of the config lost something:\n%s", now)
	}
	write(t, s.config, settings(10))
	x.Until("search ON")

	// The selected tool goes.
	var fewer []object
	for _, o := range more {
		if o["original_name"] != "move_crate_003" {
			fewer = append(fewer, o)
		}
	}
	write(t, s.registry, dump(fewer))
	now := x.Until("40 tools ")
	if now.Has("move_crate_003") || !strings.Contains(selected(now), "mcp_depot_") || queryLine(now) != " > move crate" {
		t.Errorf("selected is %q:\n%s", selected(now), now)
	}
	if err := intact(now); err != nil {
		t.Error(err)
	}

	// It comes back, and with it what was typed for it.
	write(t, s.registry, dump(more))
	x.Until("41 tools ")
	x.Key("shift+tab", "g") // the hits
	x.untilSelected("move_crate_000")
	x.Key("down", "down", "down")
	x.untilSelected("move_crate_003")
	x.Until(`{"crate":"A7","route":5}`, "harbour", "berth")
}

func TestReloadToNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, 40)
	set := s.setup()
	set.env = []string{"EDITOR=true"}
	x := start(t, set)
	x.Until("40 tools")
	x.search("move crate")
	write(t, s.registry, dump([]object{}))
	x.Until("0 tools") // the notice lies over the boxes until it is hidden
	x.Key("esc")
	now := x.UntilGone("mcp_depot_")
	if err := intact(now); err != nil {
		t.Errorf("%v:\n%s", err, now)
	}
	// Every key that is about the selected tool, before a tool is selected.
	x.Key("esc", "esc", "down", "G", "g", "pgdown", "enter", "*", "h", "ctrl+g", "tab", "tab", "enter", "x", "esc", "D", "y", "esc")
	x.Alive()
	write(t, s.registry, dump(depot(41)))
	x.Until("41 tools ", "move_crate_001")
}

func TestSelectionFollowsAcrossRanks(t *testing.T) {
	t.Parallel()
	s := newSite(t, 20)
	x := start(t, s.setup())
	x.Until("20 tools")
	x.search("scales crate")
	x.untilSelected("1 mcp_depot_weigh_crate")
	better := tool("scales", "Scales for a crate, crate scales.")
	write(t, s.registry, dump(append([]object{better}, depot(20)...)))
	x.untilSelected("2 mcp_depot_weigh_crate")
}
