package replay

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"
)

// chars returns the code points of the tools that a snapshot sends when it sends all.
func chars(t *testing.T) (all int) {
	t.Helper()
	r, err := begin(t.Context(), Inputs{Snapshot: workshop(t, 200), Prices: sable(t), Strategies: []selection.Strategy{}})
	require.NoError(t, err)
	return r.granted.eager.size.AllChars()
}

const latheDefinition = `{"name":"mcp__shop__polish_lathe0","description":"Polish the lathe0 until it shines","input_schema":{"type":"object","properties":{"what":{"type":"string"}}}}`

// lists makes the log of a session list tools as deferred.
func lists(names ...string) func(*transcript.Session) {
	return func(s *transcript.Session) {
		s.Contexts[0].Deferred = true
		for _, name := range names {
			s.Listed = append(s.Listed, transcript.Listed{Name: name})
		}
	}
}

// sends makes each request of a session send a tools array.
func sends(s *transcript.Session, definitions ...string) {
	var a transcript.ToolArray
	for _, d := range definitions {
		a.Definitions = append(a.Definitions, []byte(d))
	}
	s.Arrays = []transcript.ToolArray{a}
	for i := range s.Contexts[0].Entries {
		if r := s.Contexts[0].Entries[i].Request; r != nil {
			r.Tools = 0
		}
	}
}

// TestSentExactly: the residual is the input that is neither in the tools that were sent nor
// in the messages, so that eager is the log and the definitions that it did not have.
func TestSentExactly(t *testing.T) {
	s := workshop(t, 12)
	r, err := begin(t.Context(), Inputs{Snapshot: s, Prices: sable(t), Strategies: []selection.Strategy{}})
	require.NoError(t, err)
	size := func(name string) float64 { return r.tokenizer.of(r.definition(r.catalog.find(name))) }
	all, lathe, anvil := r.tokenizer.of(r.granted.eager.size), size("mcp__shop__polish_lathe0"), size("mcp__shop__polish_anvil0")
	deferred := strings.TrimSuffix(latheDefinition, "}") + `,"defer_loading":true}`
	for _, c := range []struct {
		name   string
		agent  transcript.Agent
		loaded []string
		sent   []string
		eager  float64 // beyond the log, of each request
	}{
		{"in full", transcript.Claude, nil, []string{latheDefinition}, all - lathe},
		{"found", transcript.Claude, nil, []string{deferred}, all},
		{"of the agent", transcript.Claude, nil, []string{`{"name":"Bash","description":"Run a command","input_schema":{}}`}, all},
		{"stays loaded", transcript.Claude, []string{"mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0"}, []string{deferred}, all - lathe - anvil},
		{"all that was granted is in the request", transcript.Anthropic, nil, []string{deferred}, lathe},
	} {
		w := tell()
		w.user("do it")
		w.answer(2000, 0)
		w.answer(2100, 2000)
		session := w.session("sable")
		session.Agent = c.agent
		lists("mcp__shop__polish_chisel0")(&session)
		sends(&session, c.sent...)
		if c.loaded != nil {
			session.Contexts[0].Loaded = []transcript.Loaded{{Entry: 0, Tools: c.loaded}}
		}
		rep := report(t, s, session)
		if got, want := row(t, rep.Sessions[0], selection.Eager).Tokens.Input, round(4100+2*c.eager); got != want {
			t.Errorf("%s: eager %d, want %d", c.name, got, want)
		}
	}
}

// TestSent: the tools that a session without a search was sent. Tools that its log cannot hold were
// deferred, and none was needed, or, where one was called, they were not of this
// registry; tools that a request is logged to have sent are never of another.
func TestSent(t *testing.T) {
	all := chars(t)
	for name, c := range map[string]struct {
		input     int // of each request
		call      string
		change    func(*transcript.Session)
		tokenizer Tokenizer
		used      selection.Strategy
		gap       Gap
	}{
		"tools at 4.4 characters a token": {input: all*10/44 + 40, call: "read_file", used: selection.Eager},
		"more than six":                   {input: all/6 - 1, call: "read_file", used: selection.ToolSearch},
		"six":                             {input: all/6 + 1, call: "read_file", used: selection.Eager},
		"a tool was called":               {input: all/6 - 1, call: "mcp__shop__polish_lathe0", used: selection.Eager, gap: OtherTools},
		"a tool of no registry":           {input: all/6 - 1, call: "exec_command", used: selection.ToolSearch},
		"likely deferred":                 {input: all/4 - 1, call: "exec_command", change: func(s *transcript.Session) { s.Defers = true }, used: selection.ToolSearch},
		"likely deferred, and they fit":   {input: all/4 + 1, call: "exec_command", change: func(s *transcript.Session) { s.Defers = true }, used: selection.Eager},
		"the log says that they were":     {input: all/4 + 1, call: "exec_command", change: func(s *transcript.Session) { s.Contexts[0].Deferred = true }, used: selection.ToolSearch},
		"by the tokenizer that counts": {input: all/4 + 1, call: "exec_command",
			tokenizer: Tokenizer{Name: "three", Count: func(text string) int { return len(text) / 3 }}, used: selection.ToolSearch},
		"the request's own": {input: 60, call: "mcp__shop__polish_lathe0", change: func(s *transcript.Session) {
			s.Arrays = []transcript.ToolArray{{Definitions: [][]byte{[]byte(`{"type":"function","function":{"name":"mcp__shop__polish_lathe0","description":"` + strings.Repeat("Polish the lathe. ", 40) + `","parameters":{"type":"object"}}}`)}}}
			for i := range s.Contexts[0].Entries {
				if r := s.Contexts[0].Entries[i].Request; r != nil {
					r.Tools = 0
				}
			}
		}, used: selection.Eager},
		"the log lists other tools": {input: all / 2, call: "exec_command", change: lists("mcp__other__tool"), used: selection.ToolSearch, gap: OtherNames},
		"the log lists tools of this registry": {input: all/6 - 1, call: "mcp__shop__polish_lathe0", change: lists("mcp__other__tool", "mcp__shop__polish_lathe0"),
			used: selection.ToolSearch},
		"in full beside tools of the agent that are deferred": {input: 900, call: "mcp__shop__polish_lathe0", change: func(s *transcript.Session) {
			lists("CronList")(s)
			sends(s, latheDefinition, `{"name":"CronList","input_schema":{},"defer_loading":true}`)
		}, used: selection.Eager},
		"found after the agent deferred it": {input: 900, call: "mcp__shop__polish_lathe0", change: func(s *transcript.Session) {
			lists("mcp__shop__polish_lathe0")(s)
			sends(s, strings.TrimSuffix(latheDefinition, "}")+`,"defer_loading":true}`)
		}, used: selection.ToolSearch},
		"with defer_loading": {input: 900, call: "exec_command", change: func(s *transcript.Session) {
			s.Agent = transcript.Anthropic
			sends(s, `{"name":"one","input_schema":{},"defer_loading":true}`, `{"name":"two","input_schema":{}}`)
		}, used: selection.ToolSearch},
		"a server with defer_loading": {input: 900, call: "exec_command", change: func(s *transcript.Session) {
			s.Agent = transcript.OpenAI
			sends(s, `{"type":"mcp","server_label":"elsewhere","defer_loading":true}`)
		}, used: selection.ToolSearch},
		"one tool of a server with defer_loading": {input: 900, call: "exec_command", change: func(s *transcript.Session) {
			s.Agent = transcript.Anthropic
			sends(s, `{"type":"mcp_toolset","mcp_server_name":"shop","default_config":{"defer_loading":false},"configs":{"polish_lathe0":{"defer_loading":true}}}`)
		}, used: selection.ToolSearch},
		"a server without defer_loading": {input: 900, call: "exec_command", change: func(s *transcript.Session) {
			s.Agent = transcript.Anthropic
			sends(s, `{"type":"mcp_toolset","mcp_server_name":"shop","configs":{"polish_lathe0":{"defer_loading":false}}}`)
		}, used: selection.Eager},
	} {
		t.Run(name, func(t *testing.T) {
			w := tell()
			w.user("do it")
			for range 3 {
				w.answer(c.input, 0, use(c.call))
			}
			s := w.session("sable")
			if c.change != nil {
				c.change(&s)
			}
			if c.tokenizer.Count != nil {
				for i := range s.Contexts[0].Entries {
					s.Contexts[0].Entries[i].Size.Tokens = 1
				}
			}
			rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{s}, Snapshot: workshop(t, 200), Prices: sable(t), Tokenizer: c.tokenizer})
			require.NoError(t, err)
			if got := rep.Sessions[0]; got.Used != c.used || got.Gap != c.gap {
				t.Errorf("used %s, gap %d; want %s, %d", got.Used, got.Gap, c.used, c.gap)
			}
		})
	}
}

// TestNeverNeeded: where tools were deferred and none was needed, eager is the log and the
// definitions, which the log did not have.
func TestNeverNeeded(t *testing.T) {
	s := workshop(t, 200)
	w := tell()
	w.user("do it")
	w.answer(2000, 0, use("exec_command"))
	w.answer(2100, 2000, use("exec_command"))
	session := w.session("sable")
	session.Contexts[0].Deferred = true
	rep := report(t, s, session)
	r, err := begin(t.Context(), Inputs{Snapshot: s, Prices: sable(t), Strategies: []selection.Strategy{}})
	require.NoError(t, err)
	deferred := r.tokenizer.of(less(r.granted.eager.size, r.granted.visible))
	if got, want := row(t, rep.Sessions[0], selection.Eager).Tokens.Input, round(4100+2*deferred); got != want {
		t.Errorf("eager %d, want %d", got, want)
	}
}

// TestGoesOn: a session that goes on with the history of another is in the cache as that one
// is, has its descriptions, and counts nothing of it.
func TestGoesOn(t *testing.T) {
	const lathe = "mcp__shop__polish_lathe0"
	s := workshop(t, 12)
	w := tell()
	w.user("polish the lathe")
	w.answer(4000, 0, use(lathe))
	w.answer(4100, 4000)
	parent := w.session("sable")
	for i := range w.entries {
		w.entries[i].Copy = true
	}
	copied := len(w.entries)
	w.entries = slices.Clone(w.entries)
	w.user("once more")
	w.answer(4200, 4100, use(lathe))
	w.answer(4300, 4200)
	fork := w.session("sable")
	parent.Contexts[0].Entries = slices.Clone(w.entries[:copied])
	for i := range parent.Contexts[0].Entries {
		parent.Contexts[0].Entries[i].Copy = false
	}
	parent.ID = "parent"
	cold := w.session("sable")
	cold.Contexts = []transcript.Context{{Entries: slices.Clone(w.entries)}}
	first := &cold.Contexts[0].Entries[copied+1]
	request := *first.Request
	request.Usage = &transcript.Usage{Input: 4200, Output: 10}
	first.Request = &request
	cold.ID = "cold"
	rep := report(t, s, parent, fork, cold)
	x := rep.Sessions[1]
	if x.Requests != 2 || x.Calls != 1 || x.Logged.Total() != 8500 {
		t.Errorf("%+v, logged %+v", x.Counts, x.Logged)
	}
	if got := row(t, x, selection.Eager); got.Requests != 2 || got.Tokens.Input != 8500 || got.Tokens.Cached != 4100+4200 {
		t.Errorf("eager %+v", got)
	}
	if got := row(t, x, selection.ToolSearch); got.Requests != 2 { // the description is in its history
		t.Errorf("tool search: %d requests, %+v", got.Requests, got.Tokens)
	}
	if got := row(t, rep.Sessions[0], selection.ToolSearch); got.Requests != 4 {
		t.Errorf("tool search of the other: %d requests", got.Requests)
	}
	if got := row(t, rep.Sessions[2], selection.Eager); got.Tokens.Cached != 4200 {
		t.Errorf("after a pause: %+v", got.Tokens)
	}
	fork.Contexts[0].Helper = "h"
	if got := row(t, report(t, s, fork).Sessions[0], selection.Eager); got.Tokens.Cached != 4200 {
		t.Errorf("a helper has a cache of its own: %+v", got.Tokens)
	}
	fork.Contexts = []transcript.Context{{Entries: slices.Clone(w.entries[:copied])}}
	if x := report(t, s, fork).Sessions[0]; x.Requests != 0 {
		t.Errorf("nothing of its own: %+v", x.Counts)
	}
	cold.Contexts[0].Entries = cold.Contexts[0].Entries[:copied+2]
	sends(&cold, latheDefinition) // with every request; below, the log no longer says so of the copied ones
	request.Usage = &transcript.Usage{Input: 100, CacheRead: 4100, Output: 10}
	for i := range copied {
		if e := &cold.Contexts[0].Entries[i]; e.Request != nil {
			request := *e.Request
			request.Tools, e.Request = transcript.None, &request
		}
	}
	if got := row(t, report(t, s, cold).Sessions[0], selection.Eager); got.Tokens.Cached != 4100 {
		t.Errorf("with a tools array: %+v", got.Tokens)
	}
}

// TestHostedToolsAlone: an array of tools that the provider runs has none to offer, as one
// without tools, and so has one with nothing that can be read.
func TestHostedToolsAlone(t *testing.T) {
	for _, definition := range []string{`{"type":"web_search"}`, `{"type":"mcp","server_label":"s"}`, `7`, `{"name":7}`, `{`} {
		w := tell()
		w.user("do it")
		w.answer(700, 0)
		w.entries[1].Request.Tools = 0
		s := w.session("sable")
		s.Arrays = []transcript.ToolArray{{Definitions: [][]byte{[]byte(definition)}}}
		rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{s}, Snapshot: workshop(t, 12), Prices: sable(t), Tokenizer: TokenizerOf(tokens.Chars4)})
		if err != nil {
			t.Fatalf("%s: %v", definition, err)
		}
		if x := rep.Sessions[0]; x.Used != selection.Eager || row(t, x, selection.Eager).Tokens.Input != 700 || row(t, x, selection.ToolSearch).Tokens.Input != 700 {
			t.Errorf("%s: %+v", definition, x)
		}
	}
}

// TestSending: what a log shows of the tools that were sent. A logged request without tools, of
// a session that calls none, sent none, so that every strategy costs what was logged.
func TestSending(t *testing.T) {
	s := workshop(t, 12)
	for name, c := range map[string]struct {
		agent  transcript.Agent
		calls  []transcript.Call
		change func(*transcript.Session)
		want   Sending
	}{
		"nothing shows it":              {agent: transcript.Claude, want: Guessed},
		"calls without tools":           {agent: transcript.OpenAI, calls: []transcript.Call{use("mcp__shop__polish_lathe0")}, want: Guessed},
		"requests without tools":        {agent: transcript.OpenAI, want: NoTools},
		"requests without tools, later": {agent: transcript.Anthropic, want: NoTools},
		"requests with tools":           {agent: transcript.OpenAI, change: func(s *transcript.Session) { sends(s, latheDefinition) }, want: Shown},
		"a search":                      {agent: transcript.Claude, calls: []transcript.Call{search("lathe")}, want: Shown},
	} {
		w := tell()
		w.user("do it")
		w.answer(4000, 0, c.calls...)
		w.answer(4100, 4000)
		session := w.session("sable")
		if session.Agent = c.agent; c.change != nil {
			c.change(&session)
		}
		rep := report(t, s, session)
		if got := rep.Sessions[0].Sending; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if total := rep.Totals; total.Guessed+total.NoTools+total.Searched > 1 || total.Guessed == 1 != (c.want == Guessed) || total.NoTools == 1 != (c.want == NoTools) {
			t.Errorf("%s: %+v", name, total)
		}
		for _, row := range rep.Sessions[0].Strategies {
			if c.want == NoTools && row.Tokens.Input != 8100 {
				t.Errorf("%s: %s has %d tokens of input, and 8100 were logged", name, row.Strategy, row.Tokens.Input)
			}
		}
	}
}

// TestTurnsAreRemembered: the same words after the same history give the turn that was
// given before, under each strategy its own; an embedder that failed is asked again.
func TestTurnsAreRemembered(t *testing.T) {
	t.Parallel()
	snapshot := workshop(t, 12)
	r := &run{snapshot: snapshot, definitions: map[*model.Tool]definition{}, bridges: map[int]definition{}, turns: map[string]*turn{}, tokenizer: TokenizerOf("")}
	fails := &mute{}
	all, err := selection.New(t.Context(), snapshot, selection.SettingsOf(snapshot.Config), fails, nil)
	require.NoError(t, err)
	ask := func(s selection.Strategy, words string, history ...string) *turn {
		t.Helper()
		set := all.Settings()
		set.Strategy = s
		x, err := r.turn(all.With(set), words, &turn{history: history}, func() (selection.Message, error) {
			return all.Rank(t.Context(), words, s)
		})
		require.NoError(t, err)
		return x
	}
	seen := map[*turn]bool{}
	for range 2 {
		for _, words := range []string{"", "polish the kettle0", "polish the lathe0"} {
			for _, history := range [][]string{nil, {"mcp__shop__polish_anvil0"}, {"mcp__shop__", "polish_anvil0"}} {
				seen[ask(selection.Keyword, words, history...)] = true
			}
		}
	}
	if len(seen) != 9 {
		t.Errorf("%d turns, want 9", len(seen))
	}
	first, second := ask(selection.Semantic, "polish it"), ask(selection.Semantic, "polish it")
	if first == second || fails.asked != 2 {
		t.Errorf("an embedder that failed was asked %d times, want 2", fails.asked)
	}
}

// mute is an embedder that never answers well.
type mute struct{ asked int }

func (m *mute) Scores(context.Context, string, []*model.Tool) ([]float64, error) {
	m.asked++
	return nil, errors.New("no")
}
func (*mute) Identity() embed.Identity { return embed.Identity{} }

func (*mute) Floor([]float64, float64) float64 { return 0 }
