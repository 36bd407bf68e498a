package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/words"
)

// The codes of a refused client.
const (
	codeForeignHost    = "foreign_host"
	codeForeignPage    = "foreign_origin"
	codeNoToken        = "no_token"
	codeWrongToken     = "wrong_token"
	codeUnknownSession = "unknown_session"
)

// mostSaid is how many characters of a refused client's own words an event has.
const mostSaid = 100

// sparsest is how far the events of one refusal are apart at most, while it is repeated.
const sparsest = time.Minute

// refusals counts refused clients, by the session whose path they asked for, empty for
// none that is served, and by the code. So their number is bounded by that of the
// sessions, however many clients come.
type refusals struct {
	mu sync.Mutex
	by map[[2]string]*refused
}

// refused is the clients that were refused for one reason: the latest of them, with their
// count, and the time of the last event that tells of them.
type refused struct {
	latest transcript.Event
	events int
	told   int // the count in the last one
	at     time.Time
}

// refuse answers a client that is not let in, and counts it. The first refusal of a kind is
// noted at once. Repeated ones are noted with their count, ever more rarely while they keep
// coming, so that a flood fills neither the record nor memory.
//
// SECURITY: the event has no token, also where the client's words repeat it. It is noted
// beside the answer, whose time would tell otherwise whether the path was asked for before.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, served bool, code string) {
	status, answer, why := http.StatusForbidden, "caliper serves this machine alone", fmt.Sprintf("it asked for the host %q, and this machine alone is served", said(r, r.Host))
	switch code {
	case codeForeignPage:
		answer, why = "caliper serves no web pages of others", fmt.Sprintf("it is a web page of %q", said(r, r.Header.Get("Origin")))
	case codeNoToken, codeWrongToken, codeUnknownSession:
		w.Header().Set("WWW-Authenticate", `Bearer realm="caliper"`)
		status, answer = http.StatusUnauthorized, "the bearer token does not open this path"
		why = map[string]string{codeNoToken: "it sent no bearer token", codeWrongToken: "its bearer token is not the session's", codeUnknownSession: "no session is served at the path it asked for"}[code]
	}
	http.Error(w, answer, status)
	session := ""
	if served {
		session = sessionOf(r.URL)
	}
	e := transcript.Event{Kind: transcript.EventRefuse, Session: session, Verdict: transcript.VerdictDenied, Code: code, Error: why}
	if agent := said(r, r.UserAgent()); agent != "" {
		e.Client = &transcript.EventClient{Name: agent}
	}
	if e, due := s.refusals.add(e, s.o.Now()); due {
		s.leaving.Go(func() { s.note(session, e) })
	}
}

// said returns the beginning of what a refused client wrote.
func said(r *http.Request, text string) string {
	if token := bearer(r); token != "" && strings.Contains(text, token) {
		return ""
	}
	return words.First(text, mostSaid)
}

// add counts a refusal, and returns the event of it; due is false while it is too early
// for one.
func (f *refusals) add(e transcript.Event, now time.Time) (counted transcript.Event, due bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := [2]string{e.Session, e.Code}
	x := f.by[key]
	if x == nil {
		if f.by == nil {
			f.by = map[[2]string]*refused{}
		}
		x = new(refused)
		f.by[key] = x
	}
	e.Count = x.latest.Count + 1
	x.latest = e
	if x.events > 0 && now.Sub(x.at) < min(time.Duration(1+x.events/10)*time.Second, sparsest) {
		return e, false
	}
	x.events, x.told, x.at = x.events+1, e.Count, now
	return e, true
}

// untold returns the events of the refusals that none has told of, in the order of their
// sessions and codes.
func (f *refusals) untold() (events []transcript.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.by {
		if x.told < x.latest.Count {
			x.told = x.latest.Count
			events = append(events, x.latest)
		}
	}
	model.Sort(events, func(a, b transcript.Event) int {
		return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Code, b.Code))
	})
	return events
}
