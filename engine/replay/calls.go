package replay

import (
	"caliper/engine"
	"caliper/engine/retrieval/learned"
	"caliper/engine/transcript"
	"caliper/model"
)

// follow walks a context in the order of the log, counts its calls and chains in its
// session, and reports those that Inputs.Detail asks for. lazy: tools are deferred, or
// are likely to be.
func (r *run) follow(session, c int, l *line, lazy bool, out *Session) {
	r.at = l
	n := &needs{run: r, lazy: lazy, count: true, loaded: map[*model.Tool]bool{}, chain: Chain{Session: session, Context: c}}
	end := func(chains []Chain) {
		for _, chain := range chains {
			if chain.Loop() {
				out.Loops++
			}
			if r.in.Detail != Sums && (chain.Loop() || r.in.Detail == EveryCall && !r.in.Spend) {
				r.report.Chains = append(r.report.Chains, chain)
			}
		}
	}
	// The copied answers of a context use tools, too; their needs belong to another session.
	copied, at := &needs{run: r, loaded: n.loaded}, 0
	for i := 0; at < len(l.copied); i++ {
		e := &l.history.entries[i]
		if e.Kind == transcript.User && e.Words != "" {
			copied.user(e.Words)
		}
		if l.copied[at].entry == i {
			mades, _ := copied.answer(i, e.Request.Calls)
			l.copied[at].uses = r.reachable(mades)
			at++
		}
	}
	next := 0 // of l.requests
	for i := range l.history.entries {
		e := &l.history.entries[i]
		if e.Copy {
			continue
		}
		if e.Kind == transcript.User && e.Words != "" {
			end(n.user(e.Words))
		}
		if next == len(l.requests) || l.requests[next].entry != i {
			continue
		}
		q := &l.requests[next]
		next++
		mades, chains := n.answer(i, e.Request.Calls)
		q.uses = r.reachable(mades)
		end(chains)
		for k, call := range mades {
			logged := &e.Request.Calls[k]
			if logged.Kind != transcript.Use {
				continue
			}
			call.Session, call.Context, call.Entry, call.Request = session, c, i, next+out.Requests
			call.When, call.Name, call.Answered, call.Failed = e.Time, logged.Tool, logged.Answered, logged.Failed
			r.count(out, call)
		}
	}
	end(n.end(nil))
}

// count sets the ranks and the status of a call, and adds it to the counts of its session, and
// to the report if Inputs.Detail asks for it.
func (r *run) count(out *Session, c Call) {
	c.Ranks = make([]int, len(r.rankers))
	switch {
	case c.Tool == nil:
		c.Status = UnknownTool
	case r.snapshot.Class(c.Tool) == engine.Visible:
		c.Status = CoreTool
	case !r.snapshot.Granted(c.Tool) || !c.Tool.Available:
		c.Status = OutOfScope
	default:
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
	}
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
	if s := &r.report.Searching; c.Own.Told && c.Status != CoreTool && c.Status != UnknownTool {
		switch ours := c.Status == Found; {
		case ours && c.Own.Found:
			s.Both++
		case ours:
			s.RankerAlone++
		case c.Own.Found:
			s.OwnAlone++
		default:
			s.Nobody++
		}
	}
	out.Deferrable = out.Found + out.Below + out.NoMatch + out.OutOfScope
	if r.in.Detail == EveryCall || r.in.Detail == Misses && missed(c) {
		r.report.Calls = append(r.report.Calls, c)
	}
}
