package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/engine/transcript/logs"
	"caliper/model"
	"caliper/model/newfile"
	"caliper/model/require"
	"caliper/model/shapes"
)

// workFamilies are logs that have what a search returned: of Claude Code, of Codex, and of requests of a client
// that runs the search itself, as Hermes does.
var workFamilies = []string{"claude", "codex", "requests"}

// work is a session of known searches, calls and tools. It knows no rule of replay: each tool has a count
// of the requests that it was there for.
type work struct {
	family   string
	rng      *rand.Rand
	lines    []string
	at       time.Time
	id       int
	tools    []string        // of the registry
	full     map[string]bool // sent in full
	there    map[string]bool // known to be there
	gone     map[string]bool
	messages []map[string]any // of requests
	defined  map[string]int   // of Claude Code and Codex: how often a definition is in the history

	requests map[string]int // that a tool was there for
	whole    map[string]int // with its definition
	calls    map[string]int
	want     Searching
	own      []Own
}

func newWork(family string, seed uint64) *work {
	w := &work{family: family, rng: rand.New(rand.NewPCG(seed, 38)), at: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), full: map[string]bool{}, there: map[string]bool{}, gone: map[string]bool{}, defined: map[string]int{}, requests: map[string]int{}, whole: map[string]int{}, calls: map[string]int{}}
	for i := range 12 {
		name := fmt.Sprintf("mcp__quay%d__moor_%c", i%4, 'a'+i)
		w.tools = append(w.tools, name)
		if i < 3 && family != "claude" { // a fourth server is never named
			w.full[name], w.there[name] = true, true
		}
		if family == "claude" && i%4 < 3 {
			w.there[name] = true
		}
	}
	switch family {
	case "claude":
		w.listing(slices.Sorted(maps.Keys(w.there)), nil)
	case "codex":
		state := map[string]any{}
		for name := range w.full {
			state[name] = "00c0ffee"
		}
		w.add(map[string]any{"type": "session_meta", "payload": map[string]any{"id": "11111111-2222-4333-8444-000000000038"}})
		w.add(map[string]any{"type": "world_state", "payload": map[string]any{"full": true, "state": map[string]any{"top_level_tools": state}}})
		w.add(map[string]any{"type": "turn_context", "payload": map[string]any{"model": "drift"}})
	}
	return w
}

func (w *work) add(line map[string]any) {
	w.at = w.at.Add(time.Second)
	line["timestamp"] = w.at.Format(time.RFC3339Nano)
	data, _ := json.Marshal(line)
	w.lines = append(w.lines, string(data))
}

func (w *work) next(kind string) string { w.id++; return fmt.Sprintf("%s-%d", kind, w.id) }

// line adds a line of Claude Code behind the last one.
func (w *work) line(line map[string]any) {
	line["sessionId"], line["uuid"], line["parentUuid"] = "s", fmt.Sprintf("u%d", len(w.lines)+1), nil
	if len(w.lines) > 0 {
		line["parentUuid"] = fmt.Sprintf("u%d", len(w.lines))
	}
	w.add(line)
}

func (w *work) listing(added, removed []string) {
	w.line(map[string]any{"type": "attachment", "attachment": map[string]any{"type": "deferred_tools_delta", "addedNames": added, "removedNames": removed}})
}

func (w *work) user(text string) {
	switch w.family {
	case "claude":
		w.line(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
	case "codex":
		w.add(map[string]any{"type": "response_item", "payload": map[string]any{"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": text}}}})
		w.add(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "user_message", "message": text}})
	default:
		w.messages = append(w.messages, map[string]any{"role": "user", "content": text})
	}
}

// definition is a tool as providers are sent it.
func (w *work) definition(name string) map[string]any {
	return map[string]any{"type": "function", "function": map[string]any{"name": name, "description": "Moors " + strings.Repeat(name[len(name)-1:], 20), "parameters": map[string]any{"type": "object"}}}
}

// request counts a request, and logs the model's answer: a text, or a call with what it returned.
func (w *work) request(tool string, arguments, result map[string]any, hits []string) {
	for _, name := range w.tools {
		if w.there[name] && !w.gone[name] {
			w.requests[name]++
		}
		if w.full[name] {
			w.whole[name]++
		}
		w.whole[name] += w.defined[name]
	}
	id := w.next("call")
	written, _ := json.Marshal(arguments)
	returned, _ := json.Marshal(result)
	switch w.family {
	case "claude":
		content := []any{map[string]any{"type": "text", "text": "done"}}
		if tool != "" {
			content = []any{map[string]any{"type": "tool_use", "id": id, "name": tool, "input": arguments}}
		}
		w.line(map[string]any{"type": "assistant", "message": map[string]any{"id": w.next("msg"), "role": "assistant", "model": "sable", "content": content, "usage": map[string]any{"input_tokens": 9000, "cache_read_input_tokens": 5000, "output_tokens": 5}}})
		if tool == "" {
			return
		}
		back := any("moored")
		if tool == "ToolSearch" {
			var list []any
			for _, name := range hits {
				list = append(list, map[string]any{"type": "tool_reference", "tool_name": name})
			}
			if back = list; len(hits) == 0 {
				back = "No matching deferred tools found"
			}
		}
		w.line(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": back}}}})
	case "codex":
		item := func(of map[string]any) { w.add(map[string]any{"type": "response_item", "payload": of}) }
		switch tool {
		case "":
			item(map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": "done"}}})
		case "tool_search":
			item(map[string]any{"type": "tool_search_call", "call_id": id, "arguments": arguments, "execution": "client"})
		default:
			server, own := tool[:strings.LastIndex(tool, "__")], tool[strings.LastIndex(tool, "__")+2:]
			item(map[string]any{"type": "function_call", "call_id": id, "namespace": server, "name": own, "arguments": string(written)})
		}
		w.add(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "token_count", "info": map[string]any{"last_token_usage": map[string]any{"input_tokens": 14000, "cached_input_tokens": 5000, "output_tokens": 5}, "total_token_usage": map[string]any{"input_tokens": w.id * 14000}}}})
		switch tool {
		case "":
		case "tool_search":
			spaces := []any{}
			for _, name := range hits {
				server, own := name[:strings.LastIndex(name, "__")], name[strings.LastIndex(name, "__")+2:]
				f := w.definition(own)["function"].(map[string]any)
				f["type"] = "function"
				spaces = append(spaces, map[string]any{"type": "namespace", "name": server, "tools": []any{f}})
			}
			item(map[string]any{"type": "tool_search_output", "call_id": id, "execution": "client", "tools": spaces})
		default:
			item(map[string]any{"type": "function_call_output", "call_id": id, "output": "moored"})
		}
	default:
		request := map[string]any{"model": "drift", "messages": slices.Clone(w.messages)}
		var tools []any
		for _, name := range w.tools {
			if w.full[name] {
				tools = append(tools, w.definition(name))
			}
		}
		request["tools"] = append(tools, w.definition("tool_search"))
		answer := map[string]any{"role": "assistant", "content": "done"}
		if tool != "" {
			answer = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function", "function": map[string]any{"name": tool, "arguments": string(written)}}}}
		}
		w.add(map[string]any{"request": request, "response": map[string]any{"id": w.next("r"), "model": "drift", "choices": []any{map[string]any{"message": answer}}, "usage": map[string]any{"prompt_tokens": 14000, "completion_tokens": 5, "prompt_tokens_details": map[string]any{"cached_tokens": 5120}}}})
		w.messages = append(w.messages, answer)
		if tool != "" {
			w.messages = append(w.messages, map[string]any{"role": "tool", "tool_call_id": id, "content": string(returned)})
		}
	}
}

// need is one need of the user: searches, then a call of a tool, or none.
func (w *work) need() {
	w.user(w.next("please moor"))
	searches := w.rng.IntN(5)
	found := map[string]bool{}
	var last []string
	empty := 0
	for range searches {
		last = nil
		for _, at := range w.rng.Perm(9)[:w.rng.IntN(4)] { // of the three servers
			if name := w.tools[at/3*4+at%3]; !w.full[name] && !w.gone[name] {
				last = append(last, name)
			}
		}
		matches := []any{}
		for _, name := range last {
			found[name] = true
			matches = append(matches, map[string]any{"name": name})
			if w.family != "claude" && !w.there[name] { // it was there when it was found
				w.there[name] = true
			}
		}
		if len(last) == 0 {
			empty++
		}
		search := "tool_search"
		if w.family == "claude" {
			search = "ToolSearch"
		}
		w.request(search, map[string]any{"query": w.next("moor the boat")}, map[string]any{"matches": matches, "total_available": 12}, last)
		if w.family != "requests" {
			for _, name := range last {
				w.defined[name]++
			}
		}
	}
	called := ""
	switch n := w.rng.IntN(5); {
	case n < 3 && len(last) > 0:
		called = last[w.rng.IntN(len(last))]
	case n == 3:
		if name := w.tools[w.rng.IntN(3)]; !w.gone[name] && (w.family != "claude" || w.there[name]) {
			called = name // of the first three, which are there
		}
	}
	if called != "" {
		w.calls[called]++
		w.there[called] = true
		w.request(called, map[string]any{"boat": 1}, map[string]any{"ok": true}, nil)
		own := Own{Told: searches > 0, Found: found[called]}
		own.Rank = slices.Index(last, called) + 1
		w.own = append(w.own, own)
	}
	w.request("", nil, nil, nil)
	if searches == 0 {
		return
	}
	w.want.Needs++
	w.want.Searches += searches
	w.want.ByCount[min(searches, LoopSearches)-1]++
	w.want.Told += searches
	w.want.Empty += empty
	if len(found) > 0 && !found[called] {
		w.want.Uncalled++
	}
}

// TestUnusedAndSearchesAreFound: in generated logs of each family the requests that each tool was there for, its
// tokens and its calls, and what each search returned, are those of the generator, for every seed.
func TestUnusedAndSearchesAreFound(t *testing.T) {
	t.Parallel()
	first, last := uint64(0), uint64(0)
	if _, err := fmt.Sscanf(*breakSeeds, "%d-%d", &first, &last); err != nil {
		t.Fatal(err)
	}
	for seed := first; seed <= last; seed++ {
		for _, family := range workFamilies {
			w := newWork(family, seed)
			for i := range 12 {
				w.need()
				if leaves := w.tools[4+w.rng.IntN(2)]; family == "claude" && i == 6 {
					w.listing(nil, []string{leaves})
					w.gone[leaves] = true
				}
			}
			path := filepath.Join(t.TempDir(), "work.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(strings.Join(w.lines, "\n")+"\n"), 0o600))
			w.check(t, fmt.Sprintf("%s, seed %d", family, seed), path)
		}
	}
}

// check compares a replay of the log with the truth.
func (w *work) check(t *testing.T, name, path string) {
	t.Helper()
	log, err := logs.Read(t.Context(), []string{path}, "", transcript.Options{}, newfile.CacheFolder{})
	if err != nil || len(log.Sessions) != 1 {
		t.Fatalf("%s: %d sessions, %v, %v", name, len(log.Sessions), log.Skipped, err)
	}
	var list []any
	for _, tool := range w.tools {
		list = append(list, w.definition(tool))
	}
	data, _ := json.Marshal(list)
	reg, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: data})
	require.NoError(t, err)
	f, _ := config.Parse("c.yaml", []byte("tools: {tool_search: {enabled: on}}\n"))
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: reg, Config: f.Config})
	require.NoError(t, err)
	rep, err := Run(t.Context(), Inputs{Sessions: log.Sessions, Snapshot: s, Prices: sable(t)})
	require.NoError(t, err)
	got := map[string]UnusedTool{}
	for _, of := range rep.Unused.Servers {
		for _, u := range of.Unused {
			got[u.Tool.Name] = u
		}
	}
	for _, tool := range reg.Tools {
		u, unused := got[tool.Name]
		if unused != (w.calls[tool.Name] == 0) {
			t.Errorf("%s: %s: unused %t, %d calls", name, tool.Name, unused, w.calls[tool.Name])
			continue
		}
		if !unused {
			continue
		}
		want := float64(w.whole[tool.Name]*utf8.RuneCount(tokens.Definition(tool))) / 4
		if w.family == "claude" {
			want += float64(w.requests[tool.Name]*(len(tool.Name)+1)) / 4
		}
		if u.Requests != w.requests[tool.Name] || math.Abs(u.tokens-want) > 1e-6 {
			t.Errorf("%s: %s: %d requests and %v tokens, want %d and %v", name, tool.Name, u.Requests, u.tokens, w.requests[tool.Name], want)
		}
	}
	if rep.Unused.Silent != 0 {
		t.Errorf("%s: it names its tools", name)
	}
	of := rep.Searching
	found, missed := of.Both+of.OwnAlone, of.RankerAlone+of.Nobody
	of.Both, of.OwnAlone, of.RankerAlone, of.Nobody, of.Idle = 0, 0, 0, 0, nil
	var own []Own
	for _, c := range rep.Calls {
		own = append(own, c.Own)
		if c.Own.Told && c.Own.Found {
			found--
		} else if c.Own.Told {
			missed--
		}
	}
	if !reflect.DeepEqual(of, w.want) || !reflect.DeepEqual(own, w.own) || found != 0 || missed != 0 {
		t.Errorf("%s:\n%+v\n%+v\nwant\n%+v\n%+v; %d, %d", name, of, own, w.want, w.own, found, missed)
	}
}
