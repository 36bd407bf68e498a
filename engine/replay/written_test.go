package replay

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// workshop is a registry of two core tools and n tools of two servers, one of
// which the session is not granted.
func workshop(t testing.TB, n int) *engine.Snapshot {
	t.Helper()
	var defs []string
	def := func(name, toolset, description string) {
		defs = append(defs, fmt.Sprintf(`{"name":%q,"toolset":%q,"description":%q,"parameters":{"type":"object","properties":{"what":{"type":"string"}}}}`, name, toolset, description))
	}
	def("read_file", "core", "Read a file")
	def("terminal", "core", "Run a command")
	things := []string{"kettle", "lathe", "anvil", "bellows", "chisel", "clamp", "drill", "forge"}
	for i := range n {
		thing := fmt.Sprintf("%s%d", things[i%len(things)], i/len(things))
		def("mcp__shop__polish_"+thing, "mcp-shop", "Polish the "+thing+" until it shines")
	}
	def("mcp__vault__open_safe", "mcp-vault", "Open the safe")
	reg, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: []byte("[" + strings.Join(defs, ",") + "]")})
	require.NoError(t, err)
	f, err := config.Parse("c.yaml", []byte("tools: {tool_search: {enabled: on}, core: [read_file, terminal], rag_top_k: 3, rag_core: [read_file]}\nsessions: {default: {disabled_toolsets: [mcp-vault]}}\n"))
	require.NoError(t, err)
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: reg, Config: f.Config})
	require.NoError(t, err)
	return s
}

// teller writes a session by hand: every method appends an entry after the
// last one, or after the one that at names.
type teller struct {
	entries []transcript.Entry
	parent  int
}

func tell() *teller { return &teller{parent: transcript.None} }

func (w *teller) add(e transcript.Entry) int {
	e.Parent = w.parent
	w.entries = append(w.entries, e)
	w.parent = len(w.entries) - 1
	return w.parent
}

func (w *teller) user(words string) int {
	return w.add(transcript.Entry{Kind: transcript.User, Words: words, Size: transcript.Measure(words, transcript.Prose, nil)})
}

// answer is an answer with a usage of a whole input and of what was read of it.
func (w *teller) answer(total, read int, calls ...transcript.Call) int {
	e := transcript.Entry{Kind: transcript.Answer, Request: &transcript.Request{Tools: transcript.None, Calls: calls}}
	if total > 0 {
		e.Request.Usage = &transcript.Usage{Input: total - read, CacheRead: read, Output: 10}
	}
	e.Size = transcript.Measure("Let me see.", transcript.Prose, nil)
	for i := range calls {
		e.Size = e.Size.Add(calls[i].Size)
	}
	at := w.add(e)
	for i := range calls {
		if calls[i].Answered {
			w.add(transcript.Entry{Kind: transcript.Result, CallEntry: at, Call: i, Size: transcript.Measure(strings.Repeat("r", 80), transcript.Output, nil)})
		}
	}
	return at
}

func (w *teller) session(model string) transcript.Session {
	return transcript.Session{ID: "s", Agent: transcript.Claude, Model: model, Contexts: []transcript.Context{{Entries: w.entries}}}
}

func use(tool string) transcript.Call {
	return transcript.Call{Tool: tool, Answered: true, Size: transcript.Measure(tool+`{"what":"all of it"}`, transcript.Schema, nil)}
}

func refused(tool string) transcript.Call {
	c := use(tool)
	c.Failed = true
	return c
}

func search(query string) transcript.Call {
	return transcript.Call{Kind: transcript.Search, Tool: "ToolSearch", Lookup: &transcript.Lookup{Queries: []string{query}}, Answered: true, Size: transcript.Measure(query, transcript.Schema, nil)}
}

func describe(tool string) transcript.Call {
	return transcript.Call{Kind: transcript.Describe, Tool: "ToolSearch", Lookup: &transcript.Lookup{Names: []string{tool}}, Answered: true, Size: transcript.Measure(tool, transcript.Schema, nil)}
}
