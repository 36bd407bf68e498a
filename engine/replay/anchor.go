package replay

import (
	"math"
	"slices"

	"caliper/engine/selection"
	"caliper/engine/transcript"
)

// usedBy returns the strategy that a session really used, and what its log shows: tool
// search if it searched, was told the deferred tools, or was sent the bridge or tools with
// defer_loading; eager if the log has the tools that were sent. Where nothing shows it, eager
// is a guess, but a logged request without tools, of a session without calls, sent none.
func (r *run) usedBy(s *transcript.Session, offers []offer) (used selection.Strategy, sends Sending) {
	hides := s.Agent == transcript.Claude && slices.ContainsFunc(s.Listed, func(l transcript.Listed) bool { return r.catalog.find(l.Name) != nil })
	full := s.Agent == transcript.Claude && !hides
	for _, o := range offers {
		switch {
		case o.bridge || o.behind != nil && s.Agent != transcript.Claude:
			return selection.ToolSearch, Shown
		case full && o.full: // the agent may defer its own tools
			return selection.Eager, Shown
		}
	}
	calls := false
	for _, c := range s.Contexts {
		if c.Deferred {
			return selection.ToolSearch, Shown
		}
		for _, e := range c.Entries {
			if e.Request != nil && slices.ContainsFunc(e.Request.Calls, func(c transcript.Call) bool { return c.Asks() }) {
				return selection.ToolSearch, Shown
			}
			calls = calls || e.Request != nil && len(e.Request.Calls) > 0
		}
	}
	switch {
	case len(offers) > 0:
		return selection.Eager, Shown
	case !calls && (s.Agent == transcript.OpenAI || s.Agent == transcript.Anthropic):
		return selection.Eager, NoTools // a logged request is all that was sent
	}
	return selection.Eager, Guessed
}

// strange reports whether a logged usage cannot be right: it is less than half
// of what the messages that the request carried weigh at four characters a
// token.
func strange(total int, carried transcript.Size) bool { return total*8 < carried.AllChars() }

// unknownShare is the share of a session's requests with a usage that is
// missing or cannot be right from which on the session's is unknown: more than
// one in ten.
const unknownShare = 10

// usage returns the logged usage of a session, and whether it belongs to its
// requests (single) or to the session as a whole; nil, and why, when it is unknown.
func usage(s *transcript.Session, lines []*line) (sum *transcript.Usage, single bool, why Gap) {
	total, missing, bad, carried := 0, 0, 0, 0
	var u transcript.Usage
	for _, l := range lines {
		for _, q := range l.requests {
			total++
			before := l.history.before(q.entry)
			carried += before.AllChars()
			switch got := l.history.entries[q.entry].Request.Usage; {
			case got == nil:
				missing++
			case strange(got.Total(), before):
				bad++
				u = plus(u, *got)
			default:
				u = plus(u, *got)
			}
		}
	}
	switch {
	case total == 0:
		return nil, false, NoRequest
	case missing < total:
		if (missing+bad)*unknownShare > total {
			return nil, true, WrongUsage
		}
		return &u, true, NoGap
	case s.Sums == nil || s.Sums.Total() == 0:
		return nil, false, NoUsage
	case s.Sums.Total()*8 < carried:
		return nil, false, WrongUsage
	default:
		v := *s.Sums
		return &v, false, NoGap
	}
}

// No tokenizer makes tokens of more than mostChars characters of definitions: o200k makes
// them of 4.4, those of Claude of fewer. A size at four characters a token is an estimate,
// which proves tools unsent only for a session that is likely to have deferred them.
const mostChars, estimatedChars = 6, 4

// outweighed reports whether the tools of the registry that requests sent, as far as that is
// known, are more than all of their logged input can hold, so that they were not sent. What a
// request is logged to have sent is none of them. A tokenizer that counts or was fitted
// decides by its tokens; else the most characters a token do. likely says that the tools are
// likely not to have been sent.
func (r *run) outweighed(sum *transcript.Usage, single, likely bool) bool {
	var tools transcript.Size
	logged := 0
	for _, l := range r.lines {
		for _, q := range l.requests {
			if tool := l.history.entries[q.entry].Request.Tools; tool == transcript.None && (q.known || !single) {
				tools = tools.Add(q.sent)
				logged += q.total
			}
		}
	}
	if !single {
		logged = sum.Total()
	}
	most := mostChars
	if likely {
		most = estimatedChars
	}
	return tools.AllChars() > most*logged || (r.tokenizer.Count != nil || r.tokenizer.checked) && r.tokenizer.of(tools) > float64(logged)
}

// plus returns the sum of two usages.
func plus(u, v transcript.Usage) transcript.Usage {
	return transcript.Usage{Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite, HourWrite: u.HourWrite + v.HourWrite, Output: u.Output + v.Output}
}

// anchor sets the residual of every request: what its logged input is beyond
// the tools and the messages that are known. A request whose own usage cannot
// be right has the mean of the others of its session; where only the sums of
// the session are known all have the mean; where nothing is known it is 0.
func (r *run) anchor(lines []*line, sum *transcript.Usage, single bool) {
	if sum == nil {
		return
	}
	all, known := 0.0, 0
	for _, l := range lines {
		for i := range l.requests {
			q := &l.requests[i]
			carried := r.tokenizer.of(q.sent.Add(l.history.before(q.entry)))
			if q.known {
				q.residual = float64(q.total) - carried
				all += q.residual
			} else if !single {
				all -= carried
			} else {
				continue
			}
			known++
		}
	}
	if !single {
		all += float64(sum.Total())
	}
	if known == 0 {
		return
	}
	for _, l := range lines {
		for i := range l.requests {
			if q := &l.requests[i]; !q.known {
				q.residual = all / float64(known)
			}
		}
		for i := range l.copied {
			if q := &l.copied[i]; q.known {
				q.residual = float64(q.total) - r.tokenizer.of(q.sent.Add(l.history.before(q.entry)))
			} else {
				q.residual = all / float64(known)
			}
		}
	}
}

// recompute returns the input of a session bottom up: the tools and messages
// really sent, and for each context one intercept, which is the mean residual
// of every other request, so that half of the figures compared with the log were
// not fitted to it.
func (r *run) recompute(lines []*line) (total float64) {
	for _, l := range lines {
		var fit, n float64
		for i, q := range l.requests {
			if q.known && i%2 == 0 {
				fit += q.residual
				n++
			}
		}
		if n == 0 { // nothing but the first requests' usage is missing
			for _, q := range l.requests {
				fit += q.residual
				n++
			}
		}
		for _, q := range l.requests {
			total += fit/n + r.tokenizer.of(q.sent.Add(l.history.before(q.entry)))
		}
	}
	return total
}

// summed is a session whose log has sums alone. Its cost beyond its tools
// and messages is learnt from the other sessions, because its own would be fitted to the
// one figure that it is compared with.
type summed struct {
	session  int // of Report.Session
	logged   float64
	kind     kind
	requests float64
	messages float64 // tokens of the messages of all requests
	carried  float64 // the same and their tools
}

// kind is the properties that sessions with one intercept share.
type kind struct {
	agent transcript.Agent
	model string
	used  selection.Strategy
}

// recomputeSummed sets the recomputed figures of the sessions whose logs have
// sums alone. One that is alone of its kind stays unknown.
//
// The residual of session s of kind k is taken as
//
//	residual(s) = intercept(k)·requests(s) + slope·messages(s)
//
// where the slope is how far the tokenizer is off for the messages of this agent and
// model. Both are the least squares over the other sessions.
func (r *run) recomputeSummed() {
	kinds := map[kind]moments{}
	alike := map[kind][]kind{} // the kinds of one agent and model, by these, in their order
	members := map[kind][]int{}
	for i, s := range r.summed {
		members[s.kind] = append(members[s.kind], i)
		if _, known := kinds[s.kind]; !known {
			of := s.kind.alike()
			alike[of] = append(alike[of], s.kind)
		}
		kinds[s.kind] = kinds[s.kind].plus(s.moments(), 1)
	}
	for i, s := range r.summed {
		own := kinds[s.kind].plus(s.moments(), -1)
		if own.sessions < fewSessions {
			own = moments{}
			for _, other := range members[s.kind] {
				if other != i {
					own = own.plus(r.summed[other].moments(), 1)
				}
			}
		}
		if own.sessions == 0 || own.nn == 0 {
			continue // it is alone of its kind
		}
		var across, along float64 // what the requests of a kind do not explain
		for _, k := range alike[s.kind.alike()] {
			m := kinds[k]
			if k == s.kind {
				m = own
			}
			if m.nn > 0 {
				across += m.mm - m.nm*m.nm/m.nn
				along += m.my - m.nm*m.ny/m.nn
			}
		}
		slope := 0.0 // where the sessions of each kind have messages in proportion to their requests
		if across > 1e-3*own.mm {
			slope = along / across
		}
		intercept := (own.ny - slope*own.nm) / own.nn
		r.report.Sessions[s.session].recomputed(s.carried + intercept*s.requests + slope*s.messages)
	}
}

// fewSessions is the number of sessions of a kind below which their moments are summed
// again without the one at hand. With more it is subtracted from the sum of all, since
// what rounding leaves of it is nothing beside the others.
const fewSessions = 200

// moments are sums over sessions, of products of their requests (n), the tokens of their
// messages (m) and their residuals (y).
type moments struct {
	sessions           int
	nn, nm, ny, mm, my float64
}

// moments returns the moments of one session.
func (s summed) moments() moments {
	n, m, y := s.requests, s.messages, s.logged-s.carried
	return moments{1, n * n, n * m, n * y, m * m, m * y}
}

// plus returns the moments of more sessions, or with a sign of -1 of fewer.
func (a moments) plus(b moments, sign float64) moments {
	return moments{a.sessions + int(sign)*b.sessions, a.nn + sign*b.nn, a.nm + sign*b.nm, a.ny + sign*b.ny, a.mm + sign*b.mm, a.my + sign*b.my}
}

// alike returns what kinds of one agent and model have in common.
func (k kind) alike() kind { return kind{agent: k.agent, model: k.model} }

// recomputed sets the input of the strategy really used, and its error.
func (s *Session) recomputed(total float64) {
	sum, pct := round(total), 0.0
	if logged := float64(s.Logged.Total()); logged > 0 {
		pct = math.Abs(total-logged) / logged * 100
	}
	s.Recomputed, s.ErrorPct = &sum, &pct
}
