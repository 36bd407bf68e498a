package explore

import (
	"strings"
	"testing"

	"caliper/model"
	"caliper/tui/ui"
)

// nested is a tool whose schema has every kind of text that the tree shows, some of it
// deep.
func nested() *model.Tool {
	return &model.Tool{
		Name: "ship", Qualified: "mcp_depot_ship", Toolset: "mcp-depot",
		Description: "Sends a parcel to an address.",
		Parameters: []byte(`{"type": "object", "required": ["parcel"], "properties": {
			"parcel": {"type": "object", "description": "What is sent.", "properties": {
				"price": {"type": "object", "properties": {
					"amount": {"type": "integer", "description": "An amount in the smallest unit of its currency, 1250 for twelve and a half.", "minimum": 0, "maximum": 90000, "default": 5}}}}},
			"carrier": {"enum": ["car", "bicycle", "foot", "train", "ship", "balloon", "aeroplane"]}}}`),
	}
}

// paneOf returns the pane of a tool, drawn w cells wide.
func paneOf(t *testing.T, tool *model.Tool, w int) *schemaPane {
	t.Helper()
	p := &schemaPane{}
	p.show(onDemo(t, 120, 33).state.Snapshot, tool, "")
	p.draw(ui.NewTheme(ui.Look{Plain: true}), w, 200, true)
	return p
}

// No word of a text of the tree is lost, however deep it stands and however narrow the
// pane is.
func TestTreeLosesNoWord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		w    int
	}{
		{"beside the hits", 74}, {"below the hits", 46}, {"small terminal", 38}, {"least terminal", 18},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for w := tt.w; w > tt.w-7; w-- { // wherever the lines break
				p := paneOf(t, nested(), w)
				p.expandAll()
				shown := strings.Join(strings.Fields(strings.Join(p.draw(ui.NewTheme(ui.Look{Plain: true}), w, 200, false), " ")), " ")
				for _, text := range []string{"smallest unit of its currency, 1250 for twelve and a half.", "minimum: 0; maximum: 90000; default: 5", "What is sent."} {
					for _, word := range strings.Fields(text) {
						if len(word) <= w-detailLead-p.indent(4) && !strings.Contains(shown, word) {
							t.Errorf("%d cells: %q is lost: %s", w, word, shown)
						}
					}
				}
			}
		})
	}
}

// The search finds every text that the tree shows, and goes to where it is seen.
func TestSearchFindsWhatTheTreeShows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, node string }{
		{"a name", "carrier", "carrier"},
		{"a type", "integer", "amount"},
		{"how many members", "2 members", "parameters"},
		{"a description", "What is SENT", "parcel"},
		{"a value", "bicycle", "carrier"},
		{"the values", `one of "car"`, "carrier"},
		{"the name of a limit", "maximum", "amount"},
		{"limits", "minimum: 0; maximum: 90000", "amount"},
		{"nothing", "unicycle", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := paneOf(t, nested(), 100)
			found := p.search(tt.text, 1, true)
			if row, _ := p.row(); found != (tt.node != "") || found && row.node.Key != tt.node {
				t.Fatalf("found %v, at %+v", found, row)
			}
			if want := map[bool]string{true: "1 of 1", false: "no match"}[found]; p.matches() != want {
				t.Errorf("%q, want %q", p.matches(), want)
			}
			if shown := strings.ToLower(strings.Join(p.draw(ui.NewTheme(ui.Look{Plain: true}), 100, 200, true), "\n")); strings.Contains(shown, strings.ToLower(tt.text)) != found {
				t.Errorf("the text is not where the search went:\n%s", shown)
			}
		})
	}
}

// A node that a letter opened is closed when the next letter leads to another one; where the
// search ends, the node stays open.
func TestTypingLeavesNoNodeOpen(t *testing.T) {
	t.Parallel()
	p := paneOf(t, nested(), 100)
	at := map[string]string{} // where each text was found
	for _, text := range []string{"f", "fo", "foo", "foot"} {
		p.search(text, 1, true)
		row, _ := p.row()
		if at[text] = row.path; row.node == nil || !p.expanded()[row.path] {
			t.Fatalf("%q is not shown: at %+v", text, row)
		}
	}
	if at["f"] == at["foot"] || p.expanded()[at["f"]] {
		t.Errorf("%s is still open at %s", at["f"], at["foot"])
	}
	p.setFind("")
	if p.search("parcel", 1, true); !p.expanded()[at["foot"]] {
		t.Error("what was found is closed again")
	}
}
