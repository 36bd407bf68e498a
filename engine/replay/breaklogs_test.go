package replay

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
)

// The families of logs that have the tokens that were read from the cache. Claude Code logged
// no tools before version 2.1.332, which bare is; Copilot CLI logs none. From GPT-5.6 on OpenAI reports what is
// written (writes).
var breakFamilies = []string{"anthropic", "chat", "writes", "claude", "bare", "codex", "copilot"}

// change is the effect of a turn of a conversation on its prompt.
type change string

// The changes that break no prefix are nothing, a tool with defer_loading that is found, and
// a cache_control that moves.
const (
	nothing     change = "nothing"
	found       change = "found"
	moved       change = "moved"
	loads       change = "loads"
	leaves      change = "leaves"
	edits       change = "edits"
	counts      change = "counts"
	reorders    change = "reorders"
	otherModel  change = "model"
	effort      change = "effort"
	instruction change = "instruction"
	pause       change = "pause"
	evicted     change = "evicted"
)

// changesOf are the changes that a family's logs can have.
func changesOf(family string) []change {
	all := []change{nothing, nothing, loads, leaves, edits, counts, reorders, otherModel, effort, pause, evicted}
	switch family {
	case "anthropic":
		all = append(all, found, moved, instruction)
	case "claude":
		all = append(all, found, instruction)
	case "chat", "writes":
		all = append(all, instruction)
	}
	return all
}

// truth is a break that a log must be found to have.
type truth struct {
	Request int
	Cause   Cause
	Gap     string
	Tool    string
	Setting string
	Tokens  int
}

// piece is a part of a prompt as the provider sees it.
type piece struct {
	text   string
	tokens int
	mark   bool // a prefix may end here in the cache
}

// talk is a conversation with a provider whose cache is simulated piece by piece: it knows no
// rule of replay, only which prompts begin alike.
type talk struct {
	family    string
	rng       *rand.Rand
	lines     []string
	truths    []truth
	at        time.Time
	model     string
	effort    string
	system    string
	tools     []talkTool
	said      []string // messages, users' and the model's in turn
	cached    []piece  // the last prompt
	held      int      // tokens of it that the provider keeps
	requests  int
	seen      map[string]bool // shapes of Claude Code
	next      int             // of the names of tools
	keptUntil time.Duration
	uuid      int
	mark      int // the tool with cache_control
	writes    bool
	hours     map[int]float64 // of a request's writes the share that is kept for an hour
}

type talkTool struct {
	name, text string
	deferred   bool
}

// newTalk returns a conversation of a family.
func newTalk(family string, seed uint64) *talk {
	h := &talk{family: family, rng: rand.New(rand.NewPCG(seed, uint64(len(family)))), at: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		writes: family == "writes", model: "sable", effort: "high", system: "Mind the quay.", seen: map[string]bool{}, hours: map[int]float64{}, keptUntil: 5 * time.Minute}
	if h.writes {
		h.family = "chat"
	}
	if h.family == "chat" || family == "codex" {
		h.model = "drift"
	}
	for range 4 + h.rng.IntN(5) {
		h.tools = append(h.tools, h.tool())
	}
	h.tools = append(h.tools, talkTool{name: "tool_search", text: h.searchText()})
	if family == "codex" {
		h.add(map[string]any{"type": "session_meta", "payload": map[string]any{"id": h.session(), "base_instructions": map[string]any{"text": h.system}}})
	}
	return h
}

func (h *talk) session() string {
	return "11111111-2222-4333-8444-" + fmt.Sprintf("%012d", len(h.family))
}

func (h *talk) tool() talkTool {
	h.next++
	return talkTool{name: fmt.Sprintf("mcp__quay%d__moor_%s", h.next%3, strings.Repeat(string(rune('a'+h.next%26)), 1+h.next/26)), text: h.words(40 + h.rng.IntN(60))}
}

func (h *talk) searchText() string { return fmt.Sprintf("Searches %d tools", 20+h.next) }

func (h *talk) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = []string{"boat", "berth", "crane", "tide", "pilot", "cargo", "lantern", "mooring"}[h.rng.IntN(8)]
	}
	return strings.Join(list, " ")
}

// add adds a line to the log.
func (h *talk) add(line map[string]any) {
	if h.family != "anthropic" && h.family != "chat" {
		line["timestamp"] = h.at.Format(time.RFC3339Nano)
	}
	data, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	h.lines = append(h.lines, string(data))
}

// normal returns how many tools are sent.
func (h *talk) normal() (n int) {
	for _, t := range h.tools {
		if !t.deferred {
			n++
		}
	}
	return n
}

// pick returns one of the tools that are sent and are not the search.
func (h *talk) pick() int {
	for {
		if at := h.rng.IntN(len(h.tools)); !h.tools[at].deferred && h.tools[at].name != "tool_search" {
			return at
		}
	}
}

// turn sends one request after a change, and takes its answer. What is expected of it is a
// truth where the provider reads less than it kept.
func (h *talk) turn(c change) {
	h.at = h.at.Add(time.Duration(5+h.rng.IntN(90)) * time.Second)
	want := truth{Cause: UnknownCause, Gap: "NothingSeen"}
	expire := false
	if c == leaves && h.normal() < 4 {
		c = loads
	}
	switch c {
	case loads:
		t, at := h.tool(), h.rng.IntN(len(h.tools))
		h.tools = slices.Insert(h.tools, at, t)
		want.Cause, want.Tool = ToolLoaded, t.name
	case found:
		t := h.tool()
		t.deferred = true
		h.tools = slices.Insert(h.tools, h.rng.IntN(len(h.tools)), t)
	case moved:
		h.mark++
	case leaves:
		at := h.pick()
		want.Cause, want.Tool = ToolGone, h.tools[at].name
		h.tools = slices.Delete(h.tools, at, at+1)
	case edits:
		at := h.pick()
		h.tools[at].text = h.words(50)
		want.Cause, want.Tool = ToolEdited, h.tools[at].name
	case counts:
		h.next++
		at := slices.IndexFunc(h.tools, func(t talkTool) bool { return t.name == "tool_search" })
		h.tools[at].text = h.searchText()
		want.Cause, want.Tool = NumberInTool, "tool_search"
		if h.family == "codex" {
			want.Cause = ToolEdited // its log has no texts
		}
	case reorders:
		before := slices.Clone(h.tools)
		for slices.EqualFunc(before, h.tools, func(a, b talkTool) bool { return a.name == b.name || a.deferred || b.deferred }) {
			h.rng.Shuffle(len(h.tools), func(i, j int) { h.tools[i], h.tools[j] = h.tools[j], h.tools[i] })
		}
		want.Cause = ToolsReordered
		sent := func(t talkTool) bool { return t.deferred }
		was, is := slices.DeleteFunc(before, sent), slices.DeleteFunc(slices.Clone(h.tools), sent)
		for i := range is {
			if is[i] != was[i] {
				want.Tool = is[i].name
				break
			}
		}
	case otherModel:
		h.model = map[string]string{"sable": "sable-2", "sable-2": "sable", "drift": "drift-2", "drift-2": "drift"}[h.model]
		want.Cause, want.Setting = ModelChanged, h.model
	case effort:
		h.effort = map[string]string{"high": "low", "low": "high"}[h.effort]
		want.Cause, want.Setting = SettingChanged, map[string]string{"anthropic": "output_config", "chat": "reasoning_effort"}[h.family]
		if want.Setting == "" {
			want.Setting = "effort"
		}
	case instruction:
		h.system = h.words(8)
		want.Cause, want.Setting = SettingChanged, "system"
	case pause:
		h.at = h.at.Add(11 * time.Minute)
		want.Cause, expire = TimedOut, true
	case evicted:
		expire = true
	}
	if want.Cause != UnknownCause {
		want.Gap = ""
	}
	toolChange := slices.Contains([]change{loads, leaves, edits, counts, reorders}, c)
	if (h.family == "bare" || h.family == "copilot") && (toolChange || c == evicted) || h.family == "copilot" && c == effort || h.family == "codex" && (c == evicted || c == reorders) {
		want = truth{Cause: UnknownCause, Gap: "ToolsUnlogged"}
	}
	h.said = append(h.said, h.words(30+h.rng.IntN(200)))
	h.send(want, expire)
}

// prompt returns the prompt as the provider counts it.
func (h *talk) prompt() (p []piece) {
	add := func(text string, mark bool) { p = append(p, piece{text, len(text)/3 + 3, mark}) }
	for _, t := range h.tools {
		if !t.deferred {
			add(h.model+t.name+t.text, false)
		}
	}
	p[len(p)-1].mark = true
	add(h.model+h.system+strings.Repeat(" the rules of the house", 200), true)
	for i, said := range h.said {
		add(h.effort+said, i == len(h.said)-1)
	}
	return p
}

// send sends the prompt and logs the request with its answer.
func (h *talk) send(want truth, expire bool) {
	prompt := h.prompt()
	total, common, marked := 0, 0, 0
	same := !expire
	for i, p := range prompt {
		total += p.tokens
		if same = same && i < len(h.cached) && h.cached[i].text == p.text; same {
			if common += p.tokens; h.cached[i].mark {
				marked = common
			}
		}
	}
	read, write, kept := marked, total-marked, total
	if h.family == "chat" && !h.writes || h.family == "codex" { // in steps, from the first token on
		if read, write = common/128*128, 0; read < 1024 {
			read = 0
		}
		kept = total / 128 * 128
	}
	h.requests++
	if lost := h.held - read; h.requests > 1 && lost >= 128 {
		want.Request, want.Tokens = h.requests, lost
		h.truths = append(h.truths, want)
	}
	for i := range prompt {
		prompt[i].mark = prompt[i].mark || i < len(h.cached) && h.cached[i].mark && h.cached[i].text == prompt[i].text
	}
	h.cached, h.held = prompt, kept
	answer := h.words(5)
	h.log(answer, total-read-write, read, write)
	h.said = append(h.said, answer)
}

func (h *talk) id() string { h.uuid++; return fmt.Sprintf("%08d-0000-4000-8000-000000000000", h.uuid) }

// log logs the request at hand.
func (h *talk) log(answer string, input, read, write int) {
	last := h.said[len(h.said)-1]
	usage := map[string]any{"input_tokens": input, "cache_read_input_tokens": read, "cache_creation_input_tokens": write, "output_tokens": 9}
	if h.requests%2 == 0 && write > 0 {
		usage["cache_creation"] = map[string]any{"ephemeral_1h_input_tokens": write / 3, "ephemeral_5m_input_tokens": write - write/3}
		h.hours[h.requests] = float64(write/3) / float64(write)
	}
	var tools []any
	for i, t := range h.tools {
		d := map[string]any{"name": t.name, "description": t.text, "input_schema": map[string]any{"type": "object"}}
		if h.family == "chat" {
			d = map[string]any{"type": "function", "function": map[string]any{"name": t.name, "description": t.text, "parameters": map[string]any{"type": "object"}}}
		} else if t.deferred {
			d["defer_loading"] = true
		} else if h.family == "anthropic" && h.mark > 0 && i == h.mark%len(h.tools) {
			d["cache_control"] = map[string]any{"type": "ephemeral"}
		}
		tools = append(tools, d)
	}
	switch h.family {
	case "anthropic", "chat":
		var messages []any
		if h.family == "chat" {
			messages = append(messages, map[string]any{"role": "system", "content": h.system})
		}
		for i, said := range h.said {
			messages = append(messages, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": said})
		}
		request := map[string]any{"model": h.model, "tools": tools, "messages": messages}
		id := fmt.Sprintf("id%d", h.requests)
		response := map[string]any{"id": id, "model": h.model, "role": "assistant", "type": "message", "content": []any{map[string]any{"type": "text", "text": answer}}, "usage": usage}
		if h.family == "anthropic" {
			request["system"], request["output_config"] = h.system, map[string]any{"effort": h.effort}
		} else {
			request["reasoning_effort"] = h.effort
			response = map[string]any{"id": id, "model": h.model, "choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": answer}}},
				"usage": map[string]any{"prompt_tokens": input + read + write, "completion_tokens": 9, "prompt_tokens_details": map[string]any{"cached_tokens": read, "cache_write_tokens": write}}}
		}
		h.add(map[string]any{"timestamp": h.at.Format(time.RFC3339Nano), "request": request, "response": response})
	case "claude", "bare":
		parent := any(nil)
		if h.uuid > 0 {
			parent = fmt.Sprintf("%08d-0000-4000-8000-000000000000", h.uuid)
		}
		user := h.id()
		h.add(map[string]any{"type": "user", "sessionId": h.session(), "uuid": user, "parentUuid": parent, "message": map[string]any{"role": "user", "content": last}})
		line := map[string]any{"type": "assistant", "sessionId": h.session(), "uuid": h.id(), "parentUuid": user, "perTurnEffort": h.effort, "promptCacheRequested": "5m",
			"message": map[string]any{"id": fmt.Sprintf("msg_%d", h.requests), "role": "assistant", "model": h.model, "content": []any{map[string]any{"type": "text", "text": answer}}, "usage": usage}}
		if h.family == "claude" {
			shape := map[string]any{"system": []any{map[string]any{"type": "text", "text": h.system}}, "tools": tools}
			hash := fmt.Sprint(shape)
			hash = fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(hash)))
			if !h.seen[hash] {
				h.seen[hash] = true
				h.add(map[string]any{"type": "api-request-shape", "sessionId": h.session(), "shapeHash": hash, "shape": shape})
			}
			ref := fmt.Sprintf("ref%d", h.requests)
			h.add(map[string]any{"type": "api-request", "sessionId": h.session(), "id": ref, "shapeHash": hash, "params": map[string]any{"model": h.model, "max_tokens": 100 + h.requests, "thinking": map[string]any{"type": "adaptive"}}})
			line["requestRef"] = ref
		}
		h.add(line)
	case "copilot":
		event := func(kind string, data map[string]any) {
			h.add(map[string]any{"type": kind, "data": data, "id": h.id(), "parentId": nil})
		}
		id := fmt.Sprintf("call%d", h.requests)
		event("session.start", map[string]any{"sessionId": h.session()})
		event("user.message", map[string]any{"content": last})
		event("session.usage_record", map[string]any{"usage": map[string]any{"apiCallId": id, "inputTokens": input + read + write, "cacheReadTokens": read, "cacheWriteTokens": write, "outputTokens": 9}})
		event("assistant.message", map[string]any{"apiCallId": id, "model": h.model, "content": answer, "toolRequests": []any{}})
	case "codex":
		state := map[string]any{}
		for _, t := range h.tools {
			state[t.name] = fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(t.text)))
		}
		h.add(map[string]any{"type": "world_state", "payload": map[string]any{"full": true, "state": map[string]any{"top_level_tools": state}}})
		h.add(map[string]any{"type": "turn_context", "payload": map[string]any{"model": h.model, "effort": h.effort}})
		h.add(map[string]any{"type": "response_item", "payload": map[string]any{"type": "message", "role": "user", "content": []any{map[string]any{"type": "input_text", "text": last}}}})
		h.add(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "user_message", "message": last}})
		h.add(map[string]any{"type": "response_item", "payload": map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": answer}}}})
		h.add(map[string]any{"type": "event_msg", "payload": map[string]any{"type": "token_count", "info": map[string]any{
			"last_token_usage":  map[string]any{"input_tokens": input + read + write, "cached_input_tokens": read, "output_tokens": 9},
			"total_token_usage": map[string]any{"input_tokens": 100000 * h.requests, "output_tokens": 9 * h.requests}}}})
	}
}

// write writes the log, and returns its path.
func (h *talk) write(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "log.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600))
	return path
}
