package cli

import (
	"context"
	"path/filepath"
	"slices"

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
		Flags: func(f runner.FlagSet) { f.On(&tools, "tools", "list every tool and every skill with its tokens") },
		On: func(_ context.Context, st workbench.State, _ []string) (*runner.Outcome, error) {
			b := st.Snapshot.Budget(tools)
			value := budgetJSON{Budget: b}
			if lists := st.SkillLists(); lists != nil {
				value.Skills = &runner.Object{{"count", len(st.Skills)}, {"listings", runner.Array(lists, func(l workbench.SkillList) runner.Object {
					list := runner.Object{
						{"host", l.Host}, {"version", hosts.Named(l.Host).Version}, {"unit", l.Unit}, {"budget", l.Budget}, {"used", l.Used}, {"own", l.Own}, {"tokens", l.Tokens},
						{"whole", l.Count(skills.Whole)}, {"cut", l.Count(skills.Cut)}, {"name_only", l.Count(skills.NameOnly)}, {"absent", l.Count(skills.Absent)},
						{"unseen", runner.Array(l.Unseen(), func(e skills.Entry) runner.Object {
							return runner.Object{{"name", e.Skill.Name}, {"path", e.Skill.Path}, {"shown", e.Shown}, {"why", e.Why}, {"characters", e.Seen}, {"of", e.Of}}
						})},
					}
					if tools {
						list = append(list, runner.Member{"skills", runner.Array(l.Entries, func(e skills.Entry) runner.Object {
							return runner.Object{{"name", e.Skill.Name}, {"path", e.Skill.Path}, {"tokens", st.TokensOf(e)}}
						})})
					}
					return list
				})}}
			}
			out := &runner.Outcome{Value: value, Page: report.Budget(b, report.ListingOutlook(st.Snapshot, st.Snapshot.ListCurve()))}
			report.SkillsListed(out.Page, st, tools)
			if at := r.skillFolders(st.Snapshot.Host().Name); len(st.Skills) == 0 && at != "" {
				r.Complain("caliper: " + st.Snapshot.Host().Title + " has skills too; to add them:" + at)
			}
			return out, nil
		},
	}
}

// skillFolders returns the flags that name the existing folders in which agents look for
// skills: in the user's home, and in the working folder.
func (r *run) skillFolders(agents ...string) (flags string) {
	var at []string
	for _, agent := range agents {
		home, project := skills.Places(agent)
		for _, place := range home {
			if own := r.agentHome(map[string]string{".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}[place], place); own != "" {
				at = append(at, filepath.Join(own, "skills"))
			}
		}
		for _, place := range project {
			at = append(at, filepath.Join(place, "skills"))
		}
	}
	for i, path := range at {
		whole := path
		if !filepath.IsAbs(path) {
			whole = filepath.Join(r.Env.Work, path)
		}
		if len(existing(whole)) > 0 && !slices.Contains(at[:i], path) {
			flags += " --registry " + shellWord(path)
		}
	}
	return flags
}

// budgetJSON is the answer for JSON.
type budgetJSON struct {
	engine.Budget
	Skills *runner.Object `json:"skills,omitempty"` // nil without skills
}
