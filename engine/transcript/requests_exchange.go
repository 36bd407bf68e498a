package transcript

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/model/jsontree"
)

// exchange is a request with its response.
type exchange struct {
	number            int // its line
	at                time.Time
	request, response *jsontree.Node
}

// provider is whose format a response has.
type provider int

const (
	unknown provider = iota
	chat
	responses
	anthropic
)

// isRequest reports whether an object is a bare request.
func isRequest(n *jsontree.Node) bool {
	return n.Member("messages").Is(jsontree.Array) || n.Member("input") != nil && n.Member("output") == nil && n.Member("model") != nil
}

// formatOf returns the format of a response; unknown for anything else.
func formatOf(n *jsontree.Node) provider {
	switch {
	case n.Member("choices").Is(jsontree.Array):
		return chat
	case n.Member("output").Is(jsontree.Array):
		return responses
	case n.Member("content").Is(jsontree.Array) && n.Member("role").AsText() == "assistant":
		return anthropic
	}
	return unknown
}

// refusal names what a response is that is none: "" for a response.
func refusal(n *jsontree.Node) string {
	kind := n.Member("type").AsText()
	switch {
	case n.Is(jsontree.Array), n.Is(jsontree.String):
		return Stream
	case n.Member("object").AsText() == "chat.completion.chunk", strings.HasPrefix(kind, "response."), strings.HasPrefix(kind, "content_block_"), strings.HasPrefix(kind, "message_"):
		return Stream
	case present(n.Member("error")):
		return "error"
	case formatOf(n) == unknown:
		return "unknown"
	}
	return ""
}

// answer returns the answer of a response, with what stands among its items: the tools of
// servers that the provider asked, and results of tools that the provider runs.
func (f provider) answer(response *jsontree.Node) []MessagePart {
	var parts []MessagePart
	switch f {
	case chat:
		for _, c := range response.Member("choices").Elements() {
			parts = append(parts, MessageParts(c.Node.Member("message"))...)
			break // other choices are thrown away or taken by the user; the first is the answer
		}
	case responses:
		for _, item := range response.Member("output").Elements() {
			parts = append(parts, MessageParts(item.Node)...)
		}
	case anthropic:
		parts = MessageParts(response)
	}
	parts = JoinParts(parts)
	if !slices.ContainsFunc(parts, func(p MessagePart) bool { return p.Kind == Answer }) {
		parts = append([]MessagePart{{Kind: Answer}}, parts...)
	}
	return parts
}

// usage returns what a response cost; nil when it does not say.
func (f provider) usage(response *jsontree.Node) *Usage {
	n := response.Member("usage")
	if !n.Is(jsontree.Object) {
		return nil
	}
	first := func(names ...string) int {
		for _, name := range names {
			if m := n.Member(name); m != nil {
				return count(m)
			}
		}
		return 0
	}
	u := Usage{Input: first("input_tokens", "prompt_tokens"), Output: first("output_tokens", "completion_tokens")}
	if f == anthropic {
		u.CacheRead, u.CacheWrite = first("cache_read_input_tokens"), first("cache_creation_input_tokens")
		u.HourWrite = max(0, min(u.CacheWrite, count(n.Member("cache_creation").Member("ephemeral_1h_input_tokens"))))
	} else {
		for _, name := range []string{"prompt_tokens_details", "input_tokens_details"} {
			u.CacheRead = max(u.CacheRead, count(n.Member(name).Member("cached_tokens")))
			u.CacheWrite = max(u.CacheWrite, count(n.Member(name).Member("cache_write_tokens"))) // from GPT-5.6 on: a part of the input, as the other
		}
		u.CacheRead = min(u.CacheRead, u.Input)
		u.CacheWrite = min(u.CacheWrite, u.Input-u.CacheRead)
		u.Input -= u.CacheRead + u.CacheWrite
	}
	if !u.Possible() {
		return nil // what no provider can have counted
	}
	return &u
}

// when returns the time of an entry: its own, or the response's.
func when(entry, response *jsontree.Node) time.Time {
	for _, name := range []string{"timestamp", "time", "created_at"} {
		if t, err := time.Parse(time.RFC3339Nano, entry.Member(name).AsText()); err == nil {
			return t.UTC()
		}
	}
	for _, name := range []string{"created", "created_at"} {
		if n := response.Member(name); n.Is(jsontree.Number) {
			if f, err := strconv.ParseFloat(n.Text, 64); err == nil && f > 0 && f < 1e11 {
				seconds, rest := math.Modf(f)
				return time.Unix(int64(seconds), int64(rest*1e9)).UTC()
			}
		}
	}
	return time.Time{}
}

// prompted are the members of a request that stand in its prompt or choose its cache. Sources:
// platform.claude.com/docs/en/build-with-claude/prompt-caching (what invalidates the cache) and
// developers.openai.com/api/docs/guides/prompt-caching.
var prompted = []string{"tool_choice", "thinking", "output_config", "reasoning", "reasoning_effort", "response_format", "text", "speed",
	"parallel_tool_calls", "context_management", "prompt_cache_key", "prompt_cache_retention", "service_tier", "betas"}

// settingsOf returns the settings of a request with a system prompt.
func settingsOf(request *jsontree.Node, system string) Settings {
	values := map[string]string{}
	for _, name := range prompted {
		if n := request.Member(name); present(n) {
			values[name] = SettingOf(n.Raw)
		}
	}
	if values["prompt_cache_retention"] != "" {
		values["cache"] = values["prompt_cache_retention"]
	}
	if kept := request.Member("cache_control").Member("ttl"); kept.AsText() != "" {
		values["cache"] = kept.AsText()
	}
	if system != "" {
		values["system"] = strconv.FormatUint(TextSum([]byte(system)), 16)
	}
	return SettingsOf(values)
}
