package logs

import (
	"fmt"
	"strings"
	"testing"

	"caliper/engine/transcript"
)

const (
	berthDefinition = `{"name":"mcp__quay__berth","description":"Reserve a berth","input_schema":{"type":"object"},"defer_loading":true}`
	bashDefinition  = `{"name":"Bash","description":"Run","input_schema":{"type":"object"}}`
	hidden          = `{"name":"DeferredToolPlaceholder","defer_loading":true,"input_schema":{"type":"object"}}`
)

// answerTo is an answer to a request that the log has.
func answerTo(request, uuid, parent, id, block string) string {
	return strings.Replace(answerLine(uuid, parent, id, block, 5), `"sessionId"`, fmt.Sprintf(`"requestRef":%q,"sessionId"`, request), 1)
}

func shapeLine(hash string, definitions ...string) string {
	return fmt.Sprintf(`{"type":"api-request-shape","sessionId":"s","shapeHash":%q,"timestamp":"2026-01-01T00:00:00Z","shape":{"system":[],"tools":[%s]}}`, hash, strings.Join(definitions, ", "))
}

func claudeRequestLine(id, hash string) string {
	return fmt.Sprintf(`{"type":"api-request","sessionId":"s","id":%q,"timestamp":"2026-01-01T00:00:00Z","shapeHash":%q,"tail":["x"]}`, id, hash)
}

func attachLine(uuid, parent, attachment string) string {
	return fmt.Sprintf(`{"type":"attachment","sessionId":"s","uuid":%q,"parentUuid":%q,"attachment":%s}`, uuid, parent, attachment)
}

// offering is a session whose log has each request, with a compaction in it.
var offering = []string{
	`{"type":"tools-used","sessionId":"s","tools":["Bash"]}`, claudeAsk,
	attachLine("d1", "u1", `{"type":"deferred_tools_delta","addedNames":["CronList","mcp__quay__berth","mcp__quay__tide"],"removedNames":[]}`),
	shapeLine("h1", bashDefinition, hidden), claudeRequestLine("q1", "h1"),
	answerTo("q1", "a1", "d1", "m1", useBlock("t1", "ToolSearch", `{"query":"berth"}`)), resultLine("r1", "a1", "t1", false),
	shapeLine("h2", bashDefinition, berthDefinition, hidden), claudeRequestLine("q2", "h2"),
	attachLine("d2", "r1", `{"type":"deferred_tools_record","entries":[`+berthDefinition+`]}`),
	answerTo("q2", "a2", "d2", "m2", useBlock("t2", "mcp__quay__berth", `{}`)), answerTo("q2", "a3", "a2", "m2", useBlock("t3", "Bash", `{}`)),
	claudeRequestLine("q3", "h2"), answerTo("q3", "a4", "a3", "m3", `{"type":"text","text":"so"}`),
	`{"type":"system","subtype":"compact_boundary","sessionId":"s","uuid":"b","parentUuid":null,"compactMetadata":{"preCompactDiscoveredTools":["mcp__quay__berth"]}}`,
	`{"type":"user","sessionId":"s","uuid":"u2","parentUuid":"b","isCompactSummary":true,"message":{"content":"in short"}}`,
	shapeLine("h2", bashDefinition, berthDefinition, hidden), claudeRequestLine("q4", "h2"),
	answerTo("q4", "a5", "u2", "m4", `{"type":"text","text":"done"}`),
	answerLine("a6", "a5", "m5", `{"type":"text","text":"a request that is not in the log"}`, 1), "",
}

// TestOffers: the log has which tools each request sent, which are deferred, which of them were
// found, and which stay loaded after a compaction.
func TestOffers(t *testing.T) {
	t.Parallel()
	log := claudeRead(t, strings.Join(offering, "\n"))
	s := log.Sessions[0]
	var sent []int
	for _, r := range requests(s) {
		sent = append(sent, r.Tools)
	}
	if got := fmt.Sprint(sent); got != "[0 1 1 1 -1]" {
		t.Errorf("the requests sent the arrays %s", got)
	}
	var arrays []string
	for _, a := range s.Arrays {
		arrays = append(arrays, fmt.Sprintf("%s", a.Definitions))
	}
	if got, want := fmt.Sprint(arrays), fmt.Sprint([]string{"[" + bashDefinition + "]", "[" + bashDefinition + " " + berthDefinition + "]"}); got != want {
		t.Errorf("arrays\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprintf("%s", s.Listed); got != "[{CronList } {mcp__quay__berth "+berthDefinition+"} {mcp__quay__tide }]" {
		t.Errorf("listed %s", got)
	}
	main := s.Contexts[0]
	if len(main.Loaded) != 1 || main.Entries[main.Loaded[0].Entry].Kind != transcript.Summary || fmt.Sprint(main.Loaded[0].Tools) != "[mcp__quay__berth]" || !main.Deferred {
		t.Errorf("loaded %+v, deferred %t", main.Loaded, main.Deferred)
	}
	for _, k := range log.Skipped {
		if strings.HasPrefix(k.What, "api-request") {
			t.Errorf("left out: %+v", k)
		}
	}
	if &s.Arrays[0].Definitions[0][0] != &s.Arrays[1].Definitions[0][0] {
		t.Error("two arrays have a definition twice")
	}
}
