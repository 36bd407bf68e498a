package reach

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"caliper/engine/live"
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

// Posture is what the files of a client, its environment and its model say of its search.
type Posture struct {
	Search Search
	By     live.Setting // that says so; the zero value for a default of the client
	Value  string       // of By
	Model  string       // that the files name; empty for none
}

// PostureOf reads what decides deferral in a client, of whose configurations some are given. The
// environment is that of this program, and lookup may be nil. Measured on Claude Code 2.1.332
// and Codex 0.171.0; of other clients it is unknown.
func PostureOf(p live.ClientPlaces, client string, files []live.ClientFile, lookup func(string) (string, bool)) Posture {
	switch client {
	case "claude-code":
		return claudePosture(p, lookup)
	case "codex":
		return codexPosture(files)
	}
	return Posture{}
}

// Claude Code takes a variable from env of its settings before that of the environment, and of
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
	slices.SortStableFunc(settings, func(a, b live.ClaudeFile) int { return claudeRank(a.Name) - claudeRank(b.Name) })
	read := func(path ...string) (value string, by live.Setting) {
		for _, f := range settings {
			parsed, _, err := clientfile.Parse("-.json", f.Data)
			if v := parsed.Root.Member(path...); err == nil && (v.Kind == clientfile.Text || v.Kind == clientfile.Bool) {
				return v.Text, live.Setting{Key: strings.Join(path, "."), File: f.Name, Line: clientfile.Line("-.json", f.Data, path)}
			}
		}
		if len(path) == 2 && lookup != nil {
			if value, ok := lookup(path[1]); ok {
				return value, live.Setting{Key: path[1], File: inEnvironment}
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
	yes := func(value string) bool {
		return slices.Contains([]string{"1", "true", "yes", "on"}, strings.ToLower(value))
	}
	if value, by := read("env", "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS"); yes(value) {
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

// inEnvironment stands for the file of a variable of the environment.
const inEnvironment = "the environment"

// claudeBefore4 are the models for which Claude Code defers nothing.
var claudeBefore4 = []string{"claude-3-opus", "claude-3-sonnet", "claude-3-haiku", "claude-3-5-sonnet", "claude-3-5-haiku", "claude-3-7-sonnet"}

// claudeRank returns the turn of a file of settings, of which the first counts: what is local,
// then the project's, then the user's.
func claudeRank(path string) int {
	if filepath.Base(path) == "settings.local.json" {
		return 0
	}
	return 1
}

// codexModels are the models that Codex 0.171.0 knows; true for those that run programs instead
// of calling tools. Any other model is sent every tool.
var codexModels = map[string]bool{
	"gpt-5.5": false, "gpt-5.6-sol": true, "gpt-5.6-terra": true, "gpt-5.6-luna": true, "gpt-6-sol": true, "gpt-6-luna": true, "gpt-6-astra": true, "gpt-6.1-sol": true,
	"gpt-6.1-terra": true, "gpt-6.2-sol": true, "gpt-6.2-astra": true, "gpt-daybreak-blue-latest": true, "gpt-daybreak-red-latest": true, "codex-auto-review": true,
}

// codexPosture is PostureOf for Codex, whose search goes by the model alone: features.tool_search
// changes nothing. The first file that names a model counts.
func codexPosture(files []live.ClientFile) Posture {
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
}
