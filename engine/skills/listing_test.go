package skills

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	_ "caliper/model/require"

	"pgregory.net/rapid"
)

func asDiagnostic(err error) (d model.Diagnostic) {
	errors.As(err, &d)
	return d
}

// drawSkills returns skills of which some share their names.
func drawSkills(t *rapid.T) (all []*Skill) {
	for i := range rapid.IntRange(0, 12).Draw(t, "skills") {
		name := rapid.StringMatching(`[a-cA-C]{1,3}(-[a-c])?|n{60,66}`).Draw(t, "name")
		s := &Skill{
			Name: name, Description: rapid.SampledFrom([]string{"a", "検査 ", "🚀", "<b>& it's ", "word "}).Draw(t, "text"),
			When: rapid.SampledFrom([]string{"", "", "now"}).Draw(t, "when"), Path: fmt.Sprintf("%d/%s/SKILL.md", i, name), Folder: rapid.SampledFrom([]string{name, "f"}).Draw(t, "folder"),
			Place: rapid.SampledFrom([]string{"", "", ".claude", ".agents", ".codex", ".github"}).Draw(t, "place"), Home: rapid.Bool().Draw(t, "home"),
			Manual: rapid.IntRange(0, 9).Draw(t, "manual") == 0, Loose: rapid.IntRange(0, 9).Draw(t, "loose") == 0,
		}
		s.Description = strings.TrimSpace(strings.Repeat(s.Description, rapid.SampledFrom([]int{1, 3, 3, 40, 40, 400, 1600}).Draw(t, "times")))
		all = append(all, s)
	}
	return all
}

func TestListProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawSkills(t)
		context := rapid.SampledFrom([]int{0, 1, 1000, 20_000, 100_000, 272_000, 1_000_000}).Draw(t, "context")
		for _, host := range Hosts {
			l, ok := List(host, all, &context, Settings{})
			if !ok || len(l.Entries) != len(all) {
				t.Fatalf("%s: %d entries of %d skills", host, len(l.Entries), len(all))
			}
			if l.Count(Whole)+l.Count(Cut)+l.Count(NameOnly)+l.Count(Absent) != len(all) || len(l.Unseen()) != len(all)-l.Count(Whole) {
				t.Fatalf("%s: the degrees are not all", host)
			}
			seen := map[*Skill]bool{}
			for _, e := range l.Entries {
				if seen[e.Skill] {
					t.Fatalf("%s: %s twice", host, e.Skill.Path)
				}
				seen[e.Skill] = true
				if (e.Why == "") != (e.Shown == Whole) || e.Seen > e.Of+len("...") || e.Shown == Whole && e.Seen != e.Of || e.Shown == Absent && e.Line != "" {
					t.Fatalf("%s: %+v", host, e)
				}
			}
			namesAlone := l.Count(Whole)+l.Count(Cut) == 0
			if l.Used > l.Budget && !(host == "claude-code" && namesAlone) {
				t.Fatalf("%s: %d of %d used", host, l.Used, l.Budget)
			}
			// The order is total: it does not depend on that of the files.
			turned := slices.Clone(all)
			slices.Reverse(turned)
			if other, _ := List(host, turned, &context, Settings{}); other.Text() != l.Text() || other.Used != l.Used {
				t.Fatalf("%s: another order of the files gives\n%q\nfor\n%q", host, other.Text(), l.Text())
			}
		}
	})
}

func TestListOfAnUnknownAgent(t *testing.T) {
	if _, ok := List("hermes-2026-06", nil, nil, Settings{}); ok {
		t.Error("a list of an agent that was not measured")
	}
}

// TestRegistry asks that the ranking of skills reads all of their texts.
func TestRegistry(t *testing.T) {
	r := Registry([]*Skill{{Name: "a\"b", Description: "Does <it>.", When: "now"}, {Name: "a\"b", Description: "Again"}})
	if got := string(r.Tools[0].Function); got != `{"name":"a\"b","description":"Does <it>. - now"}` || r.Tools[1].Index != 1 || r.Tools[0].Qualified == r.Tools[1].Qualified {
		t.Errorf("%s, %q, %q", got, r.Tools[0].Qualified, r.Tools[1].Qualified)
	}
}
