package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"caliper/config"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/engine/whatif"
	"caliper/model"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report/changes"
	"caliper/tui/workbench"
)

// tryRow is `try`: what another description of a tool does.
func (r *run) tryRow() runner.Row {
	var name, queriesFile string
	var descriptions []string // as given: texts, or @ and a file
	var accept bool
	return runner.Row{
		Flags: func(f runner.FlagSet) {
			f.Text(&name, "tool", "NAME", "the tool: the name that the model sees, or toolset/name")
			f.Text(&queriesFile, "queries", "FILE", "labelled queries, as eval reads them; on the demo its own")
			f.Value("description", "TEXT", "a description to try, or @FILE; may be repeated; none: the doctor proposes", func(s string) error {
				descriptions = append(descriptions, s)
				return nil
			})
			f.On(&accept, "accept", "write the best, unless it is worse, to the file of --overrides")
			f.On(&r.Flags.Markdown, "markdown", "print a request for a writer, as Markdown")
		},
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			overrides := r.Flags.Bench.Overrides
			switch _, err := os.Stat(overrides); {
			case name == "":
				return nil, runner.Usagef("--tool: missing")
			case r.Flags.Markdown && len(descriptions) > 0:
				return nil, runner.Usagef("--markdown asks for a description, and excludes --description")
			case accept && overrides == "":
				return nil, runner.Usagef("--accept: name the file to write with --overrides")
			case accept && errors.Is(err, fs.ErrNotExist):
				r.Flags.Bench.Overrides = "" // it is created
			}
			texts, err := descriptionsOf(descriptions)
			if err != nil {
				return nil, err
			}
			queries, err := r.LabelledOrDemo(queriesFile)
			if queries == nil && err == nil {
				err = runner.InputError("--queries", "missing: want the labelled queries that the description is measured by")
			}
			if err != nil {
				return nil, err
			}
			st, err := r.LoadGood(ctx)
			if err != nil {
				return nil, err
			}
			tool, err := toolNamed(st, name)
			if err != nil {
				return nil, err
			}
			if r.Flags.Markdown {
				request, err := whatif.RequestFor(ctx, st.Snapshot.Unasked(), tool, queries)
				if err != nil {
					return nil, err
				}
				return &runner.Outcome{Markdown: changes.WritersRequest(request)}, nil
			}
			var all []whatif.Judgement
			if proposed := len(texts) == 0; proposed {
				all, err = whatif.Propose(ctx, st.Snapshot.Unasked(), tool, queries, r.Counts("proposals measured"))
			} else {
				all, err = whatif.Judge(ctx, st.Snapshot.Unasked(), tool, queries, texts)
			}
			if err == nil && accept && len(all) > 0 && all[0].Verdict() != retrieval.Worse {
				err = r.override(overrides, st, tool, all[0].Description)
			}
			if err != nil {
				return nil, err
			}
			return &runner.Outcome{
				Value: runner.Object{{"tool", tool.Qualified}, {"candidates", runner.Array(all, func(j whatif.Judgement) runner.Object { return judgementJSON(tool, j) })}},
				Page:  changes.Judgements(tool, all, len(texts) == 0, whatif.Asking(st.Snapshot.Unasked(), tool, queries)),
				No:    len(all) == 0 || all[0].Verdict() != retrieval.Better,
			}, nil
		},
	}
}

// override writes the description of a tool to an overrides file, and the diff to standard
// error.
func (r *run) override(file string, st workbench.State, tool *model.Tool, description string) error {
	change, err := workbench.ProposeOverrides(file, st.Snapshot.Registry, []workbench.Edit{{Tool: tool.Qualified, Description: description}})
	if err != nil {
		var d model.Diagnostic
		if errors.As(err, &d) {
			return runner.InputErrors{d}
		}
		return runner.FileError(file, err)
	}
	lines := config.Diff(change.Old, change.New)
	if len(lines) == 0 {
		r.Complain(file + ": has this description already")
		return nil
	}
	for line := range strings.Lines(config.Unified(file, file, lines)) {
		r.Complain(strings.TrimSuffix(line, "\n"))
	}
	if err := change.Write(); err != nil {
		return runner.FileError(file, err)
	}
	return nil
}

// toolNamed returns the tool of the registry that a label would mean by a name.
func toolNamed(st workbench.State, name string) (*model.Tool, error) {
	switch found := st.Snapshot.Registry.Called(name); len(found) {
	case 0:
		what := "no tool of the registry has this name"
		if meant := st.Snapshot.Suggest(name); len(meant) > 0 {
			what += "; did you mean " + meant[0] + "?"
		}
		return nil, runner.InputError("--tool "+name, what)
	case 1:
		return found[0], nil
	default:
		var names []string
		for _, t := range found {
			names = append(names, t.Qualified)
		}
		return nil, runner.InputError("--tool "+name, fmt.Sprintf("%d tools have this name: %s", len(found), words.Or(names)))
	}
}

// descriptionsOf returns the texts of the flags --description. Those of a file are the elements
// of a YAML or JSON list, otherwise the whole file without white space around it.
func descriptionsOf(flags []string) (texts []string, err error) {
	for _, f := range flags {
		name, isFile := strings.CutPrefix(f, "@")
		if !isFile {
			texts = append(texts, f)
			continue
		}
		data, err := runner.ReadInput(name)
		if err != nil {
			return nil, err
		}
		text, lower := strings.TrimSpace(string(data)), strings.ToLower(name)
		if !strings.HasPrefix(text, "[") && !strings.HasSuffix(lower, ".yaml") && !strings.HasSuffix(lower, ".yml") && !strings.HasSuffix(lower, ".json") {
			texts = append(texts, text)
			continue
		}
		var document yaml.Node
		if err := yaml.Unmarshal(data, &document); err != nil {
			return nil, runner.InputError(name, err.Error())
		}
		if len(document.Content) == 0 {
			return nil, runner.InputError(name, "no description in it")
		}
		root := document.Content[0]
		list := []*yaml.Node{root}
		if root.Kind != yaml.ScalarNode {
			if list = root.Content; root.Kind != yaml.SequenceNode || len(list) == 0 {
				return nil, runner.InputError(fmt.Sprintf("%s:%d:%d", name, root.Line, root.Column), "want one text, or a list of texts")
			}
		}
		for _, n := range list {
			if n.Kind != yaml.ScalarNode {
				return nil, runner.InputError(fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column), "want a text")
			}
			texts = append(texts, n.Value)
		}
	}
	return texts, nil
}

// judgementJSON returns what a description does to a tool for JSON.
func judgementJSON(tool *model.Tool, j whatif.Judgement) runner.Object {
	before, after := j.Outcome.Worded()
	return runner.Object{
		{"description", j.Description},
		{"tokens_before", j.TokensBefore},
		{"tokens_after", j.TokensAfter},
		{"recall", runner.Object{{"before", j.Outcome.Before}, {"after", j.Outcome.After}, {"low", j.Low}, {"high", j.High}, {"limit", j.Outcome.Limit}}},
		{"wording", runner.ByWording(func(c labels.WordClass) (int, runner.Object) {
			return after[c].Queries, runner.Object{{"before", before[c].Recall}, {"after", after[c].Recall}}
		})},
		{"queries", runner.Array(j.Outcome.Asked, func(a whatif.Asked) runner.Object {
			before, after := a.Ranks()
			return runner.Object{{"id", a.Query.ID}, {"query", a.Query.Text}, {"rank_before", runner.OrNull(before)}, {"rank_after", runner.OrNull(after)}, {"expects_tool", a.Own}}
		})},
		{"hurt", runner.Array(j.Hurt(tool), func(h whatif.Hurt) runner.Object {
			return runner.Object{{"id", h.Query.ID}, {"tool", h.Tool.Qualified}, {"rank_before", runner.OrNull(h.Before)}, {"rank_after", runner.OrNull(h.After)}}
		})},
		{"verdict", j.Verdict().String()},
		{"difference", runner.Object{{"mean", j.Difference.Mean}, {"low", j.Difference.Low}, {"high", j.Difference.High}, {"p", j.Difference.P}, {"needed_queries", j.Difference.Needed}}},
		{"net_harm", j.NetHarm},
		{"words", runner.Array(j.Words, func(w whatif.Word) runner.Object {
			return runner.Object{{"word", w.Text}, {"from", w.Reasons}, {"proposed_by", runner.NotNull(w.Queries)}}
		})},
	}
}
