package reach

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/live"
	"caliper/model"
	"caliper/model/clientfile"
)

// Search is whether the model of a client has a search of tools.
type Search string

// What is known of a search.
const (
	SearchUnknown Search = ""
	SearchOn      Search = "on"
	SearchOff     Search = "off"     // every tool is sent
	SearchBySize  Search = "by_size" // on where the definitions exceed a share of the context
	SearchInCode  Search = "in_code" // the model has programs in its place, which read the list of all tools
)

// Posture is the state of a client's search by its files, its environment and its model.
type Posture struct {
	Search Search
	By     live.Setting // that says so; the zero value for a default of the client
	Value  string       // of By
	Model  string       // that the files name; empty for none
}

// PostureOf reads what decides deferral in a client, of whose configurations some are given. The
// environment is that of this program, and lookup may be nil. Measured on Claude Code 2.1.332
// and Codex 0.171.0, read in the source of pi 1.6.0; of other clients it is unknown.
func PostureOf(p live.ClientPlaces, client string, files []live.ClientFile, lookup func(string) (string, bool)) Posture {
	switch client {
	case "claude-code":
		return claudePosture(p, lookup)
	case "codex":
		// Its search goes by the model alone: features.tool_search changes nothing. The first
		// file that names a model counts.
		for _, f := range files {
			data, err := live.ReadClientBytes(f.Path)
			if err != nil {
				continue
			}
			parsed, _, err := clientfile.Parse(f.Path, data)
			model := parsed.Root.Member("model").Text
			if err != nil || model == "" {
				continue
			}
			out := Posture{SearchOff, live.Setting{Key: "model", File: f.Path, Line: clientfile.Line(f.Path, data, []string{"model"})}, model, model}
			switch programs, known := codexModels[model]; {
			case programs:
				out.Search = SearchInCode
			case known:
				out.Search = SearchOn
			}
			return out
		}
		return Posture{}
	case "pi":
		return piPosture(p)
	}
	return Posture{}
}

// claudePosture is PostureOf for Claude Code, which takes a variable from env of its settings before that of the environment, and of
// several files from settings.local.json, then settings.json of the folder, then the user's.
// CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS switches its search off, and ENABLE_TOOL_SEARCH says:
//
//	auto:100, 0, false, no, off      off
//	auto, auto:N                     by size: on where the definitions exceed N (10) % of the context
//	auto:0, anything else, nothing   on
//
// A permissions.deny of ToolSearch takes the search away, and every tool is sent; so does a
// model of the generations 3 to 3.7.
func claudePosture(p live.ClientPlaces, lookup func(string) (string, bool)) (found Posture) {
	settings := p.ClaudeSettings(p.Work, live.ClaudeProject(p.Work))
	model.Sort(settings, func(a, b live.ClaudeFile) int { return strings.Compare(filepath.Base(b.Name), filepath.Base(a.Name)) })
	read := func(path ...string) (value string, by live.Setting) {
		for _, f := range settings {
			parsed, _, err := clientfile.Parse("-.json", f.Data)
			if v := parsed.Root.Member(path...); err == nil && (v.Kind == clientfile.Text || v.Kind == clientfile.Bool) {
				return v.Text, live.Setting{Key: strings.Join(path, "."), File: f.Name, Line: clientfile.Line("-.json", f.Data, path)}
			}
		}
		if len(path) == 2 && lookup != nil {
			if value, ok := lookup(path[1]); ok {
				return value, live.Setting{Key: path[1], File: "the environment"}
			}
		}
		return "", live.Setting{}
	}
	model, by := read("env", "ANTHROPIC_MODEL")
	if model == "" {
		model, by = read("model")
	}
	found = Posture{Search: SearchOn, Model: model}
	if slices.ContainsFunc(claudeBefore4, func(old string) bool { return strings.Contains(model, old) }) {
		return Posture{SearchOff, by, model, model}
	}
	for _, f := range settings {
		parsed, _, _ := clientfile.Parse("-.json", f.Data)
		if slices.Contains(parsed.Root.Member("permissions", "deny").Strings(), "ToolSearch") {
			return Posture{SearchOff, live.Setting{Key: "permissions.deny", File: f.Name, Line: clientfile.Line("-.json", f.Data, []string{"permissions", "deny"})}, "ToolSearch", model}
		}
	}
	if value, by := read("env", "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS"); slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(value)) {
		return Posture{SearchOff, by, value, model}
	}
	found.Value, found.By = read("env", "ENABLE_TOOL_SEARCH")
	switch share, sized := strings.CutPrefix(found.Value, "auto"); {
	case sized && share == "":
		found.Search = SearchBySize
	case sized && share[0] == ':':
		switch n, err := strconv.ParseFloat(share[1:], 64); {
		case err == nil && n <= 0:
		case err == nil && n >= 100:
			found.Search = SearchOff
		default:
			found.Search = SearchBySize
		}
	case slices.Contains([]string{"0", "false", "no", "off"}, strings.ToLower(found.Value)):
		found.Search = SearchOff
	}
	return found
}

// claudeBefore4 are the models for which Claude Code defers nothing.
var claudeBefore4 = []string{"claude-3-opus", "claude-3-sonnet", "claude-3-haiku", "claude-3-5-sonnet", "claude-3-5-haiku", "claude-3-7-sonnet"}

// codexModels are the models that Codex 0.171.0 knows; true for those that run programs instead
// of calling tools. Any other model is sent every tool.
var codexModels = map[string]bool{
	"gpt-5.5": false, "gpt-5.6-sol": true, "gpt-5.6-terra": true, "gpt-5.6-luna": true, "gpt-6-sol": true, "gpt-6-luna": true, "gpt-6-astra": true, "gpt-6.1-sol": true,
	"gpt-6.1-terra": true, "gpt-6.2-sol": true, "gpt-6.2-astra": true, "gpt-daybreak-blue-latest": true, "gpt-daybreak-red-latest": true, "codex-auto-review": true,
}

// piPosture is PostureOf for pi, in a folder that it trusts, whose files come over the user's. What is
// not sent is reached by tool_search, which is on where defaultTools names it or a server has the
// exposure deferred; else by programs, which pi runs where a server has the exposure codemode, or none,
// unless autoEnableCodemode is false; else by nothing: then By says so.
func piPosture(p live.ClientPlaces) Posture {
	read := func(folder, name string) (root clientfile.Value, line func(keys ...string) live.Setting) {
		path := filepath.Join(folder, name)
		data, _ := live.ReadClientBytes(path) // without a file that cannot be read pi goes on too
		parsed, _, _ := clientfile.Parse(path, data)
		return parsed.Root, func(keys ...string) live.Setting {
			return live.Setting{Key: strings.Join(keys, "."), File: path, Line: clientfile.Line(path, data, keys)}
		}
	}
	servers, off, auto := map[string]clientfile.Value{}, false, live.Setting{}
	chosen, exposures, by := map[string]live.Setting{}, map[string]live.Setting{}, map[string]live.Setting{}
	for _, folder := range []string{cmp.Or(p.Pi, filepath.Join(p.Home, ".pi", "agent")), filepath.Join(p.Work, ".pi")} {
		settings, line := read(folder, "settings.json")
		names := settings.Member("defaultTools").Strings()
		if slices.ContainsFunc(names, func(n string) bool { return strings.TrimLeft(n, "+-") == n }) {
			clear(chosen) // only a list of nothing but +NAME and -NAME changes the other
		}
		for _, n := range names {
			chosen[strings.TrimLeft(n, "+-")] = line("defaultTools")
			if strings.HasPrefix(n, "-") {
				delete(chosen, n[1:])
			}
		}
		mcp, line := read(folder, "mcp.json")
		if v := mcp.Member("autoEnableCodemode"); v.Kind == clientfile.Bool {
			auto, off = line("autoEnableCodemode"), v.Text == "false"
		}
		for _, m := range mcp.Member("mcpServers").Members {
			for _, own := range m.Members {
				by[m.Name+"."+own.Name] = line("mcpServers", m.Name, own.Name)
			}
			if m.Overrides() {
				m.Members = append(slices.Clone(m.Members), servers[m.Name].Members...)
			}
			servers[m.Name] = m.Value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if v := servers[name]; !v.Member("enabled").Says("false") {
			exposures[cmp.Or(v.Member("exposure").Text, "codemode")] = by[name+".exposure"]
			for _, m := range v.Member("toolExposure").Members {
				exposures[m.Text] = by[name+".toolExposure"]
			}
		}
	}
	_, programs := exposures["codemode"]
	switch {
	case exposures["deferred"].Key != "":
		return Posture{Search: SearchOn, By: exposures["deferred"], Value: "deferred"}
	case chosen["tool_search"].Key != "":
		return Posture{Search: SearchOn, By: chosen["tool_search"], Value: "tool_search"}
	case exposures["direct"].Key != "" && !programs:
		return Posture{Search: SearchOff, By: exposures["direct"], Value: "direct"}
	case !off || chosen["codemode"].Key != "":
		return Posture{Search: SearchInCode}
	}
	return Posture{By: auto}
}
