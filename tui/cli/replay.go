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
	since      time.Time // zero: everything
	agent      transcript.Agent
	rankers    []string
	strategies []string // nil: all
	prices     string
	queriesOut string
	texts      bool
	calls      bool
	minFound   float64 // the least share of deferrable calls that are found; -1: none
	maxLoops   int     // -1: any number
	maxBreaks  int     // -1: any number
	maxUnused  int     // -1: any number
	unused     bool    // what was never called, alone
	eager      bool    // what to keep eager, alone
	clients    []string
	room       room
}

// replayRow is `replay`: what the user's own sessions say about tool
// search.
func (r *run) replayRow() runner.Row {
	p := &replaying{run: r, minFound: -1, maxLoops: -1, maxBreaks: -1, maxUnused: -1}
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
	f.Rankers(&p.rankers, "rank with these, instead of the config's; the first decides what is found")
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
		p.minFound = n
		return nil
	})
	f.On(&p.unused, "unused", "only what was there and never called, with evidence, and how to leave it out")
	f.On(&p.eager, "eager", "only what pays to be kept eager, and the change for it")
	f.Texts(&p.clients, "mcp-config", "FILE", "a client's file, for --eager or --unused; else at usual places")
	f.Value("max", "loops=N", "the most loops, cached prefixes lost to a change (breaks=0), or unused=N tools", func(s string) error {
		what, number, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(number)
		of := map[string]*int{"loops": &p.maxLoops, "breaks": &p.maxBreaks, "unused": &p.maxUnused}[what]
		if of == nil || err != nil || n < 0 {
			return errors.New("want loops=, breaks= or unused= and a number that is not negative")
		}
		*of = n
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
	var in replay.Inputs
	if len(p.run.Flags.Registry) == 0 && !p.run.Flags.Demo {
		if err := p.define(ctx, paths, &in); err != nil {
			return nil, err
		}
	}
	st, err := p.run.LoadGood(ctx)
	if err != nil {
		return nil, err
	}
	defer p.room.end() // printing many rows and calls makes garbage, too
	rep, err := p.computed(ctx, st, paths, in)
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
		if p.eager {
			out, err = p.keep(ctx, st.Snapshot.Config.Core, rep)
		} else {
			out, err = p.idle(ctx, rep)
		}
		if err != nil {
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

// computed reads the sessions, unless in has them, and computes what they cost and would have
// cost. The caller ends the room once all is printed.
func (p *replaying) computed(ctx context.Context, st workbench.State, paths []string, in replay.Inputs) (*replay.Report, error) {
	prices, err := pricesOf(p.prices)
	if err != nil {
		return nil, err
	}
	strategies := selection.Strategies
	if p.strategies != nil {
		strategies = runner.Array(p.strategies, func(name string) selection.Strategy { return selection.Strategy(name) })
	}
	in.Snapshot, in.Rankers, in.Strategies, in.Prices, in.Tokenizer = st.Snapshot, p.rankers, strategies, prices, replay.TokenizerOf(st.Snapshot.Tokenizer)
	if in.Sessions == nil {
		if err := p.read(ctx, paths, &in); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(strategies, selection.Strategy.Ranks) {
		p.similarity(ctx, st, &in)
	}
	if asked := p.run.Flags.Calibrated; asked != "" { // one model's tokenizer for all sessions, or for each its own model's
		models, err := replay.Calibrate(ctx, in)
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
	return replay.Run(ctx, in)
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
	if err != nil {
		return replay.PriceList{}, runner.InputError(path, strings.TrimPrefix(err.Error(), path+": "))
	}
	return prices, nil
}

// similarity opens the semantic ranking, by which semantic and hybrid select.
func (p *replaying) similarity(ctx context.Context, st workbench.State, in *replay.Inputs) {
	c := st.Snapshot.Config.PreSelection
	tools := st.Snapshot.Preselection(c.Core, c.Exclude).Candidates
	first := ""                                                            // words of a user
	for i := 0; i < len(in.Sessions) && first == "" && !c.BuiltIn(); i++ { // a built-in one is asked for nothing first
		for _, c := range in.Sessions[i].Opened().Contexts {
			for _, e := range c.Entries {
				if first == "" && strings.TrimSpace(e.Words) != "" {
					first = e.Words
				}
			}
		}
	}
	first = cmp.Or(first, "tool") // a blank text is embedded by nobody
	in.Similarity, in.Absent = p.run.SimilarityTo(ctx, first, c, tools)
	if in.Absent != nil {
		in.Similarity = nil
	}
}

// read reads the sessions. It is an error when nothing can be read.
func (p *replaying) read(ctx context.Context, paths []string, in *replay.Inputs) error {
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
		p.room.read(bytes)
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
	if len(rep.Sessions) == 0 && (p.minFound >= 0 || p.maxLoops >= 0 || p.maxBreaks >= 0 || p.maxUnused >= 0) {
		complain("there is no session to measure")
	}
	if share := float64(t.Found) / math.Max(float64(t.Deferrable), 1); t.Deferrable > 0 && share < p.minFound {
		complain("found is %s, below %v", fraction(share), p.minFound)
	}
	if p.maxLoops >= 0 && t.Loops > p.maxLoops {
		complain("%s, more than %d", words.CountThousands(t.Loops, "loop"), p.maxLoops)
	}
	if n := rep.Cache.Changed(); p.maxBreaks >= 0 && n > p.maxBreaks {
		complain("%s lost the cached prefix to a change, more than %d", words.CountThousands(n, "request"), p.maxBreaks)
	}
	if n, _ := rep.Unused.Observed(); p.maxUnused >= 0 && n > p.maxUnused {
		complain("%s never called though there, more than %d", words.CountThousands(n, "tool"), p.maxUnused)
	}
	return missed
}

// json returns a replay for JSON. Texts are null unless they are asked for.
func (p *replaying) json(rep *replay.Report) runner.Object {
	searching, ids := &rep.Searching, idsOf(rep)
	var sessions runner.Elements = func(yield func(runner.Object) bool) { // each is made when it is written
		for _, s := range rep.Sessions {
			if !yield(sessionJSON(s)) {
				return
			}
		}
	}
	out := runner.Object{
		{"sessions", sessions},
		{"totals", append(countsJSON(rep.Totals.Counts), runner.Member{"logged", usageJSON(&rep.Totals.Logged)}, runner.Member{"strategies", rowsJSON(rep.Totals.Strategies)})},
	}
	if p.calls {
		out = append(out, runner.Member{"calls", runner.Each(rep.Calls, func(c replay.Call) runner.Object { return p.callJSON(rep.Rankers, ids(c.Session), c) })})
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

// sessionJSON returns a session for JSON; unknown figures are null.
func sessionJSON(s replay.Session) runner.Object {
	started := runner.NullUnless(!s.Started.IsZero(), s.Started.UTC().Format(time.RFC3339Nano))
	out := runner.Object{{"id", s.ID}, {"agent", string(s.Agent)}, {"model", s.Model}, {"started", started}}
	out = append(out, countsJSON(s.Counts)...)
	return append(out,
		runner.Member{"logged", usageJSON(s.Logged)}, runner.Member{"used", string(s.Used)}, runner.Member{"sent", [...]string{"shown", "guessed", "none"}[s.Sending]}, runner.Member{"recomputed", s.Recomputed}, runner.Member{"error_pct", s.ErrorPct},
		runner.Member{"tokenizer", s.Tokenizer}, runner.Member{"strategies", rowsJSON(s.Strategies)})
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

// callJSON returns a call of a session for JSON. What the agent's own search has of its tool is
// null where it did not search, or its log does not say.
func (p *replaying) callJSON(rankers []string, session string, c replay.Call) runner.Object {
	ranks := make(runner.Object, 0, len(rankers))
	for i, name := range rankers {
		ranks = append(ranks, runner.Member{name, runner.OrNull(c.Ranks[i])})
	}
	return runner.Object{
		{"session", session}, {"request", c.Request}, {"tool", c.Name}, {"query", runner.NullUnless(p.texts, c.Query)},
		{"searched", c.Searched()}, {"ranks", ranks}, {"status", string(c.Status)}, {"own_search", runner.NullUnless(c.Own.Told, runner.Object{{"found", c.Own.Found}, {"rank", runner.OrNull(c.Own.Rank)}})},
	}
}
