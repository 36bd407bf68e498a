package cli

import (
	"context"

	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/skills"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// budgetRow is `budget`: what the definitions of a session cost.
func (r *run) budgetRow() runner.Row {
	var tools bool
	return runner.Row{
		Flags: func(f runner.FlagSet) { f.On(&tools, "tools", "list every tool with its tokens") },
		On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			b := st.Snapshot.Budget(tools)
			out := &runner.Outcome{Value: budgetJSON{b, skillsOf(st)}, Page: report.Budget(b, report.ListingOutlook(st.Snapshot, st.Snapshot.ListCurve()))}
			report.SkillsListed(out.Page, st)
			return out, nil
		},
	}
}

// budgetJSON is the answer for JSON.
type budgetJSON struct {
	engine.Budget
	Skills *runner.Object `json:"skills,omitempty"`
}

// skillsOf returns what is listed of the skills for JSON, nil where there are none.
func skillsOf(st workbench.State) *runner.Object {
	lists := st.SkillLists()
	if lists == nil {
		return nil
	}
	return &runner.Object{{"count", len(st.Skills)}, {"listings", runner.Array(lists, func(l workbench.SkillList) runner.Object {
		return runner.Object{
			{"host", l.Host}, {"version", hosts.Named(l.Host).Version}, {"unit", l.Unit}, {"budget", l.Budget}, {"used", l.Used}, {"own", l.Own}, {"tokens", l.Tokens},
			{"whole", l.Count(skills.Whole)}, {"cut", l.Count(skills.Cut)}, {"name_only", l.Count(skills.NameOnly)}, {"absent", l.Count(skills.Absent)},
			{"unseen", runner.Array(l.Unseen(), func(e skills.Entry) runner.Object {
				return runner.Object{{"name", e.Skill.Name}, {"path", e.Skill.Path}, {"shown", e.Shown}, {"why", e.Why}, {"characters", e.Seen}, {"of", e.Of}}
			})},
		}
	})}}
}

// assemblyRow is `assembly`: the tools array that the model would get.
func (r *run) assemblyRow() runner.Row {
	return runner.Row{On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
		text, err := report.Assembly(st.Snapshot, st.Snapshot.Budget(false))
		return &runner.Outcome{Value: st.Snapshot.Assembly().Definitions(), Page: text}, err
	}}
}
