package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/engine/labels"
	"caliper/engine/replay"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model/words"
	"caliper/tui/cli/runner"
	"caliper/tui/report/replays"
	"caliper/tui/workbench"
)

// replaying is the flags of replay.
type replaying struct {
	run        *run
	in         replay.Inputs // with the rankers
	since      time.Time     // zero: everything
	agent      transcript.Agent
	strategies []string // nil: all
	prices     string
	queriesOut string
	texts      bool
	calls      bool
	bars       map[string]float64 // the least share of deferrable calls that are "found", the most "loops", "breaks" and tools "unused"
	unused     bool               // what was never called, alone
	eager      bool               // what to keep eager, alone
	clients    []string
	memory     memoryBound
}

// replayRow is `replay`: what the user's own sessions say about tool
// search.
func (r *run) replayRow() runner.Row {
	p := &replaying{run: r, bars: map[string]float64{}}
	return runner.Row{
		Complete: runner.AnyFile,
		Args: func(args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return runner.Usagef("needs one PATH or more: a log of an agent, or a folder of them")
			}
			if p.clients != nil && !p.unused && !p.eager {
				return runner.Usagef("--mcp-config needs --unused or --eager")
			}
			return nil
		},
		Flags: p.flags,
		Run:   p.replay,
	}
}

// flags adds the flags.
func (p *replaying) flags(f runner.FlagSet) {
	f.Value("since", "TIME", "sessions that went on since then: 30d, 12h, 2w, or a date such as 2026-09-01", func(s string) (err error) {
		p.since, err = transcript.ParseSince(s, time.Now())
		return err
	})
	agents := runner.Array(transcript.Agents, func(a transcript.Agent) string { return string(a) })
	f.Choice("agent", "A", "who wrote the logs, instead of what their content tells", agents, func(s string) error {
		p.agent = transcript.Agent(s)
		return runner.OneOf(s, agents...)
	})
	f.Rankers(&p.in.Rankers, "rank with these, instead of the config's; the first decides what is found")
	names := runner.Array(selection.Strategies, func(s selection.Strategy) string { return string(s) })
	f.List(&p.strategies, "strategy", "S[,S]", "cost under these strategies alone, instead of all six", "strategy", strings.Join(names, ", "), runner.Among(names))
	f.Text(&p.prices, "prices", "FILE", "prices of models, instead of those that come with caliper")
	f.Written(&p.queriesOut, "queries-out", "FILE", "add labelled queries: searches that led to a call; addresses and keys masked")
	f.On(&p.texts, "texts", "show what users and agents wrote")
	f.On(&p.calls, "calls", "list every call, and every tool of what broke the cache")
	f.Value("min", "found=N", "the least share of deferrable calls within the limit, such as found=0.9", func(s string) error {
		n, err := strconv.ParseFloat(strings.TrimPrefix(s, "found="), 64)
		if !strings.HasPrefix(s, "found=") || err != nil || !(n >= 0 && n <= 1) {
			return errors.New("want found= and a number from 0 to 1")
		}
		p.bars["found"] = n
		return nil
	})
	f.On(&p.unused, "unused", "only what was there and never called, with evidence, and how to leave it out")
	f.On(&p.eager, "eager", "only what pays to be kept eager, and the change for it")
	f.Texts(&p.clients, "mcp-config", "FILE", "a client's file, for --eager or --unused; else at usual places")
	f.Value("max", "loops=N", "the most loops, cached prefixes lost to a change (breaks=0), or unused=N tools", func(s string) error {
		what, number, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(number)
		if !slices.Contains([]string{"loops", "breaks", "unused"}, what) || err != nil || n < 0 {
			return errors.New("want loops=, breaks= or unused= and a number that is not negative")
		}
		p.bars[what] = float64(n)
		return nil
	})
	for name, values := range map[string][]string{"min": {"found=0.9"}, "max": {"loops=0", "breaks=0", "unused=0"}, "since": {"30d"}, "strategy": names} {
		f.Completed(name, values)
	}
}

// replay reads the sessions and computes the report.
func (p *replaying) replay(ctx context.Context, paths []string) (_ *runner.Outcome, err error) {
	var have []labels.Query
	if p.queriesOut != "" {
		data, err := workbench.ReadFile(p.queriesOut)
		if err != nil {
			return nil, runner.FileError(p.queriesOut, err)
		}
		if data != nil {
			if have, err = runner.ParseQueries(p.queriesOut, data); err != nil {
				return nil, err
			}
		}
	}
	if len(p.run.Flags.Registry) == 0 && !p.run.Flags.Demo { // the logs define the tools
		p.in.Tokenizer = replay.TokenizerOf(p.run.Flags.Bench.Tokenizer)
		if err := p.read(ctx, paths); err != nil {
			return nil, err
		}
		switch note := p.run.loggedTools(p.in.Sessions); {
		case note != "":
			p.run.Complain("caliper: " + note)
		case p.run.Flags.Config == "":
			return nil, runner.Usagef("%s; these logs define no tools, and caliper import makes a registry of your servers", runner.NeedsData)
		}
	}
	st, err := p.run.LoadGood(ctx)
	if err != nil {
		return nil, err
	}
	defer p.memory.end() // printing many rows and calls makes garbage, too
	rep, err := p.computed(ctx, st, paths)
	if err != nil {
		return nil, err
	}
	if p.queriesOut != "" {
		if err := p.writeLabels(replay.LabelsOf(rep, have)); err != nil {
			return nil, err
		}
	}
	out := &runner.Outcome{Value: p.json(rep)}
	if p.unused || p.eager {
		if out, err = p.remedies(ctx, st.Snapshot.Config.Core, rep); err != nil {
			return nil, err
		}
	} else if !p.run.Flags.JSON { // a report has a row for each session, of which there may be many
		out.Page = replays.Replay(replays.Replayed{Report: rep, Texts: p.texts, EveryCall: p.calls})
	}
	if err := p.run.Answer(out, nil); err != nil {
		return nil, err
	}
	return &runner.Outcome{No: p.below(rep)}, nil
}

// computed reads the sessions, unless they were read, and computes what they cost and would have
// cost. The caller ends the room once all is printed.
func (p *replaying) computed(ctx context.Context, st workbench.State, paths []string) (_ *replay.Report, err error) {
	in := &p.in
	if in.Prices, err = pricesOf(p.prices); err != nil {
		return nil, err
	}
	in.Snapshot, in.Strategies, in.Tokenizer = st.Snapshot, selection.Strategies, replay.TokenizerOf(st.Snapshot.Tokenizer)
	if p.strategies != nil {
		in.Strategies = runner.Array(p.strategies, func(name string) selection.Strategy { return selection.Strategy(name) })
	}
	if in.Sessions == nil {
		if err := p.read(ctx, paths); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(in.Strategies, selection.Strategy.Ranks) { // semantic and hybrid select by the semantic ranking
		c := st.Snapshot.Config.PreSelection
		first := ""                                                            // words of a user
		for i := 0; i < len(in.Sessions) && first == "" && !c.BuiltIn(); i++ { // a built-in embedder is asked for nothing first
			for _, c := range in.Sessions[i].Opened().Contexts {
				for _, e := range c.Entries {
					if first == "" && strings.TrimSpace(e.Words) != "" {
						first = e.Words
					}
				}
			}
		}
		first = cmp.Or(first, "tool") // a blank text is embedded by nobody
		in.Similarity, in.Absent = p.run.SimilarityTo(ctx, first, c, st.Snapshot.Preselection(c.Core, c.Exclude).Candidates)
		if in.Absent != nil {
			in.Similarity = nil
		}
	}
	if asked := p.run.Flags.Calibrated; asked != "" { // one model's tokenizer for all sessions, or for each its own model's
		models, err := replay.Calibrate(ctx, *in)
		if err != nil {
			return nil, err
		}
		if !in.CountFitted(models, asked) {
			if strings.HasPrefix(asked, replay.CalibratedPrefix) {
				return nil, fmt.Errorf("--tokenizer %s: no session has requests of this model to which it could be fitted", asked)
			}
			return nil, fmt.Errorf("--tokenizer %s: no model has requests to which one could be fitted", asked)
		}
	}
	in.Progress, in.Spend, in.Detail = p.run.Counts("sessions"), true, replay.Misses
	switch {
	case p.calls || p.queriesOut != "":
		in.Detail = replay.EveryCall
	case p.run.Flags.JSON:
		in.Detail = replay.Sums
	}
	return replay.Run(ctx, *in)
}

// pricesOf returns the prices of a file; those that come with caliper where none is named.
func pricesOf(path string) (replay.PriceList, error) {
	if path == "" {
		return replay.BuiltInPrices(), nil
	}
	data, err := runner.ReadInput(path)
	if err != nil {
		return replay.PriceList{}, err
	}
	prices, err := replay.ReadPrices(path, data)
	return prices, runner.AsInputError(err)
}

// read reads the sessions. It is an error when nothing can be read.
func (p *replaying) read(ctx context.Context, paths []string) error {
	in := &p.in
	there, remove, err := p.run.logsOf(paths)
	if err != nil {
		return err
	}
	defer remove()
	progress := p.run.Progress("MB of logs")
	bytes, all := 0, 0
	found := func(files int, bytes int64) {
		all = int(bytes >> 20)
		progress.What = "MB in " + words.CountThousands(files, "file")
	}
	log, err := p.run.readSessions(!slices.Equal(there, paths))(ctx, there, p.agent, transcript.Options{Count: in.Tokenizer.Count, Tokenizer: in.Tokenizer.Name, Pack: true, Found: found, Progress: func(n int) {
		bytes += n
		p.memory.read(bytes)
		progress.Report(bytes>>20, all)
	}})
	if missing := new(fs.PathError); errors.As(err, &missing) {
		return runner.FileError(missing.Path, err)
	}
	if err != nil {
		return err
	}
	if len(log.Sessions) == 0 {
		return runner.InputError(paths[0], replays.NoSession(log.Skipped))
	}
	in.Skipped = log.Skipped
	in.Sessions = transcript.Since(log.Sessions, p.since) // which are spent
	if all := len(log.Sessions); len(in.Sessions) < all {
		since := p.since.UTC().Format(time.DateOnly)
		if !p.since.Equal(p.since.Truncate(24 * time.Hour)) {
			since = p.since.UTC().Format("2006-01-02 15:04 UTC")
		}
		p.run.Complain(fmt.Sprintf("caliper: --since leaves out %d of %s, which ended before %s", all-len(in.Sessions), words.CountThousands(all, "session"), since))
	}
	return nil
}

// writeLabels adds labelled queries to the file.
//
// SECURITY: the file has what users wrote, so that it is for its owner alone, also where
// others could read it before.
func (p *replaying) writeLabels(queries []replay.LabelledQuery) error {
	if err := runner.CloseToOthers(p.queriesOut); err != nil {
		return runner.FileError(p.queriesOut, err)
	}
	_, _, err := workbench.RewriteFile(p.queriesOut, 0o600, func(data []byte) ([]byte, error) {
		if n := len(data); n > 0 && data[n-1] != '\n' && len(queries) > 0 {
			data = append(data, '\n')
		}
		return append(data, replay.LabelLines(queries)...), nil
	})
	if err != nil {
		return runner.FileError(p.queriesOut, err)
	}
	p.run.Complain(fmt.Sprintf("caliper: %s: %d labelled queries added", p.queriesOut, len(queries)))
	return nil
}

// below writes which bars are not met, and reports whether any is.
func (p *replaying) below(rep *replay.Report) (missed bool) {
	t := rep.Totals
	complain := func(format string, args ...any) {
		missed = true
		p.run.Complain("caliper: " + fmt.Sprintf(format, args...))
	}
	if len(rep.Sessions) == 0 && len(p.bars) > 0 {
		complain("there is no session to measure")
	}
	if share := float64(t.Found) / math.Max(float64(t.Deferrable), 1); t.Deferrable > 0 && share < p.bars["found"] {
		complain("found is %s, below %v", fraction(share), p.bars["found"])
	}
	above := func(bar string, n int, noun, what string) {
		if most, ok := p.bars[bar]; ok && float64(n) > most {
			complain("%s%s, more than %d", words.CountThousands(n, noun), what, int(most))
		}
	}
	above("loops", t.Loops, "loop", "")
	above("breaks", rep.Cache.Changed(), "request", " lost the cached prefix to a change")
	unused, _ := rep.Unused.Observed()
	above("unused", unused, "tool", " never called though there")
	return missed
}

// json returns a replay for JSON. Texts are null unless they are asked for.
func (p *replaying) json(rep *replay.Report) runner.Object {
	searching, ids := &rep.Searching, idsOf(rep)
	var sessions runner.Elements = func(yield func(runner.Object) bool) { // each is made when it is written; unknown figures are null
		for _, s := range rep.Sessions {
			started := runner.NullUnless(!s.Started.IsZero(), s.Started.UTC().Format(time.RFC3339Nano))
			out := append(runner.Object{{"id", s.ID}, {"agent", string(s.Agent)}, {"model", s.Model}, {"started", started}}, countsJSON(s.Counts)...)
			if !yield(append(out,
				runner.Member{"logged", usageJSON(s.Logged)}, runner.Member{"used", string(s.Used)}, runner.Member{"sent", [...]string{"shown", "guessed", "none"}[s.Sending]}, runner.Member{"recomputed", s.Recomputed}, runner.Member{"error_pct", s.ErrorPct},
				runner.Member{"tokenizer", s.Tokenizer}, runner.Member{"strategies", rowsJSON(s.Strategies)})) {
				return
			}
		}
	}
	out := runner.Object{
		{"sessions", sessions},
		{"totals", append(countsJSON(rep.Totals.Counts), runner.Member{"logged", usageJSON(&rep.Totals.Logged)}, runner.Member{"strategies", rowsJSON(rep.Totals.Strategies)})},
	}
	if p.calls { // what the agent's own search has of a tool is null where it did not search, or its log does not say
		out = append(out, runner.Member{"calls", runner.Each(rep.Calls, func(c replay.Call) runner.Object {
			ranks := make(runner.Object, 0, len(rep.Rankers))
			for i, name := range rep.Rankers {
				ranks = append(ranks, runner.Member{name, runner.OrNull(c.Ranks[i])})
			}
			return runner.Object{
				{"session", ids(c.Session)}, {"request", c.Request}, {"tool", c.Name}, {"query", runner.NullUnless(p.texts, c.Query)},
				{"searched", c.Searched()}, {"ranks", ranks}, {"status", string(c.Status)}, {"own_search", runner.NullUnless(c.Own.Told, runner.Object{{"found", c.Own.Found}, {"rank", runner.OrNull(c.Own.Rank)}})},
			}
		})})
	}
	return append(out,
		runner.Member{"eager", eagerJSON(rep)},
		runner.Member{"searches", runner.Object{{"needs", searching.Needs}, {"searches", searching.Searches}, {"needs_with", runner.Object{{"one", searching.ByCount[0]}, {"two", searching.ByCount[1]}, {"more", searching.ByCount[2]}}},
			{"answers_logged", searching.Told}, {"answers_empty", searching.Empty}, {"needs_uncalled", searching.Uncalled},
			{"calls", runner.Object{{"both", searching.Both}, {"agent_alone", searching.OwnAlone}, {"ranker_alone", searching.RankerAlone}, {"nobody", searching.Nobody}}},
			{"found_never_called", runner.Array(searching.Idle, func(t replay.IdleTool) runner.Object {
				return runner.Object{{"tool", t.Tool.Qualified}, {"returned", t.Returned}}
			})}}},
		runner.Member{"cache", cacheJSON(rep, p.calls)},
		runner.Member{"unused", unusedJSON(rep, false)}, runner.Member{"sessions_without_tools", rep.Unused.Silent},
		runner.Member{"unknown_tools", runner.Array(rep.Unknown, func(u replay.Unknown) runner.Object { return runner.Object{{"name", u.Name}, {"calls", u.Calls}} })},
		runner.Member{"calibration", runner.Array(rep.Calibration, func(m replay.Model) runner.Object {
			return runner.Object{{"model", m.Name}, {"requests", m.Requests}, {"chars_per_token", m.CharsPerToken}, {"overhead", replays.WholeTokens(m.Overhead)}, {"error_pct", runner.NullUnless(m.HeldOut > 0, m.ErrorPct)}}
		})},
		runner.Member{"skipped", runner.Array(rep.Skipped, func(s transcript.Skipped) runner.Object {
			return runner.Object{{"file", s.File}, {"line", s.Line}, {"what", s.What}, {"count", s.Count}, {"known", s.Known}}
		})},
		runner.Member{"prices", runner.Object{{"as_of", rep.Prices.AsOf}, {"currency", rep.Prices.Currency}}},
	)
}

// countsJSON returns counts for JSON.
func countsJSON(c replay.Counts) runner.Object {
	return runner.Object{
		{"requests", c.Requests}, {"calls", c.Calls}, {"deferrable_calls", c.Deferrable}, {"found", c.Found}, {"below", c.Below},
		{"no_match", c.NoMatch}, {"out_of_scope", c.OutOfScope}, {"unknown", c.Unknown}, {"loops", c.Loops},
	}
}

// usageJSON returns a logged usage for JSON: null when it is unknown.
func usageJSON(u *transcript.Usage) any {
	if u == nil {
		return nil
	}
	return runner.Object{{"input", u.Input}, {"cache_read", u.CacheRead}, {"cache_write", u.CacheWrite}, {"output", u.Output}}
}

// rowsJSON returns strategies for JSON; the cost of a model without a price is
// null.
func rowsJSON(rows []replay.Row) []runner.Object {
	return runner.Array(rows, func(r replay.Row) runner.Object {
		return runner.Object{
			{"strategy", string(r.Strategy)}, {"input_tokens", r.Tokens.Input}, {"cached_tokens", r.Tokens.Cached},
			{"written_tokens", r.Tokens.Written}, {"requests", r.Requests}, {"cost", r.Cost},
		}
	})
}

// idsOf returns what names a session of a report, which many lines in turn ask for.
func idsOf(rep *replay.Report) func(session int) string {
	last, id := -1, ""
	return func(session int) string {
		if session != last {
			last, id = session, rep.Sessions[session].ID
		}
		return id
	}
}
