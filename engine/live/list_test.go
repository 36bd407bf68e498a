package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"caliper/model"
	"caliper/model/require"

	"pgregory.net/rapid"
)

func TestListKeepsToolsByteForByte(t *testing.T) {
	w := newTether(t)
	l, err := List(t.Context(), w.child("raw"), Options{})
	require.NoError(t, err)
	w.gone(1)
	if len(l.Tools) != 2 || string(l.Tools[0]) != oddTool || string(l.Tools[1]) != `{"name":"b.c"}` {
		t.Errorf("tools are %s", l.Tools)
	}
	if l.Server != "raw" || l.Name != "raw" || l.Instructions != "Mind <this>." || l.ProtocolVersion != "2025-06-18" || l.Pages != 1 {
		t.Errorf("listing is %+v", l)
	}
}

// methods returns what a server was sent, from the file of its input.
func methods(t *testing.T, file string) (sent []string, answers int) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		var m struct{ Method string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if m.Method == "" {
			answers++
			continue
		}
		sent = append(sent, m.Method)
	}
	return sent, answers
}

func TestListSendsNothingElse(t *testing.T) {
	handshake := []string{"initialize", "notifications/initialized"}
	list := []string{"tools/list"}
	for _, c := range []struct {
		mode    string
		pages   int
		answers int
	}{{"sdk", 3, 0}, {"raw", 1, 0}, {"asks", 1, 4}, {"mute", 1, 0}} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			w, file := newTether(t), filepath.Join(t.TempDir(), "wire")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o := Options{Progress: func(p Progress) {
				if c.mode == "mute" && p.Stage == ListingTools {
					time.AfterFunc(50*time.Millisecond, cancel) // so that the SDK wants to send a cancellation
				}
			}}
			l, err := List(ctx, w.child(c.mode, pair{name: wireVariable, value: file}), o)
			if (err != nil) != (c.mode == "mute") {
				t.Fatal(err)
			}
			w.gone(1)
			sent, answers := methods(t, file)
			want := slices.Concat(handshake, slices.Repeat(list, c.pages))
			if c.mode == "mute" {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error is %v", err)
				}
				want = want[:min(len(want), len(sent))]
			} else if l.Pages != c.pages {
				t.Errorf("%d pages", l.Pages)
			}
			if !slices.Equal(sent, want) || answers > c.answers {
				t.Errorf("sent %v and %d answers, want %v", sent, answers, want)
			}
		})
	}
}

func TestListOverSDKServer(t *testing.T) {
	w := newTether(t)
	var stages []string
	l, err := List(t.Context(), w.child("sdk"), Options{Progress: func(p Progress) {
		stages = append(stages, fmt.Sprintf("%s %d/%d", p.Stage, p.Pages, p.Tools))
	}})
	require.NoError(t, err)
	w.gone(1)
	want := []string{"start 0/0", "initialize 0/0", "tools/list 0/0", "tools/list 1/2", "tools/list 2/4", "tools/list 3/5"}
	if len(l.Tools) != 5 || l.Title != "Our own" || l.Version != "1.2.3" || l.Instructions != "Ask politely." || !slices.Equal(stages, want) {
		t.Errorf("%d tools, %+v, stages %q", len(l.Tools), l, stages)
	}
}

// Each way to fail has its error, hides the secret and leaves nothing behind.
func TestListFails(t *testing.T) {
	t.Parallel()
	small := &limits{message: 1 << 20, total: 1 << 20, tools: 100, pages: 5}
	few := &limits{message: 1 << 20, total: 1 << 20, tools: 3, pages: 5}
	for _, c := range []struct {
		mode      string
		o         Options
		processes int
		is        error
		stage     Stage
		text      string
	}{
		{"silent", Options{Timeout: 300 * time.Millisecond}, 1, context.DeadlineExceeded, Initializing, "no answer within 300ms"},
		{"rubbish", Options{}, 1, ErrNotMessage, Initializing, `line 1 of its output is not a JSON-RPC message: "␛[31mServer is running␛[0m on port 3000 with [withheld]"`},
		{"other", Options{}, 1, ErrNotMessage, Initializing, `a line of its output is not a JSON-RPC message: "{\"some\":\"thing\",\"secret\":\"[withheld]\"}"`},
		{"half", Options{}, 1, ErrEnded, ListingTools, "the server ended: exit status 3; its last words: fatal: no rights for [withheld]"},
		{"big", Options{limits: small}, 1, ErrTooLarge, ListingTools, "a message of more than 1 MB is too large"},
		{"huge-cursor", Options{}, 1, ErrTooLarge, ListingTools, "a cursor of more than 64 KB is too large"},
		{"deep", Options{}, 1, ErrTooDeep, ListingTools, "a message of more than 900 levels is too deep"},
		{"deep-result", Options{}, 1, ErrTooDeep, ListingTools, "a message of more than 900 levels is too deep"},
		{"loop", Options{}, 1, ErrCursorLoop, ListingTools, "page 2 gives a cursor that came before"},
		{"endless", Options{limits: small}, 1, ErrTooMany, ListingTools, "too many pages: more than 5"},
		{"endless", Options{limits: &limits{message: 1 << 20, total: 48, tools: 4, pages: 2}}, 1, ErrTooMany, ListingTools, "too many pages: more than 2"}, // and all else at its limit
		{"endless", Options{limits: &limits{message: 1 << 20, total: 47, tools: 4, pages: 2}}, 1, ErrTooLarge, ListingTools, "the tools together are too large"},
		{"endless", Options{limits: few}, 1, ErrTooMany, ListingTools, "too many tools: more than 3"},
		{"protocol", Options{}, 1, ErrProtocol, Initializing, `"1999-01-01"`},
		{"shut", Options{}, 1, ErrEnded, Initializing, "the server ended: exit status 4; its last words: error: no key"},
		{"list", Options{}, 1, ErrNotAnswer, Initializing, "initialize: the result is not as MCP has it: want an object with protocolVersion, capabilities and serverInfo"},
		{"null", Options{}, 1, ErrNotAnswer, Initializing, "want an object with protocolVersion"},
		{"badinfo", Options{}, 1, ErrNotAnswer, Initializing, "the result is not as MCP has it: its serverInfo is of another kind than it should be"},
		{"text", Options{}, 1, ErrNotAnswer, ListingTools, "tools/list: the result is not as MCP has it: its tools are a string, want an array"},
		{"nothing", Options{}, 1, ErrNotAnswer, ListingTools, "the result is not as MCP has it: it is an array, want an object with an array of tools"},
		{"cursor", Options{}, 1, ErrNotAnswer, ListingTools, "its nextCursor is a number, want a string"},
		{"none-fails", Options{}, 1, nil, ListingTools, "the server answered error -32603"},
		{"missing", Options{}, 1, nil, ListingTools, "the server answered error -32601"},                 // the tools that it declares
		{"refuses", Options{}, 2, nil, Initializing, "the server answered error -32602: bad [withheld]"}, // and server/discover
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			w := newTether(t)
			if c.o.Timeout == 0 {
				c.o.Timeout = 2 * time.Minute
			}
			l, err := List(t.Context(), w.child(c.mode), c.o)
			if c.mode != "silent" { // may be ended before it gets to dial
				w.gone(c.processes)
			}
			var e *Error
			if !errors.As(err, &e) || e.Stage != c.stage || e.Server != c.mode || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error is %v", err)
			}
			if strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), "unmarshal") || strings.Contains(err.Error(), "mcp.") {
				t.Errorf("shows its insides: %v", err)
			}
			if s := fmt.Sprintf("%v %+v %#v %s", err, e, e, e.Stderr); strings.Contains(s, secretValue) || strings.ContainsRune(s, '\x1b') {
				t.Errorf("shows too much: %q", s)
			}
			if l.Tools != nil {
				t.Errorf("tools beside an error: %d", len(l.Tools))
			}
		})
	}
}

// A server may be slow, have a tool of ten megabytes or none. It is ended with its
// grandchildren, also where they ignore every signal; one that has left the process group and
// keeps the outputs open is not waited for.
func TestListLeavesNoProcess(t *testing.T) {
	t.Parallel()
	for mode, processes := range map[string]int{"slow": 1, "big": 1, "none": 1, "stubborn": 1, "parent": 2, "parent-inherits": 2, "parent-escapes": 1} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			w := newTether(t)
			l, err := List(t.Context(), w.child(mode), Options{})
			if err != nil || l.Server != mode || (len(l.Tools) == 0) != (mode == "none" || mode == "slow") || (mode == "big") != (len(l.Tools) == 1 && len(l.Tools[0]) >= 10<<20) || mode == "slow" && l.Pages != 1 {
				t.Errorf("%d tools in %d pages, %v", len(l.Tools), l.Pages, err)
			}
			w.gone(processes)
		})
	}
}

func TestListRefusesToStart(t *testing.T) {
	for name, s := range map[string]Server{
		"is not found":           Stdio("x", "no-such-command-anywhere"),
		"no such file":           Stdio("x", "/no/such/file"),
		"have not been expanded": {Name: "x", Transport: StdioTransport},
	} {
		var e *Error
		if _, err := List(t.Context(), s, Options{Env: []string{"PATH=/bin:/usr/bin"}}); !errors.As(err, &e) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestListInheritsOnlyTheGivenEnvironment(t *testing.T) {
	t.Setenv("CALIPER_LIVE_LEAK", "leaked-value")
	env := environment([]string{"A=1", "B=2"}, []pair{{name: "B", value: "3"}})
	if !slices.Equal(env, []string{"A=1", "B=2", "B=3"}) || variable(env, "B") != "3" || environment(nil, nil) == nil {
		t.Errorf("environment is %v", env)
	}
}

func TestBounds(t *testing.T) {
	if got, want := (Options{}).bounds(), (limits{message: 64 << 20, total: 256 << 20, tools: 50_000, pages: 1000}); got != want {
		t.Errorf("bounds are %+v, want %+v", got, want)
	}
	for _, c := range []struct{ option, server, want time.Duration }{
		{0, 0, time.Minute}, {0, 3, 3}, {2, 3, 2}, {2, 0, 2}, {-1, 0, time.Minute},
	} {
		if got := (Options{Timeout: c.option}).timeout(Server{Timeout: c.server}); got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.option, c.server, got, c.want)
		}
	}
}

// Four servers are asked at a time, and no more.
func TestListAllAtOnce(t *testing.T) {
	here, on := make(chan struct{}), make(chan struct{})
	o := Options{Progress: func(p Progress) {
		here <- struct{}{}
		<-on
	}}
	servers := slices.Repeat([]Server{Stdio("x", "/no/such/file")}, 9)
	done := make(chan struct{})
	go func() {
		ListAll(t.Context(), servers, o, nil)
		close(done)
	}()
	for range 4 {
		<-here
	}
	for range 5 { // another one begins only when one goes on
		select {
		case <-here:
			t.Error("more than four at once")
		default:
		}
		on <- struct{}{}
		<-here
	}
	close(on)
	<-done
}

func TestListAll(t *testing.T) {
	w := newTether(t)
	var servers []Server
	want := []string{"sdk", "half", "raw", "rubbish", "none", "loop"}
	for _, mode := range want {
		servers = append(servers, w.child(mode))
	}
	var reported []string
	outcomes := ListAll(t.Context(), servers, Options{}, func(n int, _ Outcome) { reported = append(reported, servers[n].Name) })
	w.gone(len(servers))
	slices.Sort(reported)
	if !slices.Equal(reported, slices.Sorted(slices.Values(want))) {
		t.Errorf("reported %v", reported)
	}
	for i, tools := range []int{5, -1, 2, -1, 0, -1} {
		if o := outcomes[i]; (o.Err != nil) != (tools < 0) || len(o.Listing.Tools) != max(tools, 0) {
			t.Errorf("%s: %d tools, %v", want[i], len(o.Listing.Tools), o.Err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i, o := range ListAll(ctx, servers, Options{}, nil) {
		if !errors.Is(o.Err, context.Canceled) {
			t.Errorf("%s: %v", want[i], o.Err)
		}
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	w := newTether(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen []string
	err := Watch(ctx, w.child("changes"), Options{}, func(l Listing) {
		seen = append(seen, string(l.Tools[0]))
		if len(seen) == 2 {
			cancel()
		}
	})
	w.gone(1)
	if err != nil || !slices.Equal(seen, []string{`{"name":"t1"}`, `{"name":"t2"}`}) {
		t.Errorf("saw %v, %v", seen, err)
	}
	if err := Watch(t.Context(), w.child("half"), Options{}, func(Listing) {}); !errors.Is(err, ErrEnded) {
		t.Errorf("error is %v", err)
	}
}

func listing(server string, tools ...string) Listing {
	l := Listing{Server: server}
	for _, t := range tools {
		l.Tools = append(l.Tools, json.RawMessage(t))
	}
	return l
}

func TestDump(t *testing.T) {
	a := listing("git hub", oddTool, `{"name":"b.c","server":"liar","title":"T","inputSchema":true}`, `{"noname":1}`, `7`)
	a.Name, a.Version, a.Instructions, a.ProtocolVersion = "gh", "1", "Mind <this>.\n", "2025-06-18"
	data, clashes := Dump([]Listing{a, listing("empty")}, model.HermesNaming)
	want := `{
 "generator": "caliper import",
 "naming": "mcp_<server>_<tool>",
 "toolsets": {
  "mcp-git hub":{"source":"mcp","server":"git hub","server_name":"gh","server_version":"1","protocol_version":"2025-06-18","instructions":"Mind <this>.\n","tools":["mcp_git_hub_odd","mcp_git_hub_b_c"]},
  "mcp-empty":{"source":"mcp","server":"empty","tools":[]}
 },
 "tools": [
  {"type":"function","function":{"name":"mcp_git_hub_odd","description":"a\u003cb \ud83d\ude00","parameters":{"type":"object","properties":{"z":{"maximum":9007199254740993},"a":{"default":-0.0,"minimum":1e308}}}},"toolset":"mcp-git hub","source":"mcp","server":"git hub","original_name":"odd","annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"}},
  {"type":"function","function":{"name":"mcp_git_hub_b_c","description":"","parameters":true},"toolset":"mcp-git hub","source":"mcp","server":"git hub","original_name":"b.c","title":"T"},
  {"noname":1},
  7
 ]
}
`
	if string(data) != want {
		t.Errorf("dump is\n%s\nwant\n%s", data, want)
	}
	if clashes != nil {
		t.Errorf("clashes %v", clashes)
	}
}

func TestAllowed(t *testing.T) {
	l := listing("s", `{"name":"a"}`, `{"name":"b"}`, `{}`)
	if got := l.Allowed(Server{Exclude: []string{"a"}}); len(got.Tools) != 2 || string(got.Tools[0]) != `{"name":"b"}` || len(l.Tools) != 3 {
		t.Errorf("%s", got.Tools)
	}
	if got := l.Allowed(Server{}); len(got.Tools) != 3 || len(got.Names()) != 2 {
		t.Errorf("%s", got.Tools)
	}
}

func TestDumpIsValidWhateverTheTools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var listings []Listing
		for range rapid.IntRange(0, 3).Draw(t, "servers") {
			l := Listing{Server: rapid.String().Draw(t, "server"), Instructions: rapid.String().Draw(t, "instructions")}
			for range rapid.IntRange(0, 3).Draw(t, "tools") {
				tool := rapid.MapOf(rapid.SampledFrom([]string{"name", "description", "inputSchema", "type", "title", "x"}), rapid.String()).Draw(t, "tool")
				raw, _ := json.Marshal(tool)
				l.Tools = append(l.Tools, raw[:rapid.SampledFrom([]int{len(raw), len(raw), len(raw) / 2}).Draw(t, "cut")])
			}
			listings = append(listings, l)
		}
		data, _ := Dump(listings, model.DoubleNaming)
		again, _ := Dump(listings, model.DoubleNaming)
		if !json.Valid(data) || string(data) != string(again) {
			t.Fatalf("%q", data)
		}
	})
}

func TestClashes(t *testing.T) {
	listings := []Listing{
		listing("a_b", `{"name":"c"}`, `{"name":"x.y"}`, `{"name":"x-y"}`),
		listing("a", `{"name":"b_c"}`, `{"name":"alone"}`),
	}
	want := []Clash{
		{"mcp_a_alone", []Claim{{Server: "", Tool: "mcp_a_alone"}, {Server: "a", Tool: "alone"}}, Claim{Server: "", Tool: "mcp_a_alone"}},
		{"mcp_a_b_c", []Claim{{Server: "a_b", Tool: "c"}, {Server: "a", Tool: "b_c"}}, Claim{Server: "a", Tool: "b_c"}},
		{"mcp_a_b_x_y", []Claim{{Server: "a_b", Tool: "x.y"}, {Server: "a_b", Tool: "x-y"}}, Claim{Server: "a_b", Tool: "x-y"}},
	}
	if got := Clashes(listings, model.HermesNaming, []string{"mcp_a_alone", "mcp_a_alone", "terminal"}); !reflect.DeepEqual(got, want) {
		t.Errorf("clashes are %v", got)
	}
	if got := Clashes(listings, model.DoubleNaming, nil); got != nil { // a hyphen stays
		t.Errorf("clashes are %v", got)
	}
	first, second, server := Claim{Tool: "x", File: "1"}, Claim{Tool: "x", File: "2"}, Claim{Server: "s", Tool: "x"}
	if got := ClashesAmong([]Bearer{{"x", first}, {"x", second}, {"x", server}, {"y", server}}, nil); !reflect.DeepEqual(got, []Clash{{"x", []Claim{first, server}, first}}) {
		t.Errorf("clashes of the agent's own tools are %v", got)
	}
	if data, clashes := Dump(listings, model.HermesNaming); len(clashes) != 2 || strings.Count(string(data), `"function":{"name":"mcp_a_b_c"`) != 2 {
		t.Errorf("clashes are %v in %s", clashes, data)
	}
}

// TestClashInWords: claims that read alike are numbered, and the last of them is meant.
func TestClashInWords(t *testing.T) {
	own, file, in := Claim{Tool: "x"}, Claim{Tool: "x", File: "r.json"}, Claim{Tool: "x", File: "-"}
	a, b := Claim{Server: "a", Tool: "b_x"}, Claim{Server: "a_b", Tool: "x"}
	for want, c := range map[string]Clash{
		"the agent itself and b_x of a; the reference agent takes its own":                                                      {"n", []Claim{own, a}, own},
		"b_x of a and x of a_b; the reference agent takes x of a_b":                                                             {"n", []Claim{a, b}, b},
		"b_x of a (1 of 2) and b_x of a (2 of 2); the reference agent takes b_x of a (2 of 2)":                                  {"n", []Claim{a, a}, a},
		"x of r.json and b_x of a; the reference agent takes x of r.json":                                                       {"n", []Claim{file, a}, file},
		"x of standard input (1 of 2) and x of standard input (2 of 2); the reference agent takes x of standard input (1 of 2)": {"n", []Claim{in, in}, in},
	} {
		if got := c.String(); got != "n is claimed by "+want+", caliper each by its toolset" {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string]string{
		`npx -y  @x/y`:               `["npx" "-y" "@x/y"]`,
		` a 'b c' "d e"f '' `:        `["a" "b c" "d ef" ""]`,
		`a b\ c "x\"y\\z\w" '\n' $H`: `["a" "b c" "x\"y\\z\\w" "\\n" "$H"]`,
	} {
		if got, err := SplitCommand(line); err != nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "  ", `"a`, `a\`, `'' x`} {
		if got, err := SplitCommand(line); err == nil {
			t.Errorf("%s: %q", line, got)
		}
	}
}
