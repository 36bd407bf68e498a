package diff

import (
	"reflect"
	"testing"

	"caliper/engine"
)

func TestToolsets(t *testing.T) {
	set := func(name string, tools, tokens int) engine.ToolsetBudget {
		return engine.ToolsetBudget{Name: name, Tools: tools, Tokens: tokens}
	}
	old := engine.Budget{Toolsets: []engine.ToolsetBudget{set("same", 1, 10), set("less", 3, 100), set("gone", 2, 40)}}
	now := engine.Budget{Toolsets: []engine.ToolsetBudget{set("new", 1, 40), set("same", 1, 10), set("less", 2, 30)}}
	want := []ToolsetChange{{"less", 3, 2, 100, 30}, {"gone", 2, 0, 40, 0}, {"new", 0, 1, 0, 40}, {"same", 1, 1, 10, 10}}
	if got := Toolsets(old, now); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	back := Toolsets(now, old)
	for i, c := range back {
		if c.Delta() != -want[i].Delta() {
			t.Errorf("in the other direction %s changes by %d", c.Name, c.Delta())
		}
	}
}

func TestReaches(t *testing.T) {
	old := engine.SessionAudit{
		Granted: []string{"a", "b", "c", "same"}, Direct: []string{"c", "same"}, Searchable: []string{"a", "b"}, Callable: []string{"a", "b"},
		Denied: []engine.Denial{{Tool: "d", Gate: engine.GateScopeCatalog, Code: engine.CodeOutOfScope}},
	}
	now := engine.SessionAudit{
		Granted: []string{"b", "c", "d", "new", "same"}, Direct: []string{"b", "same"}, Searchable: []string{"c", "d", "new"}, Callable: []string{"c", "d", "new"},
		Denied: []engine.Denial{{Tool: "a", Gate: engine.GateScopeExecutor, Code: engine.CodeOutOfScope}},
	}
	got := Reaches(old, now)
	var names []string
	for _, c := range got {
		names = append(names, c.Tool)
	}
	if want := []string{"a", "d", "new", "b", "c"}; !reflect.DeepEqual(names, want) {
		t.Fatalf("got %q, want %q", names, want)
	}
	for i, want := range []struct{ lost, gained bool }{{true, false}, {false, true}, {false, true}, {false, false}, {false, false}} {
		if got[i].Lost() != want.lost || got[i].Gained() != want.gained {
			t.Errorf("%s: lost %t, gained %t", got[i].Tool, got[i].Lost(), got[i].Gained())
		}
	}
	if gate := got[0].New.Gate; gate != engine.GateScopeExecutor {
		t.Errorf("a is denied by %q", gate)
	}
	if got[2].Old.Known {
		t.Error("the audit before does not know the new tool")
	}
	if Reaches(old, old) != nil {
		t.Error("an audit differs from itself")
	}
}
