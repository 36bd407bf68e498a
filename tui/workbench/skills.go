package workbench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/engine/skills"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/watch"
)

// readSkill is a SKILL.md file as it was read last.
type readSkill struct {
	file     watch.File
	skill    *skills.Skill // in its last good state; nil for none
	warnings []model.Diagnostic
	fault    *model.Diagnostic
}

// loadSkills parses the skills among the files of a registry, but for those that are as last
// time. It returns them in the order of the files; one with a fault is as it was in its last good
// state, or left out.
func (w *Workbench) loadSkills(files []watch.File) (all []*skills.Skill, warnings, faults []model.Diagnostic) {
	read := map[string]*readSkill{}
	for _, f := range files {
		if !IsSkill(f.Name) || read[f.Name] != nil {
			continue
		}
		was := w.skills[f.Name]
		now := was
		if was == nil || !sameFile(was.file, f) {
			now = &readSkill{file: f}
			var err error
			if f.Err != nil {
				now.fault = unreadable(f)
			} else if now.skill, now.warnings, err = skills.Parse(f.Name, f.Data); err != nil {
				now.fault = diagnostic(err, f.Name)
			}
			if now.fault == nil {
				if path, err := filepath.Abs(f.Name); err == nil {
					now.skill.Locate(path, w.getenv("HOME"))
				}
			} else if was != nil {
				now.skill = was.skill
			}
		}
		read[f.Name] = now
		if now.skill != nil {
			all = append(all, now.skill)
		}
		warnings = append(warnings, now.warnings...)
		if now.fault != nil {
			faults = append(faults, *now.fault)
		}
	}
	w.skills = read
	return all, warnings, faults
}

// skillSettings returns the settings of Claude Code in the environment, and in the folders .claude that skills are in.
func (w *Workbench) skillSettings(all []*skills.Skill) skills.Settings {
	var user, project []string
	for _, s := range all {
		of, folder := &project, filepath.Dir(filepath.Dir(filepath.Dir(s.Path)))
		if s.Home {
			of = &user
		}
		if path := filepath.Join(folder, "settings.json"); s.Place == ".claude" && !slices.Contains(*of, path) {
			*of = append(*of, path)
			if !s.Home {
				*of = append(*of, filepath.Join(folder, "settings.local.json"))
			}
		}
	}
	var files [][]byte
	for _, path := range append(user, project...) {
		data, _ := ReadFile(path) // what cannot be read sets nothing
		files = append(files, data)
	}
	return skills.ReadSettings(files, w.getenv("SLASH_COMMAND_TOOL_CHAR_BUDGET"))
}

// getenv returns an environment variable, empty where there is none.
func (w *Workbench) getenv(name string) (value string) {
	if w.Lookup != nil {
		value, _ = w.Lookup(name)
	}
	return value
}

// indexSkills returns the snapshot in which the skills of a state are searched, by the ranker of its
// tools; nil for no skills. They are in a registry of their own: no bridge answers with them.
func (w *Workbench) indexSkills(ctx context.Context, st *State) (*engine.Snapshot, error) {
	if len(st.Skills) == 0 {
		return nil, nil
	}
	if w.skillBuilder == nil {
		w.skillBuilder = engine.NewBuilder()
	}
	in := st.Snapshot.Inputs()
	c := config.Default()
	c.ToolSearch, c.Core = in.Config.ToolSearch, nil
	return w.skillBuilder.Build(ctx, engine.Inputs{Registry: skills.Registry(st.Skills), Config: c, Ranking: in.Ranking, OnDemand: true})
}

// SkillHit is a skill that a query finds.
type SkillHit struct {
	*skills.Skill
	engine.Hit // among the skills
}

// SearchSkills ranks the skills for a query, k at most, as Snapshot.Search ranks the tools.
func (s *State) SearchSkills(query string, k int) (hits []SkillHit) {
	if s.skillIndex == nil {
		return nil
	}
	for _, h := range s.skillIndex.Search(query, k, 0).Hits {
		hits = append(hits, SkillHit{s.Skills[h.Tool.Index], h})
	}
	return hits
}

// SkillList is an agent's list of the skills.
type SkillList struct {
	skills.Listing
	Tokens int // of the list by the method of the state, without the agent's own skills
}

// SkillLists returns what the simulated agent lists of the skills, or each agent whose list is
// known and that looks at one of the places where that one's is not; nil for no skills.
func (s *State) SkillLists() (lists []SkillList) {
	if len(s.Skills) == 0 {
		return nil
	}
	names := skills.Hosts
	if host := s.Snapshot.Host().Name; slices.Contains(names, host) {
		names = []string{host}
	}
	for _, name := range names {
		l, _ := skills.List(name, s.Skills, s.Snapshot.Config.ContextLength, s.skillSettings)
		elsewhere := !slices.ContainsFunc(l.Entries, func(e skills.Entry) bool { return e.Why != skills.ForPlace })
		if elsewhere && len(names) > 1 {
			continue
		}
		lists = append(lists, SkillList{l, s.Snapshot.Tokenizer.Tokens(s.Snapshot.Tokenizer.Text(l.Text()))})
	}
	return lists
}

// TokensOf returns the tokens of what an agent lists of a skill.
func (s *State) TokensOf(e skills.Entry) int {
	return s.Snapshot.Tokenizer.Tokens(s.Snapshot.Tokenizer.Text(e.Line))
}

// SkillFaults returns the faults of the skills: those that were left out, breaches of the format,
// and descriptions that an agent cuts, or skills that it leaves out, for their length.
func (s *State) SkillFaults() (faults []model.Diagnostic) {
	for _, d := range slices.Concat(s.LeftOut, s.Warnings) {
		if IsSkill(d.File) {
			faults = append(faults, d)
		}
	}
	for _, l := range s.SkillLists() {
		for _, e := range l.Entries {
			if e.Why != skills.ForLength {
				continue
			}
			does := fmt.Sprintf("cuts the description at %s of %s characters", words.Thousands(e.Seen), words.Thousands(e.Of))
			if e.Shown == skills.Absent {
				does = fmt.Sprintf("leaves the skill out: its name has %s characters, its description %s", words.Thousands(utf8.RuneCountInString(e.Skill.Name)), words.Thousands(e.Of))
			}
			faults = append(faults, model.Diagnostic{File: safetext.Line(e.Skill.Path), Code: "skill_cut", Message: words.Message(hosts.Named(l.Host).Title + " " + does)})
		}
	}
	return faults
}
