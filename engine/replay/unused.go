package replay

import (
	"cmp"
	"strings"
	"time"

	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model"
)

// Unused is which tools no session called, though they were there, and what they cost.
type Unused struct {
	Sessions int            // that were looked at
	Silent   int            // of these, those whose log says nowhere which tools were there
	Servers  []UnusedServer // with a tool that was never called: those that cost most first, then by tokens, then by name
}

// UnusedServer is a server, or another toolset, with tools that were never called. Its
// tokens and cost are the sums of these.
type UnusedServer struct {
	Name  string // of the toolset
	Tools int    // of the registry
	Calls int    // of all of its tools
	Evidence
	Files  int      // in which it was there
	Among  []string // the first of them
	Unused []UnusedTool
}

// UnusedTool is a tool that was never called.
type UnusedTool struct {
	Tool   *model.Tool
	Schema int // tokens of its definition
	Evidence
}

// Evidence is how long something was there, and what it cost. Without a request it was not observed.
type Evidence struct {
	Sessions    int
	Requests    int
	First, Last time.Time // of these requests; zero where the log has no times
	Tokens      int       // of input, in all: definitions that were sent, or the line that lists a deferred tool
	Cost        *float64  // of these, as far as price and usage are known; nil where they are not
	tokens      float64
}

// Observed reports whether a log shows that it was there.
func (e *Evidence) Observed() bool { return e.Requests > 0 }

// ATurn returns the tokens of one request.
func (e *Evidence) ATurn() float64 { return e.tokens / float64(max(1, e.Requests)) }

// Days returns the days from the first to the last on which it was there; 0 where the log has no times.
func (e *Evidence) Days() int {
	const day = 24 * time.Hour
	if e.First.IsZero() {
		return 0
	}
	return int(e.Last.UTC().Truncate(day).Sub(e.First.UTC().Truncate(day))/day) + 1
}

// Idle reports whether no tool of the server was called.
func (s *UnusedServer) Idle() bool { return s.Calls == 0 }

// Unseen returns how many of its unused tools were not observed; they are the last ones.
func (s *UnusedServer) Unseen() (n int) {
	for i := range s.Unused {
		if !s.Unused[i].Observed() {
			n++
		}
	}
	return n
}

// Observed returns how many tools were there and never called, and their tokens and cost.
func (u *Unused) Observed() (tools int, all Evidence) {
	for i := range u.Servers {
		s := &u.Servers[i]
		tools += len(s.Unused) - s.Unseen()
		all.Tokens += s.Tokens
		all.Cost = total(all.Cost, s.Cost)
	}
	return tools, all
}

// mostAmong is how many files are named as evidence.
const mostAmong = 100

// presence is the evidence of a tool or a server, while sessions are read.
type presence struct {
	Evidence
	calls   int
	session int // the number of the last session in which it was there, from 1
	files   int
	among   []string
}

// sight is the state of a tool at a request, as the log of a context shows it.
type sight struct {
	array, listed, shown bool    // in a tools array; named as deferred; seen in an answer or a call
	rate                 float64 // tokens of input that each request has of it
	tokens               float64 // of its definition in the array
	since                int     // number of the first request that is not counted yet
}

func (s *sight) there() bool { return s.array || s.listed || s.shown }

// watched follows one context.
type watched struct {
	run     *run
	session int // number, from 1
	file    string
	line    *line
	known   []int     // how many of the requests before one have a usage
	paid    []float64 // what a token with each of these cost; nil without a price
	sights  map[*model.Tool]*sight
	open    map[string]*sight // of servers: in rate how many tools
	says    bool              // it says which tools were there
}

// watch adds to the evidence what the contexts of the session at hand show of tools.
func (r *run) watch(number int, file string, f *prefixes, p Price) {
	says := false
	for c, l := range r.lines {
		w := &watched{run: r, session: number + 1, file: file, line: l, sights: map[*model.Tool]*sight{}, open: map[string]*sight{}, known: make([]int, len(l.requests)+1)}
		if f.priced {
			w.paid = make([]float64, len(l.requests)+1)
		}
		for i := range l.requests {
			known, price := 0, 0.0
			if l.requests[i].known {
				if known, price = 1, p.newly(); l.requests[i].read > 0 {
					price = p.CacheRead
				}
			}
			if w.known[i+1] = w.known[i] + known; w.paid != nil {
				w.paid[i+1] = w.paid[i] + price
			}
		}
		w.follow(f, c)
		says = says || w.says
	}
	r.report.Unused.Sessions++
	if !says {
		r.report.Unused.Silent++
	}
}

// follow walks the requests of a context.
func (w *watched) follow(f *prefixes, context int) {
	l, r := w.line, w.run
	lists := f.session.Contexts[context].Lists
	var sent *offer
	settings := 0
	for i := range l.requests {
		q := &l.requests[i]
		request := l.history.entries[q.entry].Request
		for ; len(lists) > 0 && lists[0].Entry <= q.entry; lists = lists[1:] {
			for _, name := range lists[0].Names {
				w.set(name, i, func(s *sight) { s.listed = true })
			}
			for _, name := range lists[0].Gone {
				w.set(name, i, func(s *sight) { s.listed, s.shown = false, false })
			}
			w.says = true
		}
		switch {
		case q.logged != nil && q.logged != sent:
			sent = q.logged
			w.array(sent.list, sent.behind, i)
		case q.logged == nil && request.Settings != settings:
			settings = request.Settings
			if list := f.sent(l, q); len(list) > 0 || w.says {
				w.array(list, nil, i)
			}
		}
		for k := range request.Calls {
			call := &request.Calls[k]
			names := call.Asked().Hits
			if !call.Asks() {
				names = []string{call.Tool}
				if t := r.catalog.find(call.Tool); t != nil {
					at(r.presences, t).calls++
				}
			}
			for _, name := range names {
				w.set(name, i, func(s *sight) { s.shown = true })
			}
		}
	}
	for t, s := range w.sights {
		w.close(t, s, len(l.requests))
	}
	for name, s := range w.open {
		w.count(at(r.serverSeen, name), s.since, len(l.requests), 0, s.rate > 0)
	}
	w.definitions(context, f)
}

// array takes the tools array of a request.
func (w *watched) array(list []sentTool, behind []string, i int) {
	now := map[*model.Tool]float64{}
	for _, t := range list {
		if tool := w.run.catalog.find(t.name); tool != nil {
			now[tool] = w.run.tokenizer.of(t.size)
		}
	}
	for _, name := range behind {
		if tool := w.run.catalog.find(name); tool != nil && now[tool] == 0 {
			now[tool] = 0
		}
	}
	for tool, tokens := range now {
		w.change(tool, i, func(s *sight) { s.array, s.tokens = true, tokens })
	}
	for tool, s := range w.sights {
		if _, still := now[tool]; !still && s.array {
			w.change(tool, i, func(s *sight) { s.array, s.shown = false, false })
		}
	}
	w.says = true
}

// set changes the sight of the tool with a logged name from a request on.
func (w *watched) set(name string, i int, to func(*sight)) {
	if t := w.run.catalog.find(name); t != nil {
		w.change(t, i, to)
	}
}

// change changes the sight of a tool from a request on.
func (w *watched) change(t *model.Tool, i int, to func(*sight)) {
	s := w.sights[t]
	if s == nil {
		s = &sight{since: i}
		w.sights[t] = s
	}
	was := *s
	to(s)
	rate := 0.0
	switch {
	case s.array && s.tokens > 0:
		rate = s.tokens
	case s.listed:
		rate = w.run.tokenizer.of(w.run.tokenizer.measure([]byte(t.Name+"\n"), transcript.Prose))
	}
	if rate != was.rate || s.there() != was.there() {
		w.close(t, &was, i)
		s.since, s.rate = i, rate
	}
	if s.there() == was.there() {
		return
	}
	of := at(w.open, t.Toolset)
	if s.there() {
		if of.rate++; of.rate == 1 {
			of.since = i
		}
	} else if of.rate--; of.rate == 0 {
		w.count(at(w.run.serverSeen, t.Toolset), of.since, i, 0, true)
	}
}

// close adds the requests up to one to the evidence of a tool.
func (w *watched) close(t *model.Tool, s *sight, end int) {
	w.count(at(w.run.presences, t), s.since, end, s.rate, s.there())
}

// count adds the requests from one up to another, each with some tokens.
func (w *watched) count(p *presence, from, end int, rate float64, there bool) {
	if !there || from >= end {
		return
	}
	p.Requests += end - from
	w.pay(&p.Evidence, rate, from, end)
	if p.session != w.session {
		p.session = w.session
		p.Sessions++
		if last := len(p.among) - 1; last < 0 || p.among[last] != w.file {
			if p.files++; len(p.among) < mostAmong {
				p.among = append(p.among, w.file)
			}
		}
	}
	for _, i := range []int{from, end - 1} {
		if at := w.line.history.entries[w.line.requests[i].entry].Time; !at.IsZero() {
			if p.First.IsZero() || at.Before(p.First) {
				p.First = at
			}
			if at.After(p.Last) {
				p.Last = at
			}
		}
	}
}

// pay adds the requests from one up to another, each with some tokens.
func (w *watched) pay(e *Evidence, rate float64, from, end int) {
	e.tokens += rate * float64(end-from)
	if w.paid != nil && rate > 0 && w.known[end] > w.known[from] {
		cost := rate * (w.paid[end] - w.paid[from]) / million
		e.Cost = total(e.Cost, &cost)
	}
}

// definitions adds the definitions that searches put into the history, for each request that has
// them there.
func (w *watched) definitions(context int, f *prefixes) {
	l, r := w.line, w.run
	add := func(entry int, names []string) {
		for i := range l.requests {
			if q := &l.requests[i]; q.entry <= entry || !l.history.saw(q.entry, entry) {
				continue
			}
			for _, name := range names {
				if t := r.catalog.find(name); t != nil {
					w.pay(&at(r.presences, t).Evidence, r.tokenizer.of(r.definition(t)), i, i+1)
				}
			}
		}
	}
	for e := range l.history.entries {
		if call := callOf(l.history.entries, e); call != nil && call.Asks() {
			asked := call.Asked()
			switch {
			case len(asked.Expanded) > 0:
				add(e, asked.Expanded)
			case l.history.entries[e].Size.Chars[transcript.Schema] > 0: // definitions, as Codex and OpenAI return them
				add(e, asked.Hits)
			}
		}
	}
	for _, loaded := range f.session.Contexts[context].Loaded {
		if loaded.Entry >= 0 && loaded.Entry < len(l.history.entries) {
			add(loaded.Entry, loaded.Tools)
		}
	}
}

// at returns the value of a key. A key without one gets the zero value.
func at[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// findUnused sets the servers that have tools without a call.
func (r *run) findUnused() {
	servers := map[string]*UnusedServer{}
	for _, t := range r.snapshot.Registry.Tools {
		p := at(r.presences, t)
		if engine.IsBridge(t.Name) || !p.Observed() && (!r.snapshot.Granted(t) || !t.Available) {
			continue
		}
		s := servers[t.Toolset]
		if s == nil {
			s = &UnusedServer{Name: t.Toolset}
			servers[t.Toolset] = s
		}
		s.Tools++
		s.Calls += p.calls
		if p.calls > 0 {
			continue
		}
		p.Tokens = round(p.tokens)
		s.tokens += p.tokens
		s.Cost = total(s.Cost, p.Cost)
		s.Unused = append(s.Unused, UnusedTool{t, round(r.reference.of(r.definition(t))), p.Evidence})
	}
	costliest := func(a, b *Evidence, x, y string) int {
		of := func(e *Evidence) float64 {
			if e.Cost == nil {
				return -1
			}
			return *e.Cost
		}
		return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(b.tokens, a.tokens), cmp.Compare(b.Requests, a.Requests), strings.Compare(x, y))
	}
	for _, s := range servers {
		if len(s.Unused) == 0 {
			continue
		}
		seen := at(r.serverSeen, s.Name)
		s.Sessions, s.Requests, s.First, s.Last, s.Files, s.Among = seen.Sessions, seen.Requests, seen.First, seen.Last, seen.files, seen.among
		s.Tokens = round(s.tokens)
		model.Sort(s.Unused, func(a, b UnusedTool) int {
			return costliest(&a.Evidence, &b.Evidence, a.Tool.Qualified, b.Tool.Qualified)
		})
		r.report.Unused.Servers = append(r.report.Unused.Servers, *s)
	}
	model.Sort(r.report.Unused.Servers, func(a, b UnusedServer) int { return costliest(&a.Evidence, &b.Evidence, a.Name, b.Name) })
}
