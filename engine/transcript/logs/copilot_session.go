package logs

import (
	"strconv"
	"strings"
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// copilotSession collects the events of one file.
type copilotSession struct {
	out     transcript.Session
	count   transcript.Counter
	threads map[string]*copilotThread      // by the call whose helper it is; "" is the main line
	order   []*copilotThread               // the main line first
	usages  map[string]transcript.Usage    // of requests whose message is still to come
	calls   map[string]copilotPlace        // by their ids
	names   map[string]string              // of tools of MCP: as a search names them, and as they are called
	asked   []copilotPlace                 // the searches
	answers map[string]*transcript.Request // by apiCallId
	at      time.Time
}

// copilotThread is one context.
type copilotThread struct {
	transcript.Context
	last int // the entry that the next one follows
}

// copilotPlace is where a call is.
type copilotPlace struct {
	thread      *copilotThread
	entry, call int
}

// copilotSearchTool is the tool that finds those which are deferred.
const copilotSearchTool = "tool_search_tool"

// thread returns the context of a helper, or the main line.
func (s *copilotSession) thread(helper string) *copilotThread {
	t := s.threads[helper]
	if t == nil {
		t = &copilotThread{transcript.Context{Helper: strings.Clone(helper)}, transcript.None}
		s.threads[t.Helper] = t
		s.order = append(s.order, t)
	}
	return t
}

// add adds an entry behind the last one.
func (t *copilotThread) add(e transcript.Entry) int {
	e.Parent = t.last
	t.Entries = append(t.Entries, e)
	t.last = len(t.Entries) - 1
	return t.last
}

// take takes one event, and returns what it is when it is left out.
func (s *copilotSession) take(n *jsontree.Node) string {
	kind, data := n.Member("type").AsText(), n.Member("data")
	if at, err := time.Parse(time.RFC3339Nano, n.Member("timestamp").AsText()); err == nil {
		if s.at = at.UTC(); s.out.Started.IsZero() {
			s.out.Started = s.at
		}
	}
	t := s.thread(data.Member("parentToolCallId").AsText())
	prose := func(name string) transcript.Size {
		return transcript.Measure(data.Member(name).AsText(), transcript.Prose, s.count)
	}
	switch kind {
	case "session.start", "session.resume":
		if id := data.Member("sessionId").AsText(); id != "" {
			s.out.ID = strings.Clone(id)
		}
	case "system.message":
		t.add(transcript.Entry{Kind: transcript.System, Time: s.at, Size: prose("content")})
	case "user.message":
		size := prose("content")
		if data.Member("transformedContent") != nil {
			size = prose("transformedContent") // what the model saw
		}
		t.add(transcript.Entry{Kind: transcript.User, Time: s.at, Size: size, Words: strings.Clone(data.Member("content").AsText())})
	case "session.usage_record":
		u := data.Member("usage")
		id, usage := u.Member("apiCallId").AsText(), usageOf(u)
		switch q := s.answers[id]; {
		case !usage.Possible() || id == "":
		case q != nil:
			q.Usage = &usage
		default: // it comes before its message
			s.usages[strings.Clone(id)] = usage
		}
	case "assistant.message":
		s.answer(t, data)
	case "tool.execution_complete":
		s.result(data)
	case "session.compaction_complete":
		if isTrue(data.Member("success")) {
			t.last = transcript.None
			t.add(transcript.Entry{Kind: transcript.Summary, Time: s.at, Size: prose("summaryContent")})
		}
	case "session.shutdown": // it has the sums of the session
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
	default:
		return kind
	}
	return ""
}

// answer takes a message of the model, or one more part of it.
func (s *copilotSession) answer(t *copilotThread, data *jsontree.Node) {
	id := data.Member("apiCallId").AsText()
	if id == "" {
		id = data.Member("messageId").AsText()
	}
	q := s.answers[id]
	at := len(t.Entries) - 1
	for at >= 0 && (q == nil || t.Entries[at].Request != q) {
		at--
	}
	if at < 0 {
		q = &transcript.Request{ID: strings.Clone(id), Model: strings.Clone(data.Member("model").AsText()), Tools: transcript.None}
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
	e.Size = e.Size.Add(transcript.Measure(data.Member("content").AsText(), transcript.Prose, s.count))
	for _, x := range data.Member("toolRequests").Elements() {
		name, args := x.Member("name").AsText(), ""
		if a := x.Member("arguments"); a != nil {
			args = string(jsontree.Compact(a.Raw))
		}
		c := transcript.Call{ID: strings.Clone(x.Member("toolCallId").AsText()), Tool: strings.Clone(name), Size: transcript.Measure(name+args, transcript.Schema, s.count)}
		if server, tool := x.Member("mcpServerName").AsText(), x.Member("mcpToolName").AsText(); name == copilotSearchTool {
			c.Kind = transcript.Search
			c.Ask(transcript.Lookup{Queries: []string{strings.Clone(x.Member("arguments").Member("pattern").AsText())}})
		} else if server != "" && tool != "" { // the name that the model wrote does not tell where the one ends and the other begins
			whole := "mcp__" + server + "__" + tool
			s.names[c.Tool] = whole
			c.Tool = whole
		}
		e.Size = e.Size.Add(c.Size)
		here := copilotPlace{t, at, len(q.Calls)}
		q.Calls = append(q.Calls, c)
		s.calls[c.ID] = here
		if c.Kind == transcript.Search {
			s.asked = append(s.asked, here)
			t.Deferred = true
		}
	}
}

// result takes what a call gave.
func (s *copilotSession) result(data *jsontree.Node) {
	of, ok := s.calls[data.Member("toolCallId").AsText()]
	if !ok {
		return
	}
	call := &of.thread.Entries[of.entry].Request.Calls[of.call]
	if call.Answered {
		return
	}
	said := data.Member("result").Member("content").AsText()
	if fault := data.Member("error"); fault != nil {
		said = fault.Member("message").AsText()
	}
	call.Answered, call.Failed = true, !isTrue(data.Member("success"))
	if _, list, ok := strings.Cut(said, "tool(s): "); ok { // "Found 2 matching tool(s): a, b"
		var names []string
		for name := range strings.SplitSeq(list, ",") {
			names = append(names, strings.Clone(strings.TrimSpace(name)))
		}
		call.Found(names)
	}
	of.thread.add(transcript.Entry{Kind: transcript.Result, Time: s.at, Size: transcript.Measure(said, transcript.Output, s.count), CallEntry: of.entry, Call: of.call})
}

// usageOf reads a usage. The tokens of the whole input are inputTokens.
func usageOf(n *jsontree.Node) (u transcript.Usage) {
	read, write := copilotNumber(n.Member("cacheReadTokens")), copilotNumber(n.Member("cacheWriteTokens"))
	return transcript.Usage{Input: copilotNumber(n.Member("inputTokens")) - read - write, CacheRead: read, CacheWrite: write, Output: copilotNumber(n.Member("outputTokens"))}
}

func copilotNumber(n *jsontree.Node) int {
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
