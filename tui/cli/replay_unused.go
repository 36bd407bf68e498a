package cli

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"caliper/engine/live"
	"caliper/engine/reach"
	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/tui/cli/runner"
	"caliper/tui/report/replays"
	"caliper/tui/workbench"
)

// logging are the clients that write the logs of agents.
var logging = map[transcript.Agent]string{transcript.Claude: "claude-code", transcript.Codex: "codex", transcript.Hermes: "hermes", transcript.Copilot: "copilot"}

// idle returns what was never called, and how clients leave it out. None of their files is
// written.
func (p *replaying) idle(ctx context.Context, rep *replay.Report) (*runner.Outcome, error) {
	files, err := p.clientFiles(ctx, rep)
	if err != nil {
		return nil, err
	}
	trimmed, err := trims(rep, files, p.run.Places(), p.run.Flags.Config)
	if err != nil {
		return nil, err
	}
	value := runner.Object{{"sessions", rep.Unused.Sessions}, {"sessions_without_tools", rep.Unused.Silent}, {"unused", unusedJSON(rep, true)},
		{"changes", runner.Array(trimmed.Diffs, func(d replays.TrimDiff) runner.Object {
			return runner.Object{{"client", d.Client}, {"file", d.File}, {"diff", d.Unified()}}
		})},
		{"unchanged", runner.Array(trimmed.Left, func(u reach.Untrimmed) runner.Object {
			return runner.Object{{"client", runner.OrNull(u.Client)}, {"file", u.File}, {"server", u.Server}, {"tools", u.Tools}, {"why", replays.UntrimmedWords(u).String()}}
		})}}
	if len(files) == 0 {
		p.run.Complain("caliper: no configuration of a client was read: --mcp-config FILE shows what leaves these out")
	}
	return &runner.Outcome{Value: value, Page: replays.ReplayUnused(replays.Replayed{Report: rep}, trimmed)}, nil
}

// clientFiles returns the configurations of --mcp-config, or else those of the agents that wrote the logs at
// their usual places; and that of the reference agent.
func (p *replaying) clientFiles(ctx context.Context, rep *replay.Report) (files []live.ClientFile, err error) {
	r := p.run
	for _, path := range p.clients {
		data, err := runner.ReadInput(path)
		if err != nil {
			return nil, err
		}
		of, err := live.ParseClientConfig(path, data)
		if err != nil {
			return nil, runner.AsInputError(err)
		}
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		files = append(files, live.ClientFile{Path: path, Config: of})
	}
	r.Places().Heed(files)
	if p.clients == nil && !r.Flags.Demo {
		var of []string
		for _, s := range rep.Each() {
			if client := logging[s.Agent]; client != "" && !slices.Contains(of, client) {
				of = append(of, client)
			}
		}
		looking, stop := context.WithTimeout(ctx, runner.FindTime)
		defer stop()
		files = slices.DeleteFunc(live.FindClients(looking, r.Places()), func(f live.ClientFile) bool { return f.Problem != "" || !slices.Contains(of, f.Client) })
	}
	if data, err := workbench.ReadFile(r.Flags.Config); r.Flags.Config != "" && err == nil {
		of, err := live.ParseClientConfig(r.Flags.Config, data)
		if err == nil && of.Client == "hermes" && !slices.ContainsFunc(files, func(f live.ClientFile) bool { return f.Path == r.Flags.Config }) {
			files = append(files, live.ClientFile{Path: r.Flags.Config, Config: of})
		}
	}
	return files, nil
}

// trims returns the changes of the files by which clients leave out what was there and never
// called, file by file.
func trims(rep *replay.Report, files []live.ClientFile, places live.ClientPlaces, config string) (t replays.Trimmed, err error) {
	var idle []reach.Idle
	for _, s := range rep.Unused.Servers {
		of := reach.Idle{Whole: s.Idle()}
		for _, u := range s.Unused {
			if u.Observed() {
				of.Tools = append(of.Tools, u.Tool)
			}
		}
		if len(of.Tools) > 0 {
			idle = append(idle, of)
		}
	}
	list, left := reach.Trims(idle, files, places, config)
	t.Left = left
	for _, x := range list {
		i := slices.IndexFunc(t.Diffs, func(d replays.TrimDiff) bool { return d.File == x.File })
		if i < 0 {
			data, err := workbench.ReadFile(x.File)
			if err != nil {
				return t, runner.FileError(x.File, err)
			}
			i = len(t.Diffs)
			t.Diffs = append(t.Diffs, replays.TrimDiff{Client: x.Client, File: x.File, Old: data, New: data})
		}
		if t.Diffs[i].New, err = x.Write(t.Diffs[i].New); err != nil {
			return t, runner.AsInputError(err)
		}
	}
	return t, nil
}

// unusedJSON returns what was never called for JSON. What was not observed has nulls in place of figures;
// the names of files are evidence that is asked for.
func unusedJSON(rep *replay.Report, files bool) []runner.Object {
	of := func(head runner.Object, e replay.Evidence) runner.Object {
		day := func(at time.Time) any { return runner.NullUnless(!at.IsZero(), at.UTC().Format(time.RFC3339)) }
		out := append(head, runner.Member{"observed", e.Observed()}, runner.Member{"sessions", e.Sessions}, runner.Member{"requests", e.Requests}, runner.Member{"days", e.Days()}, runner.Member{"first", day(e.First)}, runner.Member{"last", day(e.Last)})
		for _, m := range (runner.Object{{"tokens_a_turn", replays.WholeTokens(e.ATurn())}, {"tokens", e.Tokens}, {"cost", e.Cost}}) {
			out = append(out, runner.Member{m.Name, runner.NullUnless(e.Observed(), m.Value)})
		}
		return out
	}
	return runner.Array(rep.Unused.Servers, func(s replay.UnusedServer) runner.Object {
		out := append(of(runner.Object{{"server", s.Name}, {"tools", s.Tools}, {"calls", s.Calls}}, s.Evidence), runner.Member{"files", s.Files})
		if files {
			out = append(out, runner.Member{"among", s.Among})
		}
		return append(out,
			runner.Member{"never_called", runner.Array(s.Unused, func(u replay.UnusedTool) runner.Object {
				return of(runner.Object{{"tool", u.Tool.Qualified}, {"schema_tokens", u.Schema}}, u.Evidence)
			})})
	})
}

// searchesJSON returns what the agents' own searches returned for JSON.
func searchesJSON(rep *replay.Report) runner.Object {
	s := &rep.Searching
	return runner.Object{{"needs", s.Needs}, {"searches", s.Searches}, {"needs_with", runner.Object{{"one", s.ByCount[0]}, {"two", s.ByCount[1]}, {"more", s.ByCount[2]}}},
		{"answers_logged", s.Told}, {"answers_empty", s.Empty}, {"needs_uncalled", s.Uncalled},
		{"calls", runner.Object{{"both", s.Both}, {"agent_alone", s.OwnAlone}, {"ranker_alone", s.RankerAlone}, {"nobody", s.Nobody}}},
		{"found_never_called", runner.Array(s.Idle, func(t replay.IdleTool) runner.Object {
			return runner.Object{{"tool", t.Tool.Qualified}, {"returned", t.Returned}}
		})}}
}
