package cli

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"caliper/engine/diff"
	"caliper/engine/lint"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/tui/cli/runner"
)

// ciFiles are the files that lint and gate write for a CI, beside their answer.
type ciFiles struct{ sarif, badge string }

// flags declares the flags that name them.
func (c *ciFiles) flags(f runner.FlagSet) {
	f.Written(&c.sarif, "sarif", "FILE", "also write it as SARIF 2.1.0, for code scanning")
	f.Written(&c.badge, "badge", "FILE", "also write a badge, as shields.io reads it")
}

// write writes the files that are named: the results, and a badge of one line.
func (c *ciFiles) write(r *runner.Run, run sarifRun, badge string, good bool) error {
	if c.sarif != "" {
		if err := r.WriteJSONFile(c.sarif, run.log()); err != nil {
			return err
		}
	}
	if c.badge == "" {
		return nil
	}
	color := "brightgreen"
	if !good {
		color = "red"
	}
	line, err := runner.Object{{"schemaVersion", 1}, {"label", "tools"}, {"message", badge}, {"color", color}}.MarshalJSON()
	if err != nil {
		return err
	}
	return r.WriteFile(c.badge, append(line, '\n'))
}

// sarifRun holds the findings of one command.
type sarifRun struct {
	command  string
	work     string // the folder that relative names are in, which is the root of the sources
	registry *model.Registry
	config   string // its file; empty: none is named
	results  func() []sarifResult
}

// sarifResult is a finding of lint, or a reason of gate.
type sarifResult struct {
	rule     string // a code of lint, or a kind of gate's
	level    string // error, warning or note
	message  string // in one line that is safe for a terminal
	tools    []string
	settings bool             // it is about the configuration
	at       model.Diagnostic // where it is, in a file beside the registry; zero: not in one
}

// lintResults returns the findings for SARIF, in their order.
func lintResults(found []lint.Finding) []sarifResult {
	return runner.Array(found, func(f lint.Finding) sarifResult {
		r := sarifResult{level: string(f.Severity), message: f.Message}.of(f.Code)
		if f.At != nil {
			r.at = *f.At
		}
		if f.Severity == lint.Info {
			r.level = "note"
		}
		if f.Tool != nil {
			r.tools, r.message = []string{f.Tool.Qualified}, f.Tool.ShownName+": "+r.message
		}
		if f.Remedy != nil {
			r.message += " → " + f.Remedy.Change
		}
		return r
	})
}

// of returns the result as one of lint's rules.
func (r sarifResult) of(c lint.Code) sarifResult {
	r.rule, r.settings = string(c), c == lint.MalformedGlob || c == lint.IdleRule
	return r
}

// gateMeanings are what the kinds of reasons are about.
var gateMeanings = map[diff.ReasonKind]string{
	diff.KindScope:      "a session reaches a tool that it must not",
	diff.KindSession:    "a session is gone",
	diff.KindActivation: "tool search is switched on or off in a session",
	diff.KindRemoved:    "a tool is gone, and nothing else meets what labelled queries need",
	diff.KindRecall:     "labelled queries find fewer of their tools, by more than chance",
	diff.KindHost:       "an agent finds less than it found",
	diff.KindTokens:     "the session sends more tokens than are allowed",
}

// log returns the run as a log of SARIF 2.1.0, of the members that code scanning reads
// (OASIS, Static Analysis Results Interchange Format, section 3).
func (s sarifRun) log() runner.Object {
	var rules []runner.Object
	index := map[string]int{}
	results := s.results()
	for _, r := range results {
		if _, ok := index[r.rule]; ok {
			continue
		}
		index[r.rule] = len(rules)
		label, meaning := r.rule, gateMeanings[diff.ReasonKind(r.rule)]
		if c := lint.Code(r.rule); meaning == "" {
			label, meaning = c.Label(), c.Meaning()
		}
		rules = append(rules, runner.Object{
			{"id", r.rule},
			{"shortDescription", runner.Object{{"text", label}}},
			{"fullDescription", runner.Object{{"text", meaning}}},
			{"help", runner.Object{{"text", "See caliper " + s.command + " --help."}}},
		})
	}
	lines := make([]*jsontree.Lines, len(s.registry.Sources))
	for i, source := range s.registry.Sources {
		lines[i] = jsontree.NewLines(source.Data)
	}
	return runner.Object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
		{"version", "2.1.0"},
		{"runs", []runner.Object{{
			{"tool", runner.Object{{"driver", runner.Object{{"name", "caliper"}, {"version", runner.Version()}, {"rules", runner.NotNull(rules)}}}}},
			// Later runs of one id take the place of earlier ones.
			{"automationDetails", runner.Object{{"id", "caliper " + s.command + "/"}}},
			{"columnKind", "unicodeCodePoints"},
			{"results", runner.Each(results, func(r sarifResult) runner.Object {
				return runner.Object{
					{"ruleId", r.rule}, {"ruleIndex", index[r.rule]}, {"level", r.level},
					{"message", runner.Object{{"text", literal.Replace(r.message)}}},
					{"locations", s.locations(r, lines)},
				}
			})},
		}}},
	}
}

// literal returns a text as a message of SARIF that reads so.
//
// SECURITY: [text](address) is a link in a message, {0} an argument and {{ a brace; names
// and descriptions of tools are foreign.
var literal = strings.NewReplacer("](", "] (", "{", "{{", "}", "}}")

// locations returns where a result is: in the configuration for its settings, at each of its
// tools, or else in the first file of the registry, since code scanning leaves out findings without a file.
func (s sarifRun) locations(r sarifResult, lines []*jsontree.Lines) []runner.Object {
	// The place of a region in a file; nil: of the file. One below the working folder is named from
	// there, whatever the user called it.
	file := func(name string, region runner.Object) runner.Object {
		full := name
		if !filepath.IsAbs(name) {
			full = filepath.Join(s.work, name)
		}
		at := runner.Object{{"uri", (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(full), "/")}).String()}}
		if below, err := filepath.Rel(s.work, full); err == nil && filepath.IsLocal(below) {
			at = runner.Object{{"uri", (&url.URL{Path: filepath.ToSlash(below)}).String()}, {"uriBaseId", "%SRCROOT%"}}
		}
		out := runner.Object{{"artifactLocation", at}}
		if region != nil {
			out = append(out, runner.Member{Name: "region", Value: region})
		}
		return out
	}
	if r.at.File != "" {
		return []runner.Object{{{"physicalLocation", file(r.at.File, runner.Object{{"startLine", max(1, r.at.Line)}})}}}
	}
	out := []runner.Object{}
	for _, name := range append(slices.Clip(r.tools), "") { // which is the registry as a whole
		if name == "" && len(out) > 0 {
			continue
		}
		var at runner.Object
		var place runner.Object
		t := s.registry.Named(name)
		switch {
		case r.settings && s.config != "":
			place = file(s.config, nil)
		case t != nil:
			source := s.registry.Sources[t.At.Source]
			line, col := lines[t.At.Source].Position(int(t.At.Byte))
			before := source.Data[int(t.At.Byte)-(col-1) : t.At.Byte]
			place = file(source.Name, runner.Object{{"startLine", line}, {"startColumn", utf8.RuneCount(before) + 1}})
		case len(s.registry.Sources) > 0:
			place = file(s.registry.Sources[0].Name, nil)
		}
		if place != nil {
			at = append(at, runner.Member{Name: "physicalLocation", Value: place})
		}
		if name != "" { // SECURITY: the name of a tool is foreign.
			at = append(at, runner.Member{Name: "logicalLocations", Value: []runner.Object{{{"fullyQualifiedName", safetext.Line(name)}, {"kind", "function"}}}})
		}
		if at != nil {
			out = append(out, at)
		}
	}
	return out
}
