package reach

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"caliper/engine/hosts"
	"caliper/engine/labels"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/require"
)

// TestReword: the change that helps most hosts and takes nothing from another tool.
func TestReword(t *testing.T) {
	twins := []string{"s t1: twin", "s t2: twin", "s t3: twin", "s t4: twin", "s t5: twin", "s t6: twin", "s t7: twin", "s t8: twin", "s t9: twin"}
	tests := map[string]struct {
		tools   []string
		queries []labels.Query
		hosts   string
		limit   int
		want    string // words / name / helped of lacking
	}{
		"a word of the description": {
			[]string{"pay undo: Reverse it.", "log list: List lines"},
			[]labels.Query{{Text: "refund of a booking", Relevant: []string{"pay__undo"}}, {Text: "lines", Relevant: []string{"log__list"}}},
			"ai-sdk,mastra,pi", 5, "booking // 3 of 3",
		},
		"the description is not enough, the name is": {
			[]string{"pay undo: Reverse it.", "log refundable: Lines"},
			[]labels.Query{{Text: "refund", Relevant: []string{"pay__undo"}}},
			"claude-code", 1, " /undo_refund/ 1 of 1",
		},
		"it would push another tool out": {
			[]string{"pay undo: Reverse.", "log list: A refund"},
			[]labels.Query{{Text: "refund", Relevant: []string{"pay__undo"}}, {Text: "refund", Relevant: []string{"log__list"}}},
			"ai-sdk,mastra,pi,claude-code", 1, "",
		},
		"chance proves nothing": {
			twins, []labels.Query{{Text: "twin", Relevant: []string{"s__t1"}}}, "codex", 8, "",
		},
		"a word that names none of the equals": {
			twins, []labels.Query{{Text: "twin refund", Relevant: []string{"s__t1"}}}, "codex", 8, "refund // 1 of 1",
		},
		"a host that finds it needs no help": {
			[]string{"pay undo: Reverse bookings.", "log list: List lines"},
			[]labels.Query{{Text: "booking", Relevant: []string{"pay__undo"}}},
			"codex,ai-sdk", 5, "booking // 1 of 1",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := built(t, tt.tools...)
			var searchers []Searcher
			for _, h := range strings.Split(tt.hosts, ",") {
				searchers = append(searchers, Limited{Of(hosts.Named(h), s), tt.limit})
			}
			unseen := []Unseen{{Tool: s.Registry.Lookup(tt.queries[0].Relevant[0])[0]}}
			require.NoError(t, Reword(context.Background(), searchers, s.Registry.Tools, tt.queries, unseen, 1, nil))
			got := ""
			if w := unseen[0].Rewording; w != nil {
				got = strings.Join(w.Words, " ") + fmt.Sprintf(" /%s/ %d of %d", w.Name, len(w.Helped), w.Lacking)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestReworded: an index with a reworded tool answers as one that is built of the edited
// registry, and Alike never hides a difference.
func TestReworded(t *testing.T) {
	s := built(t, "pay undo: Reverse a charge", "log list_lines: List lines of a log", "log drop: Clear the log", "mail send-it: Send a mail", "mail list: List mails")
	for _, h := range hosts.All {
		for _, old := range s.Registry.Tools {
			for _, name := range []string{"list_lines", strings.Repeat("x", longestName+1)} { // taken, and too long
				if changed, err := with(context.Background(), Of(h, s), old, Rewording{Name: name}); strings.HasPrefix(old.Name, "log") && (changed != nil || err != nil) {
					t.Errorf("%s: %s can be called %.20s: %v", h.Name, old.Name, name, err)
				}
			}
			for _, w := range []Rewording{{Description: "List charges (mail)."}, {Description: old.Description, Name: cmp.Or(old.OriginalName, old.Name) + "_mail"}, {Description: old.Description}} {
				was := Of(h, s)
				changed, err := with(context.Background(), was, old, w)
				if err != nil || changed == nil {
					t.Fatal(h.Name, err)
				}
				edit, _ := w.edit(old)
				trial, err := whatif.Try(context.Background(), s, edit)
				require.NoError(t, err)
				as := *trial.Edited(old)
				if w.Name != "" {
					as.OriginalName = w.Name
				}
				tools := append([]*model.Tool(nil), s.Registry.Tools...)
				for i, tool := range tools {
					if tool == old {
						tools[i] = &as
					}
				}
				for _, query := range []string{"mail", "list mail", "charge", "log", "mcp__log", "list.*", "none", "+mail list"} {
					got := changed.Search(query, -1)
					if h.Generation == "" {
						want := hosts.New(h, tools).Search(query, -1)
						if names(got) != names(want) {
							t.Errorf("%s, %q of %s: %s, want %s", h.Name, query, old.Name, names(got), names(want))
						}
					}
					if x, ok := changed.(*hosts.Index); ok && x.Alike(query) && names(got) != names(was.Search(query, -1)) {
						t.Errorf("%s, %q of %s: alike, but %s", h.Name, query, old.Name, names(got))
					}
				}
			}
		}
	}
}

// names returns the names of hits with their scores' order.
func names(hits []hosts.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Name)
	}
	return strings.Join(out, " ")
}

// TestWithWord: a name gets one more word as it has its own.
func TestWithWord(t *testing.T) {
	for name, want := range map[string]string{"list_all": "list_all_mail", "list-all": "list-all-mail", "listAll": "listAllMail", "list": "list_mail", "list-All_": "list-All__mail"} {
		if got := withWord(name, "mail"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestShare: a need is met by one tool of its group, by either name; a host's own tools meet none.
func TestShare(t *testing.T) {
	hits := []hosts.Hit{{Name: "own"}, {Tool: &model.Tool{Name: "a", Qualified: "x/a"}}, {Tool: &model.Tool{Name: "b", Qualified: "b"}}}
	for _, c := range []struct {
		name   string
		needed [][]string
		want   float64
	}{
		{"no need", nil, 0}, {"by name", [][]string{{"a"}}, 1}, {"by its name here", [][]string{{"x/a"}}, 1}, {"one of a group", [][]string{{"c", "b"}}, 1},
		{"not a host's own", [][]string{{"own"}}, 0}, {"one of two", [][]string{{"c"}, {"b"}}, 0.5}, {"one of three, twice", [][]string{{"a"}, {"b"}, {""}}, 2.0 / 3},
	} {
		if got := share(c.needed, hits); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := share([][]string{{"a"}}, nil); got != 0 {
		t.Errorf("without hits: %v", got)
	}
}
