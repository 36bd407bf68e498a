package copilot

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// session collects the events of one file.
type session struct {
	out     transcript.Session
	count   transcript.Counter
	threads map[string]*thread             // by the call whose helper it is; "" is the main line
	order   []*thread                      // the main line first
	usages  map[string]transcript.Usage    // of requests whose message is still to come
	calls   map[string]place               // by their ids
	names   map[string]string              // of tools of MCP: as a search names them, and as they are called
	asked   []place                        // the searches
	answers map[string]*transcript.Request // by apiCallId
	at      time.Time
}

// thread is one context.
type thread struct {
	transcript.Context
	last int // the entry that the next one follows
}

// place is where a call is.
type place struct {
	thread      *thread
	entry, call int
}

// searchTool is the tool that finds those which are deferred.
const searchTool = "tool_search_tool"

func newSession(path string, count transcript.Counter) *session {
	s := &session{count: count, threads: map[string]*thread{}, usages: map[string]transcript.Usage{}, calls: map[string]place{}, names: map[string]string{}, answers: map[string]*transcript.Request{}}
	s.out = transcript.Session{ID: filepath.Base(filepath.Dir(path)), Agent: transcript.Copilot, File: path}
	s.thread("")
	return s
}

// thread returns the context of a helper, or the main line.
func (s *session) thread(helper string) *thread {
	t := s.threads[helper]
	if t == nil {
		t = &thread{transcript.Context{Helper: strings.Clone(helper)}, transcript.None}
		s.threads[t.Helper] = t
		s.order = append(s.order, t)
	}
	return t
}

// add adds an entry behind the last one.
func (t *thread) add(e transcript.Entry) int {
	e.Parent = t.last
	t.Entries = append(t.Entries, e)
	t.last = len(t.Entries) - 1
	return t.last
}

// take takes one event, and returns what it is when it is left out.
func (s *session) take(n *jsontree.Node) string {
	kind, data := text(n.Member("type")), n.Member("data")
	if at, err := time.Parse(time.RFC3339Nano, text(n.Member("timestamp"))); err == nil {
		if s.at = at.UTC(); s.out.Started.IsZero() {
			s.out.Started = s.at
		}
	}
	t := s.thread(text(data.Member("parentToolCallId")))
	prose := func(name string) transcript.Size {
		return transcript.Measure(text(data.Member(name)), transcript.Prose, s.count)
	}
	switch kind {
	case "session.start", "session.resume":
		if id := text(data.Member("sessionId")); id != "" {
			s.out.ID = strings.Clone(id)
		}
	case "system.message":
		t.add(transcript.Entry{Kind: transcript.System, Time: s.at, Size: prose("content")})
	case "user.message":
		size := prose("content")
		if data.Member("transformedContent") != nil {
			size = prose("transformedContent") // what the model saw
		}
		t.add(transcript.Entry{Kind: transcript.User, Time: s.at, Size: size, Words: strings.Clone(text(data.Member("content")))})
	case "session.usage_record":
		u := data.Member("usage")
		s.pay(text(u.Member("apiCallId")), usageOf(u))
	case "assistant.message":
		s.answer(t, data)
	case "tool.execution_complete":
		s.result(data)
	case "session.compaction_complete":
		if isTrue(data.Member("success")) {
			t.last = transcript.None
			t.add(transcript.Entry{Kind: transcript.Summary, Time: s.at, Size: prose("summaryContent")})
		}
	case "session.shutdown":
		s.sum(data)
	default:
		return kind
	}
	return ""
}

// pay sets the usage of a request, which may come before its message.
func (s *session) pay(id string, u transcript.Usage) {
	if !u.Possible() || id == "" {
		return
	}
	if q := s.answers[id]; q != nil {
		q.Usage = &u
		return
	}
	s.usages[strings.Clone(id)] = u
}

// answer takes a message of the model, or one more part of it.
func (s *session) answer(t *thread, data *jsontree.Node) {
	id := text(data.Member("apiCallId"))
	if id == "" {
		id = text(data.Member("messageId"))
	}
	q := s.answers[id]
	at := len(t.Entries) - 1
	for at >= 0 && (q == nil || t.Entries[at].Request != q) {
		at--
	}
	if at < 0 {
		q = &transcript.Request{ID: strings.Clone(id), Model: strings.Clone(text(data.Member("model"))), Tools: transcript.None}
		if u, ok := s.usages[id]; ok {
			q.Usage = &u
			delete(s.usages, id)
		}
		if id != "" {
			s.answers[q.ID] = q
		}
		at = t.add(transcript.Entry{Kind: transcript.Answer, Time: s.at, Request: q})
	}
	if q.Model != "" {
		s.out.Model = q.Model
	}
	e := &t.Entries[at]
	e.Size = e.Size.Add(transcript.Measure(text(data.Member("content")), transcript.Prose, s.count))
	for _, x := range data.Member("toolRequests").Elements() {
		c := s.call(x.Node)
		e.Size = e.Size.Add(c.Size)
		here := place{t, at, len(q.Calls)}
		q.Calls = append(q.Calls, c)
		s.calls[c.ID] = here
		if c.Kind == transcript.Search {
			s.asked = append(s.asked, here)
			t.Deferred = true
		}
	}
}

// call reads a call. The name of a tool of MCP is made of its server and its own, because the
// name that the model wrote does not tell where the one ends and the other begins.
func (s *session) call(n *jsontree.Node) transcript.Call {
	name, args := text(n.Member("name")), ""
	if a := n.Member("arguments"); a != nil {
		args = string(jsontree.Compact(a.Raw))
	}
	c := transcript.Call{ID: strings.Clone(text(n.Member("toolCallId"))), Tool: strings.Clone(name), Size: transcript.Measure(name+args, transcript.Schema, s.count)}
	if name == searchTool {
		c.Kind = transcript.Search
		c.Ask(transcript.Lookup{Queries: []string{strings.Clone(text(n.Member("arguments").Member("pattern")))}})
		return c
	}
	if server, tool := text(n.Member("mcpServerName")), text(n.Member("mcpToolName")); server != "" && tool != "" {
		whole := "mcp__" + server + "__" + tool
		s.names[c.Tool] = whole
		c.Tool = whole
	}
	return c
}

// result takes what a call gave.
func (s *session) result(data *jsontree.Node) {
	of, ok := s.calls[text(data.Member("toolCallId"))]
	if !ok {
		return
	}
	call := &of.thread.Entries[of.entry].Request.Calls[of.call]
	if call.Answered {
		return
	}
	said := text(data.Member("result").Member("content"))
	if fault := data.Member("error"); fault != nil {
		said = text(fault.Member("message"))
	}
	call.Answered, call.Failed = true, !isTrue(data.Member("success"))
	if call.Kind == transcript.Search {
		call.Found(found(said))
	}
	of.thread.add(transcript.Entry{Kind: transcript.Result, Time: s.at, Size: transcript.Measure(said, transcript.Output, s.count), CallEntry: of.entry, Call: of.call})
}

// found returns the names in the answer of a search: "Found 2 matching tool(s): a, b".
func found(said string) (names []string) {
	if _, list, ok := strings.Cut(said, "tool(s): "); ok {
		for name := range strings.SplitSeq(list, ",") {
			names = append(names, strings.Clone(strings.TrimSpace(name)))
		}
	}
	return names
}

// sum takes the sums of the session.
func (s *session) sum(data *jsontree.Node) {
	var all transcript.Usage
	models := data.Member("accountingSnapshot").Member("modelMetrics")
	if models == nil {
		models = data.Member("modelMetrics")
	}
	for _, m := range models.Members() {
		u := usageOf(m.Member("usage"))
		all.Input, all.CacheRead, all.CacheWrite, all.Output = all.Input+u.Input, all.CacheRead+u.CacheRead, all.CacheWrite+u.CacheWrite, all.Output+u.Output
	}
	if all.Possible() && all.Total() > 0 {
		s.out.Sums = &all
	}
}

// end returns the session.
func (s *session) end() transcript.Session {
	for _, p := range s.asked {
		for i, name := range p.thread.Entries[p.entry].Request.Calls[p.call].Asked().Hits {
			if whole := s.names[name]; whole != "" {
				p.thread.Entries[p.entry].Request.Calls[p.call].Lookup.Hits[i] = whole
			}
		}
	}
	for _, t := range s.order {
		s.out.Contexts = append(s.out.Contexts, t.Context)
	}
	return s.out
}

// usageOf reads a usage. The tokens of the whole input are inputTokens.
func usageOf(n *jsontree.Node) (u transcript.Usage) {
	read, write := number(n.Member("cacheReadTokens")), number(n.Member("cacheWriteTokens"))
	return transcript.Usage{Input: number(n.Member("inputTokens")) - read - write, CacheRead: read, CacheWrite: write, Output: number(n.Member("outputTokens"))}
}

func text(n *jsontree.Node) string {
	if n.Is(jsontree.String) {
		return n.Text
	}
	return ""
}

func number(n *jsontree.Node) int {
	if n == nil {
		return 0
	}
	f, err := strconv.ParseFloat(string(n.Raw), 64)
	if err != nil || f != f || f < 0 || f > 1<<40 {
		return 0
	}
	return int(f)
}

func isTrue(n *jsontree.Node) bool { return n.Is(jsontree.Boolean) && n.Text == "true" }
