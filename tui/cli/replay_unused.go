package cli

import (
	"context"
	"path/filepath"
	"runtime/debug"
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

// remedies returns what was never called, or with --eager what it pays to keep eager, and the settings of
// clients for it. None of their files is written.
func (p *replaying) remedies(ctx context.Context, core []string, rep *replay.Report) (*runner.Outcome, error) {
	files, err := p.clientFiles(ctx, rep)
	if err != nil {
		return nil, err
	}
	var parts []reach.Part
	var list []reach.Trim
	var t replays.Trimmed
	if p.eager {
		for _, k := range rep.KeptByServer() {
			parts = append(parts, reach.Part{Tools: k.Tools, Whole: k.Saving > 0})
		}
		list, t.Left = reach.Keeps(parts, files)
		if file := p.run.Flags.Config; file != "" && len(parts) > 0 {
			list = append(list, reach.KeepCore(file, core, parts))
		}
	} else {
		for _, s := range rep.Unused.Servers {
			of := reach.Part{Whole: s.Idle()}
			for _, u := range s.Unused {
				if u.Observed() {
					of.Tools = append(of.Tools, u.Tool)
				}
			}
			if len(of.Tools) > 0 {
				parts = append(parts, of)
			}
		}
		list, t.Left = reach.Trims(parts, files, p.run.Places(), p.run.Flags.Config)
	}
	for _, x := range list { // each file once
		i := slices.IndexFunc(t.Diffs, func(d replays.TrimDiff) bool { return d.File == x.File })
		if i < 0 {
			data, err := workbench.ReadFile(x.File)
			if err != nil {
				return nil, runner.FileError(x.File, err)
			}
			i = len(t.Diffs)
			t.Diffs = append(t.Diffs, replays.TrimDiff{Client: x.Client, File: x.File, Old: data, New: data})
		}
		if t.Diffs[i].New, err = x.Write(t.Diffs[i].New); err != nil {
			return nil, runner.AsInputError(err)
		}
	}
	why, page, value := replays.UnkeptWords, replays.ReplayEager, runner.Object{{"eager", eagerJSON(rep)}}
	if !p.eager {
		why, page = replays.UntrimmedWords, replays.ReplayUnused
		value = runner.Object{{"sessions", rep.Unused.Sessions}, {"sessions_without_tools", rep.Unused.Silent}, {"unused", unusedJSON(rep, true)}}
		if len(files) == 0 {
			p.run.Complain("caliper: no configuration of a client was read: --mcp-config FILE shows what leaves these out")
		}
	}
	value = append(value,
		runner.Member{"changes", runner.Array(t.Diffs, func(d replays.TrimDiff) runner.Object {
			return runner.Object{{"client", d.Client}, {"file", d.File}, {"diff", d.Unified()}}
		})},
		runner.Member{"unchanged", runner.Array(t.Left, func(u reach.Untrimmed) runner.Object {
			return runner.Object{{"client", runner.OrNull(u.Client)}, {"file", u.File}, {"server", u.Server}, {"tools", u.Tools}, {"why", why(u).String()}}
		})})
	return &runner.Outcome{Value: value, Page: page(replays.Replayed{Report: rep}, t)}, nil
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
		for _, s := range rep.Sessions {
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

// eagerJSON returns the tools that sessions use for JSON, with what it saves to keep each eager.
func eagerJSON(rep *replay.Report) []runner.Object {
	return runner.Array(rep.Eager.Tools, func(e replay.Eager) runner.Object {
		return runner.Object{{"tool", e.Tool.Qualified}, {"uses", e.Uses}, {"sessions", e.Sessions}, {"schema_tokens", replays.WholeTokens(e.SchemaTokens)}, {"saving", runner.NullUnless(rep.Eager.Priced, e.Saving)}}
	})
}

// cacheJSON returns who broke the prefix of requests, and the remedies, for JSON. Servers and
// tools are those at which a prefix first differs; costs without a price are null. Each request is among it where that is asked for.
func cacheJSON(rep *replay.Report, each bool) runner.Object {
	c, id := &rep.Cache, idsOf(rep)
	sums := func(kind string, list []replay.BreakSum) []runner.Object {
		return runner.Array(list, func(s replay.BreakSum) runner.Object {
			return runner.Object{{kind, s.Name}, {"breaks", s.Breaks}, {"tokens", s.Tokens}, {"cost", s.Cost}}
		})
	}
	out := runner.Object{
		{"requests", c.Requests}, {"first_requests", c.First}, {"after_compaction", c.Compacted}, {"without_usage", c.Unknown}, {"could_read", c.Could}, {"read", c.Read}, {"billed_again", c.Again}, {"off_pct", c.OffPct()},
		{"breaks", runner.Each(c.Breaks, func(b replay.Break) runner.Object {
			return runner.Object{{"session", id(b.Session)}, {"request", b.Request}, {"cause", string(b.Cause)}, {"tool", runner.OrNull(b.Tool)}, {"server", runner.OrNull(b.Server)}, {"more_tools", runner.NotNull(b.Others)}, {"setting", runner.OrNull(b.Setting)},
				{"pause_s", int(b.Pause.Seconds())}, {"why", runner.OrNull(replays.BreakGap(b.Gap))}, {"tokens", b.Tokens}, {"cost", b.Cost}}
		})},
		{"causes", sums("cause", c.Causes)}, {"servers", sums("server", c.Servers)}, {"tools", sums("tool", c.Tools)},
		{"remedies", runner.Array(c.Remedies, func(m replay.Remedied) runner.Object {
			return runner.Object{{"remedy", string(m.Remedy)}, {"breaks_mended", m.Breaks}, {"requests", m.Requests}, {"tokens", m.Tokens.Input}, {"cached_tokens", m.Tokens.Cached}, {"written_tokens", m.Tokens.Written}, {"cost", m.Cost}}
		})},
	}
	if each {
		out = append(out, runner.Member{"each", runner.Each(c.Each, func(r replay.CacheRead) runner.Object {
			return runner.Object{{"session", id(r.Session)}, {"request", r.Request}, {"could_read", r.Could}, {"read", r.Read}}
		})})
	}
	return out
}

const (
	// leastMemory is the memory that a replay may take before garbage is collected more
	// often: 500 MB of logs are to take 250 MB at most, with memory outside the heap.
	leastMemory = 200 << 20
	// memoryShare is the share of the bytes of larger logs that they may take instead, as
	// its inverse: more than their sessions, so that collecting never takes most of the
	// time.
	memoryShare = 3
	// memoryStep is how many bytes of logs are read until the bound is set anew, which
	// stops all threads for a moment. Logs that are smaller need none.
	memoryStep = 64 << 20
)

// memoryBound bounds the memory of the process while logs are read and computed.
type memoryBound struct {
	before int64 // the limit that was in force; 0 until it is changed
	steps  int
}

// read notes that so many bytes of logs were read.
func (r *memoryBound) read(bytes int) {
	if steps := bytes / memoryStep; steps > r.steps {
		r.steps = steps
		if r.before == 0 {
			r.before = debug.SetMemoryLimit(-1) // which only asks
		}
		debug.SetMemoryLimit(min(r.before, max(leastMemory, int64(bytes)/memoryShare)))
	}
}

// end puts back the limit that was in force.
func (r *memoryBound) end() {
	if r.before != 0 {
		debug.SetMemoryLimit(r.before)
	}
}
