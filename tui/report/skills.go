package report

import (
	"strconv"
	"strings"

	"caliper/engine/hosts"
	"caliper/engine/skills"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/workbench"
)

// SkillsFound adds the skills that a query finds to the report of a search.
func SkillsFound(r *Report, st workbench.State, query string, limit int) {
	if len(st.Skills) == 0 {
		return
	}
	r.Blank()
	hits := st.SearchSkills(query, limit)
	if len(hits) == 0 {
		r.Say("Of %s, nothing is found.", Count(len(st.Skills), "skill"))
		return
	}
	t := Columns(">rank", ">score", "skill", "file", "description…")
	for _, h := range hits {
		points := strconv.FormatFloat(h.Score, 'f', 3, 64)
		if h.Tied {
			points = "= " + points
		}
		t.Row(h.Rank, points, Name(h.Name), Name(h.Path), Name(safetext.Line(h.Description)))
	}
	r.Table(t)
	r.Say("A skill is loaded, not called: the bridge finds none of them.")
}

// SkillsListed adds to the report of a budget what agents list of a state's skills; each adds
// what every skill takes there.
func SkillsListed(r *Report, st workbench.State, each bool) {
	lists := st.SkillLists()
	if len(lists) == 0 {
		return
	}
	r.Blank()
	r.Say("Beside the tools: %s, which the agent lists with every request.", Count(len(st.Skills), "skill"))
	t := Columns("agent", ">taken", ">by its own", ">of", "", ">whole", ">cut", ">name alone", ">not listed", ">tokens")
	for _, l := range lists {
		t.Row(hosts.Named(l.Host).Called(), l.Used, l.Own, l.Budget, l.Unit, l.Count(skills.Whole), l.Count(skills.Cut), l.Count(skills.NameOnly), l.Count(skills.Absent), l.Tokens)
	}
	r.Table(t)
	for _, l := range lists {
		agent := hosts.Named(l.Host).Title
		if each {
			t := Columns("listed by "+agent, ">tokens", ">characters", ">of")
			for _, e := range l.Entries {
				t.Row(e.Skill.ShownName(), st.TokensOf(e), e.Seen, e.Of)
			}
			r.Blank()
			r.Table(t)
		}
		if l.Used > l.Budget {
			r.Say("%s lists every name, even above its budget.", agent)
		}
		for _, g := range skillGroups {
			var names []string // safe for a terminal
			for _, e := range l.Entries {
				if e.Shown != g.shown || g.why != "" && e.Why != g.why {
					continue
				}
				name := e.Skill.ShownName()
				if e.Shown == skills.Cut {
					name += " (" + words.Thousands(e.Seen) + " of " + words.Thousands(e.Of) + " characters)"
				}
				names = append(names, name)
			}
			more := ""
			if len(names) > NamesShown {
				more = " (--json has all)"
			}
			if len(names) > 0 {
				r.Say("%s: %s: %s%s.", agent, words.CountOf(len(names), "skill "+g.one, "skills "+g.many), NamesCounted(names), more)
			}
		}
	}
}

// SkillsBrief returns what an agent lists of the skills in a line: "Claude Code lists 12 of 14 skills
// in 900 tokens: 8 whole, 4 cut".
func SkillsBrief(l workbench.SkillList) string {
	var counts []string
	for i, shown := range []skills.Shown{skills.Whole, skills.Cut, skills.NameOnly} {
		if n := l.Count(shown); n > 0 {
			counts = append(counts, words.Thousands(n)+" "+[...]string{"whole", "cut", "by name alone"}[i])
		}
	}
	of := ""
	if absent := l.Count(skills.Absent); absent > 0 {
		of = words.Thousands(len(l.Entries)-absent) + " of "
	}
	return hosts.Named(l.Host).Title + " lists " + of + words.CountThousands(len(l.Entries), "skill") + " in " + words.CountThousands(l.Tokens, "token") + ": " + strings.Join(counts, ", ")
}

// skillGroups are the skills that the model sees less than the whole of, by the reason.
var skillGroups = []struct {
	one, many string // what the agent does with one, and with several
	shown     skills.Shown
	why       skills.Why // empty: any
}{
	{"has its description cut", "have their descriptions cut", skills.Cut, ""},
	{"is listed without its description", "are listed without their descriptions", skills.NameOnly, skills.ForBudget},
	{"is listed without its description by skillOverrides", "are listed without their descriptions by skillOverrides", skills.NameOnly, skills.ForSetting},
	{"is not listed for want of room", "are not listed for want of room", skills.Absent, skills.ForBudget},
	{"is not listed since its name or description is too long", "are not listed since a name or description is too long", skills.Absent, skills.ForLength},
	{"is not listed since its front matter breaks YAML", "are not listed since their front matter breaks YAML", skills.Absent, skills.ForYAML},
	{"is not listed since another has the name", "are not listed since others have the names", skills.Absent, skills.ForAnother},
	{"is not listed since it says disable-model-invocation", "are not listed since they say disable-model-invocation", skills.Absent, skills.ForManual},
	{"is not listed by skillOverrides", "are not listed by skillOverrides", skills.Absent, skills.ForSetting},
	{"is where the agent does not look", "are where the agent does not look", skills.Absent, skills.ForPlace},
}
