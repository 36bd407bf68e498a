package transcript

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// parts returns the parts of a message.
func parts(t testing.TB, message string) []MessagePart {
	t.Helper()
	n, ok := ParseObject([]byte(message))
	if !ok {
		t.Fatalf("no JSON object: %s", message)
	}
	return MessageParts(n)
}

func TestResultsThatSayNo(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		`{"error":"no"}`: true, `{"error":{"code":1}}`: true, `{"ok":1,"success":false}`: true,
		`{"error":null}`: false, `{"error":""}`: false, `{"error":false}`: false, `{"success":true}`: false,
		`{"rows":[{"error":"of a row"}]}`: false, `an "error"`: false, `{"error":`: false, ``: false,
	} {
		if got := refused(said); got != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}

func TestShapesOfMessages(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"role":"user","content":"hi"}`: "user hi",
		`{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image"},{"type":"input_text","text":"b"}]}`: "user a\nb",
		`{"role":"developer","content":"be brief"}`:                                                                                        "system be brief",
		`{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`:                           "answer [1 f]",
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"1","name":"f","input":{"a": 1}}]}`:    "answer [1 f]",
		`{"type":"function_call","id":"fc","call_id":"1","name":"f","arguments":"{}"}`:                                                     "answer [1 f]",
		`{"type":"custom_tool_call","call_id":"1","name":"f","input":"free text"}`:                                                         "answer [1 f]",
		`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}`:                                                "answer [ f]",
		`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}}],"function_call":{"name":"f"}}`:                              "answer [1 f]",
		`{"role":"assistant","tool_calls":[{"id":"1","type":"custom","custom":{"name":"f","input":"free text"}}]}`:                         "answer [1 f]",
		`{"type":"web_search_call","id":"1"}`:                                                                                              "answer [1 web_search]",
		`{"type":"reasoning","summary":[]}`:                                                                                                "",
		`{"role":"tool","tool_call_id":"1","content":"r"}`:                                                                                 "result r of 1",
		`{"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"r"}]}`:                                        "result r of 1",
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r"},{"type":"text","text":"and"}]}`:                  "result r of 1 | user and",
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"r"}]}]}`:                      "result r of 1",
		`{"role":"Tool","Content":"keys are matched exactly"}`:                                                                             "user ",
		`{"role":"user","content":"` + strings.Repeat(`\u202e`, 3) + `"}`:                                                                  "user \u202e\u202e\u202e",
		`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},{"id":"1","function":{"name":"g","arguments":{"a": [1]}}}]}`: "answer [1 f] [1 g]",
	} {
		var got []string
		for _, p := range parts(t, message) {
			s := []string{"user ", "system ", "answer ", "result "}[p.Kind] + p.Text
			if p.CallID != "" {
				s += " of " + p.CallID
			}
			var calls []string
			for _, c := range p.Calls {
				calls = append(calls, fmt.Sprintf("[%s %s]", c.ID, c.Tool))
			}
			got = append(got, s+strings.Join(calls, " "))
		}
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("%s\ngot  %q\nwant %q", message, s, want)
		}
	}
}

// TestArgumentsAreMeasuredAsSent holds arguments of both forms to the same size.
func TestArgumentsAreMeasuredAsSent(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":1}"}}]}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{ "a" : 1 }}]}`,
	} {
		var b Builder
		b.Add(parts(t, message)[0], time.Time{}, UnpaidRequest)
		e := b.Entries[0]
		if e.Size != e.Request.Calls[0].Size || e.Size.Chars[Schema] != len(`f{"a":1}`) {
			t.Errorf("%s: %+v", message, e.Size)
		}
	}
}

func TestJoinLeavesItsPartsAlone(t *testing.T) {
	t.Parallel()
	a := parts(t, `{"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`)
	b := parts(t, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}`)
	all := append(append(append([]MessagePart(nil), a...), b...), a...)
	joined := JoinParts(all)
	if len(joined) != 1 || len(joined[0].Calls) != 2 || joined[0].Text != "x" || len(all[0].Calls) != 1 {
		t.Errorf("got %+v", joined)
	}
	if JoinParts(all)[0].Digest() != joined[0].Digest() {
		t.Error("the same parts have two digests")
	}
}

// Joining many parts takes memory for each once.
func TestJoinGrows(t *testing.T) {
	one := parts(t, `{"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`)[0]
	one.Text = "x"
	allocated := func(n int) uint64 {
		all := slices.Repeat([]MessagePart{one}, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		JoinParts(all)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := allocated(1000), allocated(4000); large > 10*small {
		t.Errorf("%d bytes for 1000 parts, %d for 4000", small, large)
	}
}

// A result finds the same call by the index of a history without branches as by the way
// back through the history, also where the memory of its id is used again.
func TestCallOfAResult(t *testing.T) {
	t.Parallel()
	ids := rapid.SampledFrom([]string{"a", "b", "c", ""})
	rapid.Check(t, func(t *rapid.T) {
		byIndex, byWay := new(Builder), &Builder{branched: true}
		for range rapid.IntRange(0, 40).Draw(t, "parts") {
			p := MessagePart{Kind: rapid.SampledFrom([]Kind{User, Answer, Result, Result}).Draw(t, "kind")}
			switch p.Kind {
			case Result:
				p.CallID = ids.Draw(t, "id")
			case Answer:
				for range rapid.IntRange(0, 3).Draw(t, "calls") {
					p.Calls, p.sent = append(p.Calls, Call{ID: ids.Draw(t, "id")}), append(p.sent, sent{})
				}
			}
			reused := p
			buffer := []byte(p.CallID)
			if len(buffer) > 0 {
				reused.CallID = unsafe.String(&buffer[0], len(buffer))
			}
			byIndex.Add(reused, time.Time{}, UnpaidRequest)
			copy(buffer, "x")
			byWay.Add(p, time.Time{}, UnpaidRequest)
		}
		if byIndex.Lost != byWay.Lost || byIndex.branched {
			t.Fatalf("%d results without a call, and %d", byIndex.Lost, byWay.Lost)
		}
		for i, e := range byIndex.Entries {
			if w := byWay.Entries[i]; e.CallEntry != w.CallEntry || e.Call != w.Call {
				t.Fatalf("entry %d is the result of %d.%d, and of %d.%d", i, e.CallEntry, e.Call, w.CallEntry, w.Call)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"tool_call","input":{"name":"x"}},{"type":"tool_result","tool_use_id":"1"}]}`))
	f.Add([]byte(`{"type":"tool_search_output","tools":{},"call_id":null}`))
	f.Add([]byte(`{"role":"tool","content":{"error":"x"},"tool_call_id":"\ud800"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, ok := ParseObject(data)
		if !ok {
			return
		}
		var b Builder
		for _, p := range JoinParts(MessageParts(n)) {
			p.Digest()
			b.Add(p, time.Time{}, UnpaidRequest)
		}
		for i, e := range b.Entries {
			if e.Parent != i-1 {
				t.Fatalf("entry %d: %+v", i, e)
			}
		}
	})
}

// What a search was answered with is read from every form of answer; another text says nothing.
func TestFound(t *testing.T) {
	const search = `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"tool_search","arguments":"{\"query\":\"boats\"}"}}]}`
	for _, c := range []struct {
		name, call, answer, want string
	}{
		{"matches", search, `{"role":"tool","tool_call_id":"c","content":"{\"query\":\"boats\",\"matches\":[{\"name\":\"a\"},{\"name\":\"b\"}]}"}`, "a b"},
		{"no match", search, `{"role":"tool","tool_call_id":"c","content":"{\"query\":\"boats\",\"matches\":[]}"}`, ""},
		{"results of each query", search, `{"role":"tool","tool_call_id":"c","content":"{\"results\":[{\"query\":\"x\",\"matches\":[\"a\"]},{\"matches\":[\"b\"]}]}"}`, "a b"},
		{"a fault", search, `{"role":"tool","tool_call_id":"c","content":"{\"error\":\"no matches\"}"}`, ""},
		{"a text", search, `{"role":"tool","tool_call_id":"c","content":"nothing"}`, ""},
		{"references", `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ToolSearch","input":{"query":"boats"}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"tool_reference","tool_name":"a"}]}]}`, "a"},
		{"definitions", `{"type":"tool_search_call","call_id":"c","arguments":{"query":"boats"}}`,
			`{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"mcp__s__","tools":[{"name":"a"}]},{"type":"function","function":{"name":"b"}}]}`, "mcp__s__a b"},
	} {
		b := new(Builder)
		for _, text := range []string{c.call, c.answer} {
			n, ok := ParseObject([]byte(text))
			if !ok {
				t.Fatal(c.name)
			}
			for _, p := range MessageParts(n) {
				b.Add(p, Entry{}.Time, UnpaidRequest)
			}
		}
		got := strings.Join(b.Entries[0].Request.Calls[0].Asked().Hits, " ")
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, l := range []Lookup{{Told: true}, {Expanded: []string{"a"}}, {}} { // without the words that were searched for
		var c Call
		c.Ask(l)
		if got := c.Asked(); got.Told != l.Told || len(got.Expanded) != len(l.Expanded) {
			t.Errorf("%+v, want %+v", got, l)
		}
	}
}

// TestOwnParameter: a client that searches by itself names the parameter, and the query is found in it.
func TestOwnParameter(t *testing.T) {
	for args, want := range map[string]string{
		`{"goal":"hire a boat"}`:                   "hire a boat",
		`{"goal":"hire a boat","limit":3}`:         "hire a boat",
		`{"query":"boats","namespace":"a"}`:        "boats",
		`{"goal":"hire a boat","where":"Rostock"}`: "", // which of them is the query is not known
		`{"paths":["mcp__graph"]}`:                 "",
		`{}`:                                       "",
	} {
		for name, call := range map[string]string{
			"object": `{"type":"tool_search_call","call_id":"c","arguments":` + args + `}`,
			"text":   `{"type":"tool_search_call","call_id":"c","arguments":` + strconv.Quote(args) + `}`,
		} {
			n, _ := ParseObject([]byte(call))
			c := MessageParts(n)[0].Calls[0]
			if got := strings.Join(c.Asked().Queries, "|"); c.Kind != Search || got != want {
				t.Errorf("%s as %s: %q, want %q", args, name, got, want)
			}
		}
	}
}
