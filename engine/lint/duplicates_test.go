package lint

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine"
	"caliper/model"
)

// The join finds what comparing every pair finds.
func TestDuplicatesAreAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := strings.Fields("open shut turn the a door lamp gate of hall slowly twice")
		text := rapid.SliceOfN(rapid.SampledFrom(words), 3, 12)
		var tools []*model.Tool
		for i := range rapid.IntRange(2, 30).Draw(rt, "tools") {
			name := fmt.Sprintf("tool_%c", 'a'+i%5)
			said := text.Draw(rt, "text")
			if i > 0 && rapid.Bool().Draw(rt, "near") {
				said = append(strings.Fields(tools[0].Description), said[0])
			}
			tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: strings.Join(said, " "), Index: i})
		}
		c := &check{s: &engine.Snapshot{Registry: &model.Registry{Tools: tools}}}
		got := map[*model.Tool]bool{}
		for _, d := range c.duplicates(context.Background()) {
			got[d.Tool] = true
		}
		near, _, _ := newNeighbours(t.Context(), tools)
		sets := near.sets
		for i := range tools {
			most := 0.0
			for j := range i {
				if len(sets[i].shingles) >= leastShingles && len(sets[j].shingles) >= leastShingles {
					most = max(most, near.similarity(sets[i], sets[j]))
				}
			}
			if like := most >= nearDuplicate; like != got[tools[i]] && (most < nearDuplicate-1e-9 || most > nearDuplicate+1e-9) {
				rt.Fatalf("%q is %.4f alike, found %t", tools[i].Description, most, got[tools[i]])
			}
		}
	})
}

// Descriptions that differ by an article are near duplicates, and those that
// differ by the verb are not, in registries of two tools as of ten thousand.
func TestDuplicatesAtAnySize(t *testing.T) {
	for _, n := range []int{2, 3, 5, 10, 50, 500, 2000, 10_000} {
		for _, tt := range []struct {
			name string
			a, b string
			near bool
		}{
			{"article", "chat_send: Sends a message to a channel of the workspace", "slack_send: Sends a message to a channel of a workspace", true},
			{"number", "dup_1: Sends a message to a channel of the workspace", "dup_2: Sends a message to a channel of a workspace", true},
			{"verb", "note_get: Gets a note of the workspace", "note_delete: Deletes a note of the workspace", false},
			{"way", "page_up: Moves the text from a note to a page", "page_down: Moves the text from a page to a note", false},
		} {
			var tools []*model.Tool
			for _, said := range []string{tt.a, tt.b} {
				name, text, _ := strings.Cut(said, ": ")
				tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: text,
					Parameters: []byte(`{"type":"object","properties":{"channel":{}}}`), Index: len(tools)})
			}
			for i := len(tools); i < n; i++ {
				name := fmt.Sprintf("other%d", i)
				text := fmt.Sprintf("Turns wheel%d of a mill%d in workspace%d by hand%d", i, i%7, i%50, i)
				tools = append(tools, &model.Tool{Name: name, Qualified: name, Description: text, Index: i})
			}
			c := &check{s: &engine.Snapshot{Registry: &model.Registry{Tools: tools}}}
			near := false
			for _, d := range c.duplicates(t.Context()) {
				near = near || d.Tool == tools[1]
			}
			if near != tt.near {
				t.Errorf("%s among %d: near %t", tt.name, n, near)
			}
		}
	}
}

// Similarity is the same both ways, one of a set to itself, and none between
// sets that share nothing.
func TestSimilarity(t *testing.T) {
	tools := []*model.Tool{
		{Name: "a", Description: "Open the door of the hall."}, {Name: "a", Description: "Open the door of the hall."},
		{Name: "b", Description: "Feed seven cats."}, {Name: "a", Description: "Open the door of the hall now."},
	}
	near, _, _ := newNeighbours(t.Context(), tools)
	s := near.sets
	if got := near.similarity(s[0], s[1]); got < 1-1e-9 || got > 1+1e-9 {
		t.Errorf("the same: %v", got)
	}
	if got := near.similarity(s[0], s[2]); got != 0 {
		t.Errorf("nothing shared: %v", got)
	}
	if a, b := near.similarity(s[0], s[3]), near.similarity(s[3], s[0]); a-b > 1e-9 || b-a > 1e-9 || a >= 1 {
		t.Errorf("%v one way, %v the other", a, b)
	}
}
