package replay

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// Inputs are everything that a Report depends on.
type Inputs struct {
	Sessions []transcript.Session
	Skipped  []transcript.Skipped // of the logs; the report has them as they are
	// Snapshot has the registry, the scope and the limit. Tool search counts as
	// active and nothing is pre-selected, whatever its configuration says: the
	// strategies are compared.
	Snapshot *engine.Snapshot
	// Rankers are names of config.Rankers, each once; none means the ranker of the
	// snapshot. The first decides which tools are found and what searches return.
	Rankers []string
	// Strategies are the rows; nil means all.
	Strategies []selection.Strategy
	Tokenizer  Tokenizer // the zero value is chars4
	// Fitted are the tokenizers of Calibrate. Each weighs the sessions of its model, and
	// Tokenizer, which must be an estimate then, the sessions of the other models.
	Fitted []Model
	Prices PriceList
	// Similarity ranks for semantic and hybrid; nil, for the reason in Absent,
	// means that keywords decide alone, as in package selection.
	Similarity embed.Similarity
	Absent     error
	// Spend takes everything from each session once its figures are there, and asks for loops
	// alone of the chains: the report then takes the memory that the sessions had.
	Spend bool
	// Detail says which calls and chains the report has.
	Detail Detail
	// Steps asks for every request of every row.
	Steps bool
	// Progress is called with the number of sessions done; it may be nil.
	Progress func(done, total int)
}

// Detail is how much a Report says of single calls. All figures are the same with any.
type Detail int

const (
	// EveryCall: the report has every call, what each request read from the cache and, without Spend, every
	// chain, so that it grows with the logs.
	EveryCall Detail = iota
	// Misses: it has the calls in Verdict.Missed and the chains in Verdict.Loops.
	Misses
	// Sums: it has neither calls nor chains, and Verdict.Missed and Verdict.Loops are empty.
	Sums
)

// run is one computation of a Report.
type run struct {
	in          Inputs
	ctx         context.Context
	snapshot    *engine.Snapshot // tool search is active, and ranks by the first ranker
	rankers     []*engine.Snapshot
	describer   *engine.Snapshot // sends names alone, so that its bridge describes core tools too
	catalog     catalog
	tokenizer   Tokenizer             // of the session at hand
	reference   Tokenizer             // weighs figures that are about no session
	selectors   []*selection.Selector // of the strategies that rank
	granted     offer
	definitions map[*model.Tool]definition
	bridges     map[int]definition // by the number of deferred tools
	offers      map[*[]byte]offer
	arrays      int // how many offers of the logs there were
	turns       map[string]*turn
	searches    map[string]transcript.Size
	describes   map[*model.Tool]transcript.Size
	eager       map[*model.Tool]*Eager
	unused      burden // what a definition costs in sessions that do not use it
	examples    examples
	summed      []summed
	unknown     map[string]int // calls of names in no registry

	mending    [len(remedies)]Remedied
	presences  map[*model.Tool]*presence
	found      map[*model.Tool]int  // how many answers of the agents' own searches have it
	serverSeen map[string]*presence // by toolset

	lines  []*line // of the session at hand
	at     *line   // the context at hand
	usage  *transcript.Usage
	gap    Gap     // why usage is nil, or cannot be compared with
	sends  Sending // of the session at hand
	report *Report
}

// Run computes the report of sessions. Equal inputs give equal reports. The
// error is ctx's, or one of building a snapshot.
func Run(ctx context.Context, in Inputs) (*Report, error) {
	if in.Strategies == nil {
		in.Strategies = selection.Strategies
	}
	r, err := begin(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, s := range in.Strategies {
		r.report.Totals.Strategies = append(r.report.Totals.Strategies, Row{Strategy: s})
	}
	r.report.Sessions = make([]Session, 0, len(in.Sessions))
	err = r.each(func(i int, s *transcript.Session) error {
		if err := r.session(i, s); err != nil {
			return err
		}
		if in.Spend {
			in.Sessions[i] = transcript.Session{}
		}
		if in.Progress != nil {
			in.Progress(i+1, len(in.Sessions))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.recomputeSummed()
	rep := r.report
	for i, m := range r.mending {
		if m.Requests > 0 {
			m.Remedy, m.Tokens = remedies[i].name, m.tokens.rounded()
			rep.Cache.Remedies = append(rep.Cache.Remedies, m)
		}
	}
	rep.Cache.finish()
	r.findUnused()
	for t, n := range r.found { // returned by searches and never called
		if at(r.presences, t).calls == 0 {
			rep.Searching.Idle = append(rep.Searching.Idle, IdleTool{t, n})
		}
	}
	model.Sort(rep.Searching.Idle, func(a, b IdleTool) int {
		return cmp.Or(b.Returned-a.Returned, strings.Compare(a.Tool.Qualified, b.Tool.Qualified))
	})
	for name, n := range r.unknown {
		rep.Unknown = append(rep.Unknown, Unknown{name, n})
	}
	model.Sort(rep.Unknown, func(a, b Unknown) int { return cmp.Or(b.Calls-a.Calls, strings.Compare(a.Name, b.Name)) })
	eager := EagerSet{Priced: r.report.Totals.UnknownPrices < r.report.Totals.Sessions, perToken: r.unused}
	for _, e := range r.eager {
		e.Saving -= e.SchemaTokens * (r.unused.money - e.perToken.money)
		e.SavingTokens -= e.SchemaTokens * (r.unused.tokens - e.perToken.tokens)
		eager.Tools = append(eager.Tools, *e)
	}
	model.Sort(eager.Tools, func(a, b Eager) int {
		by := cmp.Compare(b.SavingTokens, a.SavingTokens)
		if eager.Priced {
			by = cmp.Or(cmp.Compare(b.Saving, a.Saving), by)
		}
		return cmp.Or(by, strings.Compare(a.Tool.Qualified, b.Tool.Qualified))
	})
	for eager.Keep < len(eager.Tools) && eager.value(eager.Keep) > 0 {
		eager.Keep++
	}
	rep.Eager = eager
	rep.Calibration = r.examples.fit()
	rep.Verdict = verdict(rep)
	return rep, nil
}

// each calls do with every session, until the context ends.
func (r *run) each(do func(i int, s *transcript.Session) error) error {
	for i := range r.in.Sessions {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		s := &r.in.Sessions[i]
		if s.Packed != nil {
			opened := s.Opened()
			s = &opened
		}
		if err := do(i, s); err != nil {
			return err
		}
	}
	return nil
}

// begin returns a computation that is ready for its first session.
func begin(ctx context.Context, in Inputs) (*run, error) {
	if in.Tokenizer.Name == "" {
		in.Tokenizer = TokenizerOf("")
	}
	r := &run{in: in, ctx: ctx, report: &Report{Skipped: in.Skipped, Prices: in.Prices, Embedder: in.Snapshot.Config.PreSelection.EmbedModel, Fitted: in.Fitted, Tokenizer: in.Tokenizer.Name},
		definitions: map[*model.Tool]definition{}, bridges: map[int]definition{}, offers: map[*[]byte]offer{}, turns: map[string]*turn{}, searches: map[string]transcript.Size{}, describes: map[*model.Tool]transcript.Size{},
		unknown: map[string]int{}, eager: map[*model.Tool]*Eager{}, presences: map[*model.Tool]*presence{}, found: map[*model.Tool]int{}, serverSeen: map[string]*presence{}, examples: examples{}, tokenizer: in.Tokenizer, reference: in.Tokenizer}
	most := 0 // requests of a model whose schemas weigh anything
	for _, m := range in.Fitted {
		if m.PerChar[transcript.Schema] > 0 && m.Requests > most {
			most, r.reference = m.Requests, Calibrated(m.Name, m.FittedTokenizer)
		}
	}
	names := r.in.Rankers
	if len(names) == 0 {
		names = []string{r.in.Snapshot.Config.ToolSearch.Ranker}
	}
	builder := engine.NewBuilder()
	build := func(ranker string, s selection.Strategy) (*engine.Snapshot, error) {
		in := r.in.Snapshot.Inputs()
		in.Config = engine.Under(in.Config, ranker)
		in.Config.ToolSearch.Enabled = config.On
		in.Config.Selection = string(s)
		in.Message, in.Select = "", nil
		return builder.Build(r.ctx, in)
	}
	var err error
	r.rankers = make([]*engine.Snapshot, len(names))
	for i, name := range names {
		if r.rankers[i], err = build(name, selection.ToolSearch); err != nil {
			return nil, err
		}
	}
	if r.describer, err = build(names[0], selection.Lazy); err != nil {
		return nil, err
	}
	r.report.Rankers = names
	r.snapshot = r.rankers[0]
	r.catalog = catalog{r.snapshot, make(map[string][]*model.Tool, len(r.snapshot.Registry.Tools)), map[string]*model.Tool{}}
	for _, t := range r.snapshot.Registry.Tools {
		if engine.IsBridge(t.Name) {
			continue
		}
		spellings := append(t.Aliases(), t.Name)
		if own := t.AtServer(); own != "" {
			spellings = append(spellings, t.Server+"_"+own) // of OpenCode, and with two underscores of Goose
		}
		for _, name := range spellings {
			if key := model.FoldName(name); !slices.Contains(r.catalog.byName[key], t) {
				r.catalog.byName[key] = append(r.catalog.byName[key], t)
			}
		}
	}
	r.granted = r.divide(r.snapshot.Everything().Tools, func(t *model.Tool) bool { return r.snapshot.Class(t) == engine.Visible }, "granted")
	r.report.Limit = r.snapshot.Config.ToolSearch.DefaultLimit
	if !slices.ContainsFunc(r.in.Strategies, selection.Strategy.Ranks) {
		return r, nil
	}
	set := selection.SettingsOf(r.in.Snapshot.Config)
	selector, err := selection.New(r.ctx, r.snapshot, set, r.in.Similarity, r.in.Absent)
	if err != nil {
		return nil, err
	}
	for i, s := range r.in.Strategies {
		if set.Strategy = s; s.Ranks() && !slices.Contains(r.in.Strategies[:i], s) {
			r.selectors = append(r.selectors, selector.With(set))
		}
	}
	return r, nil
}

// open reads a session into the lines, the usage and the tokenizer at hand, and returns
// which strategy it used, and whether the usage belongs to its requests (single).
func (r *run) open(s *transcript.Session) (used selection.Strategy, single bool, err error) {
	r.tokenizer = r.in.Tokenizer
	for _, m := range r.in.Fitted {
		if m.Name == s.Model {
			r.tokenizer = Calibrated(m.Name, m.FittedTokenizer)
			break
		}
	}
	offers := make([]offer, len(s.Arrays))
	for i, a := range s.Arrays {
		if offers[i], err = r.logged(a); err != nil {
			return "", false, err
		}
	}
	used, r.sends = r.usedBy(s, offers)
	r.read(s, used, offers)
	r.usage, single, r.gap = usage(s, r.lines)
	if r.usage != nil && r.sends == Guessed && r.outweighed(r.usage, single, s.Defers) {
		needed := false // a tool that tool search defers
		for _, c := range s.Contexts {
			for _, e := range c.Entries {
				needed = needed || e.Request != nil && slices.ContainsFunc(e.Request.Calls, func(c transcript.Call) bool {
					t := r.catalog.find(c.Tool)
					return c.Kind == transcript.Use && t != nil && r.deferrable(t)
				})
			}
		}
		if !needed {
			used, r.sends = selection.ToolSearch, Shown // the tools were deferred
			r.read(s, used, offers)
		}
	}
	if r.usage == nil {
		for _, l := range r.lines {
			for i := range l.requests {
				l.requests[i].known = false
			}
		}
	} else if len(s.Listed) > 0 {
		// of the tools that the log lists as deferred, or has in full, the registry has to grant one
		granted := slices.ContainsFunc(s.Listed, func(l transcript.Listed) bool {
			t := r.catalog.find(l.Name)
			return t != nil && r.snapshot.Granted(t)
		}) || slices.ContainsFunc(offers, func(o offer) bool { return o.known != transcript.Size{} })
		if used == selection.ToolSearch && !granted {
			r.gap = OtherNames
		}
	} else if r.outweighed(r.usage, single, false) {
		r.gap = OtherTools
	}
	return used, single, nil
}

// read sets the lines at hand to a session's that used a strategy.
func (r *run) read(s *transcript.Session, used selection.Strategy, offers []offer) {
	r.lines = nil
	for c := range s.Contexts {
		r.lines = append(r.lines, r.line(s, c, used, offers))
	}
}

// session computes everything of one session.
func (r *run) session(index int, s *transcript.Session) error {
	used, single, err := r.open(s)
	if err != nil {
		return err
	}
	out := Session{ID: s.ID, Agent: s.Agent, File: s.File, Model: s.Model, Started: s.Started, Used: used, Sending: r.sends, Tokenizer: r.tokenizer.Name, Gap: r.gap}
	if r.gap == NoGap {
		r.anchor(r.lines, r.usage, single)
	}
	for _, l := range r.lines {
		l.plan()
		if err := r.preselect(l); err != nil {
			return err
		}
	}
	for c, l := range r.lines {
		r.follow(index, c, l, used == selection.ToolSearch || r.sends == Guessed && s.Defers, &out)
		out.Requests += len(l.requests)
	}
	out.Logged = r.usage
	switch {
	case r.gap != NoGap: // there is nothing to compare with
	case single:
		out.recomputed(r.recompute(r.lines))
		r.example(s, single)
	default:
		r.example(s, single)
		sums := summed{session: index, kind: kind{s.Agent, s.Model, out.Used}, logged: float64(r.usage.Total())}
		for _, l := range r.lines {
			for _, q := range l.requests {
				messages := l.history.before(q.entry)
				sums.messages += r.tokenizer.of(messages)
				sums.carried += r.tokenizer.of(q.sent.Add(messages))
				sums.requests++
			}
		}
		r.summed = append(r.summed, sums)
	}
	p, priced := r.in.Prices.Find(s.Model)
	if priced {
		list := p
		out.Price = &list
	}
	of := &prefixes{run: r, session: s, number: index, price: p, priced: priced, steps: true, writes: s.Agent == transcript.Claude || s.Agent == transcript.Anthropic, stated: map[int]map[string]string{}, named: map[int][]sentTool{}}
	if r.usage != nil {
		p = p.Writing(*r.usage)
	}
	of.breaks()
	r.watch(index, s.File, of, p)
	out.Strategies = make([]Row, 0, len(r.in.Strategies))
	var search *outcome
	for _, strategy := range r.in.Strategies {
		o := r.total(strategy, p)
		row := Row{Strategy: strategy, Requests: o.requests, Steps: o.steps, Tokens: o.tokens.rounded()}
		if priced {
			cost := p.Of(o.tokens)
			row.Cost = &cost
		}
		out.Strategies = append(out.Strategies, row)
		if strategy == selection.ToolSearch {
			search = &o
		}
	}
	if search == nil {
		o := r.total(selection.ToolSearch, p)
		search = &o
	}
	r.keepEager(*search, p, priced)
	r.report.Totals.addSession(&out)
	r.report.Sessions = append(r.report.Sessions, out)
	return nil
}

// Single returns the report of one session of the inputs, with every request under every
// strategy, every call and every chain. These bear the number of the session in the inputs. All
// that is reported of the session equals the report of all of them, but for Session.Recomputed
// where the log has sums alone, which takes other sessions. The error is Run's.
func Single(ctx context.Context, in Inputs, session int) (*Report, error) {
	in.Sessions = in.Sessions[session : session+1]
	in.Steps, in.Detail, in.Spend, in.Progress = true, EveryCall, false, nil
	report, err := Run(ctx, in)
	if err != nil {
		return nil, err
	}
	for i := range report.Calls {
		report.Calls[i].Session = session
	}
	for i := range report.Chains {
		report.Chains[i].Session = session
	}
	return report, nil
}
