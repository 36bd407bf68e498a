package replay

import (
	"slices"

	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/engine/transcript"
	"caliper/model"
)

// follow walks a context in the order of the log and reports its calls and
// chains.
func (r *run) follow(session, c int, l *line, out *Session) {
	r.at = l
	n := &needs{run: r, chain: Chain{Session: session, Context: c}}
	end := func(chains []Chain) {
		for _, chain := range chains {
			if chain.Loop() {
				out.Loops++
			}
			if r.in.Detail == EveryCall || r.in.Detail == Misses && chain.Loop() {
				r.report.Chains = append(r.report.Chains, chain)
			}
		}
	}
	for i, e := range l.history.entries {
		if e.Copy {
			continue
		}
		if e.Kind == transcript.User && e.Words != "" {
			end(n.user(e.Words))
		}
		at, ok := l.byEntry[i]
		if !ok {
			continue
		}
		mades, chains := n.answer(i, e.Request.Calls)
		l.requests[at].made = mades
		end(chains)
		for k, m := range mades {
			call := e.Request.Calls[k]
			if call.Kind != transcript.Use {
				continue
			}
			r.report.Calls = append(r.report.Calls, r.call(Call{
				Session: session, Context: c, Entry: i, Request: at + 1 + out.Requests, When: e.Time,
				Name: call.Tool, Tool: m.tool, Words: m.words, Query: m.query, Searches: m.searches,
				Answered: call.Answered, Failed: call.Failed, Elsewhere: m.elsewhere,
			}))
		}
	}
	end(n.end(nil))
}

// call returns a call with its ranks and its status.
func (r *run) call(c Call) Call {
	c.Ranks = make([]int, len(r.rankers))
	switch {
	case c.Tool == nil:
		c.Status = UnknownTool
		return c
	case r.snapshot.Class(c.Tool) == engine.Visible:
		c.Status = CoreTool
		return c
	case !r.snapshot.Granted(c.Tool) || !c.Tool.Available:
		c.Status = OutOfScope
		return c
	}
	for i, s := range r.rankers {
		s, _ = s.Untaught(learned.Lesson{Text: c.Query}) // a query of the logs may be a label by now
		c.Ranks[i], _, _ = s.Rank(c.Query, c.Tool)
	}
	switch rank := c.Ranks[0]; {
	case rank == 0:
		c.Status = NoMatch
	case rank <= r.report.Limit:
		c.Status = Found
	default:
		c.Status = Below
	}
	return c
}

// count adds a call to the counts of its session.
func (r *run) count(out *Session, c Call) {
	out.Calls++
	switch c.Status {
	case Found:
		out.Found++
	case Below:
		out.Below++
	case NoMatch:
		out.NoMatch++
		if c.Query == "" {
			out.Unasked++
		}
	case OutOfScope:
		out.OutOfScope++
	case UnknownTool:
		out.Unknown++
		r.unknown[c.Name]++
	}
	out.Deferrable = out.Found + out.Below + out.NoMatch + out.OutOfScope
}

// dropCalls takes the calls, from the first on, out of the report that Inputs.Detail does
// not ask for.
func (r *run) dropCalls(first int) {
	if r.in.Detail == EveryCall {
		return
	}
	calls := slices.DeleteFunc(r.report.Calls[first:], func(c Call) bool { return r.in.Detail == Sums || !missed(c) })
	r.report.Calls = r.report.Calls[:first+len(calls)]
}

// distinct returns how many deferrable tools calls name.
func distinct(calls []Call) int {
	seen := map[*model.Tool]bool{}
	for _, c := range calls {
		if c.Tool != nil && c.Status != CoreTool {
			seen[c.Tool] = true
		}
	}
	return len(seen)
}

// paid returns what an answer of the context at hand cost, input and output,
// as the log has it.
func (r *run) paid(entry int) (tokens int, known bool) {
	at, ok := r.at.byEntry[entry]
	if !ok || !r.at.requests[at].known {
		return 0, false
	}
	return r.at.requests[at].total + r.at.history.entries[entry].Request.Usage.Output, true
}
