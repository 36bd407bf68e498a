package replay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/selection"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"

	"pgregory.net/rapid"
)

// message is one message of a conversation as the naive simulation keeps it.
type message struct {
	id    string
	chars int
}

// naive computes a context under a strategy from scratch, as the rules read:
// for each request it writes out the list of all messages, inserts the round
// trips in it, and compares it with the list of the request before, message by
// message. It shares no code with the simulation. T is a quarter of a token
// for every character.
type naive struct {
	t        testing.TB
	snapshot *engine.Snapshot // tool search is on
	selector *selection.Selector
	strategy selection.Strategy
	entries  []transcript.Entry
	writes   bool
}

// definitionChars returns the characters of a tool's definition.
func definitionChars(t *model.Tool) int { return tokens.Chars(tokens.Definition(t)) }

// tool returns the tool that a logged name means; the naive way is to compare
// names without their underscores.
func (n naive) tool(name string) *model.Tool {
	for _, t := range n.snapshot.Registry.Tools {
		if strings.ReplaceAll(t.Name, "__", "_") == strings.ReplaceAll(name, "__", "_") {
			return t
		}
	}
	return nil
}

// ancestors returns the entries that an entry was preceded by, the first one
// first.
func (n naive) ancestors(i int) []int {
	var out []int
	for p := n.entries[i].Parent; p != transcript.None; p = n.entries[p].Parent {
		out = append([]int{p}, out...)
	}
	return out
}

// asks reports whether a call is a search or a description.
func asks(c transcript.Call) bool { return c.Kind != transcript.Use }

// gone reports whether an answer is no request under a strategy.
func gone(e transcript.Entry) bool {
	for _, c := range e.Request.Calls {
		if !asks(c) {
			return false
		}
	}
	return len(e.Request.Calls) > 0
}

// real returns the characters that a history really had.
func (n naive) real(history []int) int {
	sum := 0
	for _, i := range history {
		sum += n.entries[i].Size.AllChars()
	}
	return sum
}

// run returns requests, input, cached and written tokens.
func (n naive) run() (requests int, input, cached, written float64) {
	trips := map[int][]message{}         // by answer: the messages inserted in front of it
	described := map[int][]*model.Tool{} // by answer
	var need naiveNeed
	turn := -1
	var turns []selection.Selection
	var history []string
	var last []message // of the request before
	lastInput, lastKey, began, cold := 0.0, "", false, false
	choose := func(words string) {
		x, err := n.selector.Select(context.Background(), words, history)
		if err != nil {
			n.t.Fatal(err)
		}
		history = x.History()
		turns = append(turns, x)
		turn = len(turns) - 1
	}
	choose("")
	previousRead := false
	for i, e := range n.entries {
		switch e.Kind {
		case transcript.User:
			if e.Words != "" {
				need = naiveNeed{query: e.Words, words: e.Words}
				choose(e.Words)
			}
			continue
		case transcript.Answer:
		default:
			continue
		}
		past := n.ancestors(i)
		// The residual is the logged input beyond every tool and message.
		residual := 0.0
		allTools := 0
		for _, t := range n.snapshot.Everything().Tools {
			allTools += definitionChars(t)
		}
		sentReally := allTools
		for _, other := range n.entries {
			if other.Request != nil {
				for _, c := range other.Request.Calls {
					if asks(c) {
						sentReally = 0
						for _, t := range n.snapshot.Everything().Tools {
							if n.snapshot.Core(t) {
								sentReally += definitionChars(t)
							}
						}
					}
				}
			}
		}
		usage := e.Request.Usage
		residual = float64(usage.Total()) - float64(sentReally+n.real(past))/4
		if previousRead && usage.CacheRead == 0 {
			cold = true
		}
		previousRead = true
		x := turns[turn]
		key := string(x.Bytes)
		tools := 0
		for _, t := range x.Assembly.Tools {
			tools += definitionChars(t)
		}
		for _, d := range x.Assembly.BridgeTools() {
			tools += len([]rune(string(d)))
		}
		messages := func(extra []message) []message {
			var out []message
			for _, a := range past {
				ae := n.entries[a]
				out = append(out, trips[a]...)
				size := ae.Size.AllChars()
				if ae.Kind == transcript.Answer {
					if gone(ae) {
						continue
					}
					for _, c := range ae.Request.Calls {
						if asks(c) {
							size -= c.Size.AllChars()
						}
					}
				}
				if ae.Kind == transcript.Result && asks(n.entries[ae.CallEntry].Request.Calls[ae.Call]) {
					continue
				}
				out = append(out, message{fmt.Sprint("e", a), size})
			}
			return append(out, extra...)
		}
		send := func(extra []message) {
			list := messages(extra)
			chars := 0
			for _, m := range list {
				chars += m.chars
			}
			in := float64(tools+chars)/4 + residual
			common, whole := 0, began
			for k, m := range last {
				if k >= len(list) || list[k].id != m.id {
					whole = false
					break
				}
				common += m.chars
			}
			hit := 0.0
			switch {
			case !began || cold || key != lastKey:
			case whole:
				hit = lastInput
			default:
				hit = float64(tools+common)/4 + residual
			}
			hit = math.Max(0, math.Min(hit, in))
			requests++
			input += in
			cached += hit
			if n.writes {
				written += in - hit
			}
			last, lastInput, lastKey, began, cold = list, in, key, true, false
		}
		if !gone(e) {
			var added []message
			each := need
			for _, c := range e.Request.Calls {
				t := n.tool(c.Tool)
				q := each.call(c, n.ends(c), n.words(i))
				if asks(c) || t == nil {
					continue
				}
				known := !n.snapshot.Granted(t)
				for _, sent := range x.Assembly.Tools {
					known = known || sent == t
				}
				for _, a := range append(past, i) {
					for _, d := range described[a] {
						known = known || d == t
					}
				}
				if !known && x.Assembly.Bridge {
					args := `{"query":"` + q + `"}`
					found, _ := n.snapshot.Bridge("tool_search", []byte(args))
					send(added)
					added = append(added, message{fmt.Sprint("s", i, t.Name), len("tool_search") + len(args) + len([]rune(string(found)))})
					args = `{"name":"` + t.Name + `"}`
					in := n.snapshot.Inputs()
					in.Config.Selection = config.SelectLazy
					lazy, err := engine.Build(context.Background(), in)
					if err != nil {
						n.t.Fatal(err)
					}
					text, _ := lazy.Bridge("tool_describe", []byte(args))
					send(added)
					added = append(added, message{fmt.Sprint("d", i, t.Name), len("tool_describe") + len(args) + len([]rune(string(text)))})
					described[i] = append(described[i], t)
				}
			}
			trips[i] = added
			send(added)
		}
		for _, c := range e.Request.Calls {
			need.call(c, n.ends(c), n.words(i))
		}
		if need.asks = false; need.ended {
			need = naiveNeed{query: n.words(i), words: n.words(i)}
		}
	}
	return requests, input, cached, written
}

// naiveNeed is the requests between two calls that end a need.
type naiveNeed struct {
	query       string
	atOnce      int  // searches and names of the last answer that asked
	asks, ended bool // in this answer
	words       string
	searches    int      // in all
	before      int      // the last answer that asked
	named       []string // in that answer
}

// call takes a call, and returns its query.
func (d *naiveNeed) call(c transcript.Call, ends bool, words string) string {
	if d.ended && (asks(c) || d.atOnce < 2) {
		*d = naiveNeed{query: words, words: words, asks: d.asks}
	}
	if asks(c) {
		if !d.asks {
			d.asks, d.atOnce, d.before, d.named = true, 0, d.searches, nil
		}
		d.named = append(d.named, c.Asked().Names...)
		d.atOnce += len(c.Asked().Queries) + len(c.Asked().Names)
		if c.Kind == transcript.Search {
			d.query = c.Asked().Queries[0]
			d.searches++
		}
	}
	query := d.query
	if d.searches > 0 && d.before == 0 && slices.Contains(d.named, c.Tool) { // beside a search for another
		query = d.words
	}
	d.ended = d.ended || ends
	return query
}

// ends reports whether a call ends a need.
func (n naive) ends(c transcript.Call) bool {
	t := n.tool(c.Tool)
	return c.Kind == transcript.Use && t != nil && c.Answered && !c.Failed && !n.snapshot.Core(t)
}

// words returns the user's last words before an entry, in the order of the log.
func (n naive) words(i int) string {
	for ; i >= 0; i-- {
		if n.entries[i].Words != "" {
			return n.entries[i].Words
		}
	}
	return ""
}

// drawConversation draws a conversation with searches, refusals, rewinds, compactions and
// pauses.
func drawConversation(t *rapid.T) *teller {
	names := []string{"mcp__shop__polish_lathe0", "mcp_shop_polish_anvil0", "mcp__shop__polish_kettle1", "mcp__vault__open_safe", "read_file", "terminal", "nobody"}
	words := []string{"polish the lathe0", "polish kettle1 and anvil0", "good morning", "mcp__shop__polish_clamp0 now", "open the safe"}
	w := tell()
	w.user(rapid.SampledFrom(words).Draw(t, "words"))
	read := 3000
	var answers []int
	for range rapid.IntRange(1, 14).Draw(t, "steps") {
		switch rapid.IntRange(0, 11).Draw(t, "step") {
		case 0, 1:
			w.user(rapid.SampledFrom(words).Draw(t, "words"))
		case 2:
			if len(answers) > 0 { // a rewind
				w.parent = rapid.SampledFrom(answers).Draw(t, "back")
				w.user(rapid.SampledFrom(words).Draw(t, "words"))
			}
		case 3: // a compaction
			w.parent = transcript.None
			w.add(transcript.Entry{Kind: transcript.Summary, Size: transcript.Measure(strings.Repeat("so far ", 20), transcript.Prose, nil)})
		default:
			var calls []transcript.Call
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				name := rapid.SampledFrom(names).Draw(t, "tool")
				calls = append(calls, rapid.SampledFrom([]transcript.Call{use(name), use(name), refused(name), search("polish " + name[5:]), describe(name)}).Draw(t, "call"))
			}
			read += rapid.IntRange(1, 300).Draw(t, "grows")
			hit := read - 100
			if rapid.IntRange(0, 5).Draw(t, "pause") == 0 {
				hit = 0
			}
			answers = append(answers, w.answer(read+5000, hit, calls...))
		}
	}
	return w
}

// TestNaive draws conversations and holds the simulation of the strategies that rank against
// one that is written from scratch.
func TestNaive(t *testing.T) {
	s := workshop(t, 12)
	in := s.Inputs()
	in.Config.Selection = config.SelectToolSearch
	active, err := engine.Build(context.Background(), in)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		w := drawConversation(t)
		model := rapid.SampledFrom([]string{"sable", "drift", "unpriced"}).Draw(t, "model")
		rep, err := Run(context.Background(), Inputs{Sessions: []transcript.Session{w.session(model)}, Snapshot: s, Prices: sable(t)})
		require.NoError(t, err)
		for _, strategy := range []selection.Strategy{selection.Keyword, selection.Semantic, selection.Hybrid} {
			set := selection.SettingsOf(s.Config)
			set.Strategy = strategy
			selector, err := selection.New(context.Background(), active, set, nil, nil)
			require.NoError(t, err)
			requests, input, cached, written := naive{snapshot: active, selector: selector, strategy: strategy, entries: w.entries, writes: model == "sable"}.run()
			got := row(t, rep.Sessions[0], strategy)
			off := func(a int, b float64) bool { return math.Abs(float64(a)-b) > 0.51 }
			if got.Requests != requests || off(got.Tokens.Input, input) || off(got.Tokens.Cached, cached) || off(got.Tokens.Written, written) {
				t.Fatalf("%s: %d requests, %+v; naive %d, %.1f %.1f %.1f", strategy, got.Requests, got.Tokens, requests, input, cached, written)
			}
		}
	})
}
