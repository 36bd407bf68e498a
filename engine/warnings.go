package engine

import (
	"fmt"

	"caliper/config"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Warnings returns what neither the registry nor the configuration shows
// alone: names in any session that stand for no toolset, rules of the policy
// that match no tool or cannot be read as a glob, a ranker that has nothing to learn from, tools of servers that take
// the name of a core tool, and tools that take a bridge name.
// configFile is the name to give positions in the configuration.
func (s *Snapshot) Warnings(configFile string) []model.Diagnostic {
	var out []model.Diagnostic
	sessions := s.Config.Sessions
	if len(s.Registry.Toolsets) == 0 {
		sessions = nil // no registry is named, or one without tools: every name would be unknown
	}
	for _, session := range sessions {
		for _, name := range s.facts.scopes.Unknown(session, s.Config.Agent) {
			section := "sessions."
			if session.Platform {
				section = "platform_toolsets."
			}
			out = append(out, model.Diagnostic{
				File: safetext.Line(configFile), Line: session.Line, Col: min(1, session.Line), Code: "unknown_toolset",
				Path:    section + safetext.Line(session.Name),
				Message: words.Message("no toolset is called " + safetext.Line(name) + s.facts.scopes.Meant(name)),
			})
		}
	}
	if s.Config.ToolSearch.Ranker == config.RankerLearned && s.inputs.Lessons == nil {
		out = append(out, model.Diagnostic{
			File: safetext.Line(configFile), Code: "nothing_learned", Path: config.KeyRanker,
			Message: words.Message("learned ranks as " + s.Config.ToolSearch.LearnOver + ": no file of labelled queries is named"),
		})
	}
	for _, f := range s.RuleFaults() {
		code := "idle_rule"
		if f.Malformed != nil {
			code = "malformed_glob"
		}
		out = append(out, model.Diagnostic{
			File: safetext.Line(configFile), Line: f.Rule.Line, Col: f.Rule.Col, Code: code,
			Path: fmt.Sprintf("policy[%d].match", f.Index), Message: f.Message(),
		})
	}
	file := "" // of the registry, when there is only one
	if len(s.Registry.Sources) == 1 {
		file = safetext.Line(s.Registry.Sources[0].Name)
	}
	for _, ts := range s.Registry.Toolsets {
		for _, name := range ts.Includes {
			if _, ok := s.Registry.Toolset(name); !ok {
				out = append(out, model.Diagnostic{
					File: file, Code: "unknown_toolset", Path: "toolsets." + ts.ShownName + ".includes",
					Message: words.Message("no toolset is called " + safetext.Line(name)),
				})
			}
		}
	}
	for _, t := range s.Registry.Tools {
		var code, text string
		switch {
		case s.class[t.Index] == Dropped:
			code, text = "bridge_name", fmt.Sprintf("%s is a bridge name: this tool is never sent", t.ShownName)
		case s.Core(t) && s.class[t.Index] == Visible && SourceOf(t.Toolset) == "mcp" && !PreSelects(s.assembly.Strategy):
			code, text = "core_name", fmt.Sprintf("%s of %s has a core tool's name, so it is always sent in full", t.ShownName, t.ShownToolset())
		default:
			continue
		}
		file, line, col := s.Registry.Where(t)
		out = append(out, model.Diagnostic{File: safetext.Line(file), Line: line, Col: col, Code: code, Message: words.Message(text)})
	}
	return out
}
