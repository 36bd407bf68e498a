//lint:file-ignore SA1019 servers still ask for samples and roots, which the protocol has deprecated since 2026-07-28 (SEP-2577)

package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/model/require"
	_ "caliper/model/require"
	"caliper/model/words"
)

// describe returns a server in one line, with its filters.
func describe(s Server) string {
	line := fmt.Sprintf("%s %s", s.Name, s.Transport)
	if s.Transport == StdioTransport {
		line += fmt.Sprintf(" %s %q", s.Command, s.Args)
	} else {
		line += " " + s.URL
	}
	for _, part := range []struct {
		what  string
		names []string
	}{{"env", s.Env}, {"headers", s.Headers}, {"include", s.Include}, {"exclude", s.Exclude}, {"unread", s.Unread}, {"foreign", s.Foreign}} {
		if len(part.names) > 0 {
			line += fmt.Sprintf(" %s %q", part.what, part.names)
		}
	}
	if !s.Enabled {
		line += strings.TrimSuffix(" off: "+s.Off, ": ")
	}
	return line
}

// parsed returns a configuration.
func parsed(t testing.TB, name string, data []byte) Config {
	t.Helper()
	c, err := ParseClientConfig(name, data)
	require.NoError(t, err)
	return c
}

func TestParseConfigErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"x.json", "{\n \"mcpServers\": {\"a\" \"sesame\"}}", "x.json:2:21: not valid JSON"},
		{"x.json", `{"mcpServers":`, "x.json:1:15: unexpected end of input"},
		{"x.json", `{"mcpServers":{"a":{"command":"x"}`, "x.json:1:35: unexpected end of input"},
		{"x.json", `{"mcpServers":{},"x":[1`, "x.json:1:24: unexpected end of input"},
		{"x.json", "", "x.json: the file is empty; want a client's configuration"},
		{"x.json", "\uFEFF \r\n", "x.json: the file is empty"},
		{"x.jsonl", "{\"tools\":[]}\n{\"sesame\":[]}", "x.jsonl: a file ending in .jsonl is not a client's configuration; want"},
		{"README.md", "# A [sesame]: b\n- c: d\n e", "README.md: "},
		{"x.json", `{"tools":[{"name":"sesame"}]}`, "holds no MCP servers, but may hold tools: caliper import reads those of a file that it is given alone"},
		{"x.json", `[]`, "holds no MCP servers, but may hold tools"},
		{"x.json", `{"projects":{"/p":{}}}`, "x.json: holds no MCP servers"},
		{"x.json", `{"openapi":"3.1.0","servers":[{"url":"https://sesame"}],"paths":{}}`, "holds no MCP servers"},
		{"x.json", `{"servers":{"sesame":{"port":1}}}`, "holds no MCP servers"},
		{"x.json", `{"extensions":{"sesame":{"version":"1"}}}`, "holds no MCP servers"},
		{"x.json", `{"mcp":{"allowed":["sesame"]}}`, "holds no MCP servers"},
		{"x.json", `{"mcpServers":{}} "sesame"`, "x.json:1:18: not valid JSON"},
		{"x.json", strings.Repeat("[", 300), "nested too deep"},
		{"x.toml", "[mcp_servers]\na = sesame", "x.toml:2:5: not valid TOML"},
		{"x.yaml", "mcp_servers:\n  a: *sesame\n", "x.yaml:1:1: not valid YAML"},
		{"x.yaml", "a: &a [1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]\n", "nested too deep"},
		{"x.yaml", "# none", "x.yaml:1:1: the file is empty"},
	} {
		_, err := ParseClientConfig(c.name, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%.60q: error is %v, want %s", c.data, err, c.want)
		}
	}
}

// An entry of no use takes nothing from the others, and has a reason.
func TestProblems(t *testing.T) {
	for entry, want := range map[string]string{
		`"sesame"`:                             "not an object",
		`{"env":{"K":"sesame"}}`:               "has neither command nor url",
		`{"type":"stdio","url":"sesame"}`:      "has no command",
		`{"type":"stdio"}`:                     "has neither command nor url",
		`{"uses":"sesame"}`:                    "has neither command nor url",
		`{"type":"sse"}`:                       "has neither command nor url",
		`{"type":"sse","command":"sesame"}`:    "transport sse without a url",
		`{"command":["sesame","-y"]}`:          "its command is a list: want the command as a text, and the rest as args",
		`{"command":true}`:                     "its command is not a text",
		`{"command":"x","args":"'sesame"}`:     "args: a quote is not closed",
		`{"source":"extension","settings":{}}`: "an extension of the client starts it: neither command nor url is given",
		`{"settings":{"token":"sesame"}}`:      "an extension of the client starts it: neither command nor url is given",
	} {
		c, err := ParseClientConfig("x.json", []byte(`{"mcpServers":{"a":`+entry+`,"b":{"command":"y"}}}`))
		if err != nil || len(c.Servers) != 2 || c.Servers[0].Problem != want || c.Servers[1].Problem != "" {
			t.Errorf("%s: %v, %+v", entry, err, c.Servers)
			continue
		}
		var e *Error
		if _, err := List(t.Context(), c.Servers[0], Options{}); !errors.As(err, &e) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: error is %v", entry, err)
		}
	}
}

func TestTimeoutsOfConfigurations(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		want        time.Duration
		unread      string
	}{
		{"x.toml", "startup_timeout_sec = 2.5", 2500 * time.Millisecond, ""},
		{"x.toml", "startup_timeout_ms = 1500", 1500 * time.Millisecond, ""},
		{"x.toml", "startup_timeout_sec = -1", 0, "startup_timeout_sec"},
		{"x.toml", "startup_timeout_sec = nan", 0, "startup_timeout_sec"},
		{"x.toml", "startup_timeout_sec = true", 0, "startup_timeout_sec"},
		{"x.toml", "tool_timeout_sec = 5", 0, ""},
		{"x.yaml", "connect_timeout: 2", 2 * time.Second, ""},
		{"x.yaml", "timeout: 120", 2 * time.Minute, ""},
		{"x.yaml", "connect_timeout: 2, timeout: 120", 2 * time.Second, ""},
		{"x.json", `"timeout":30000`, 0, ""}, // milliseconds or seconds: clients differ
	} {
		text := "[mcp_servers.a]\ncommand='x'\n" + c.entry
		switch c.name {
		case "x.yaml":
			text = "mcp_servers:\n a: {command: x, " + c.entry + "}"
		case "x.json":
			text = `{"mcpServers":{"a":{"command":"x",` + c.entry + `}}}`
		}
		config := parsed(t, c.name, []byte(text))
		if s := config.Servers[0]; s.Timeout != c.want || strings.Join(s.Unread, " ") != c.unread {
			t.Errorf("%s: %v, unread %v", c.entry, s.Timeout, s.Unread)
		}
	}
}

func TestEnvFile(t *testing.T) {
	c := parsed(t, "mcp.json", []byte(`{"servers":{"a":{"command":"x","env":{"A":"own"},"envFile":"${F}/.env"}}}`))
	s, err := c.Servers[0].Expand(func(string) (string, bool) { return "/w", true })
	if err != nil || s.EnvFile() != "/w/.env" || len(s.Unread) > 0 || (Server{}).EnvFile() != "" {
		t.Errorf("%q, %v", s.EnvFile(), err)
	}
	s = s.WithEnvFile([]string{"A=file", "B=sesame-file"})
	if got := environment(nil, s.hidden().env); !slices.Equal(got, []string{"A=file", "B=sesame-file", "A=own"}) || variable(got, "A") != "own" {
		t.Errorf("%v", got)
	}
	if !slices.Contains(s.hidden().secrets, "sesame-file") || strings.Contains(fmt.Sprintf("%v %+v %#v", s, s, s), "sesame") {
		t.Error("shows a secret")
	}
}

func TestRepeatedServers(t *testing.T) {
	for name, text := range map[string]string{
		"x.json": `{"mcpServers":{"a":{"command":"x"},"b":{"command":"x"},"a":{"command":"y"},"a":{"command":"z"}}}`,
		"x.yaml": "mcp_servers:\n a: {command: x}\n b: {command: y}\n a: {command: z}\n",
	} {
		if c, err := ParseClientConfig(name, []byte(text)); err != nil || !slices.Equal(c.Repeated, []string{"a"}) || len(c.Servers) != 2 || c.Servers[0].Command != "z" {
			t.Errorf("%s: %v, %v", name, c.Repeated, err)
		}
	}
}

const everySecret = `{"mcpServers":{"a":{"command":"x","args":["${ARG}"],"env":{"K":"sesame-env","L":"${V}"}},
 "b":{"url":"https://u:sesame-pass@h/${PART}?k=sesame-query","headers":{"Authorization":"Bearer sesame-head"}}}}`

// badVerbs are formats that do not fit, with which fmt shows what it can. They
// are in a variable so that vet lets them through.
var badVerbs = strings.Join([]string{"%[1]d", "%[1]x", "%[1]t", "%[1]p", "%[1]U", "%[1]e"}, " ")

func TestSecretsAreNeverShown(t *testing.T) {
	c := parsed(t, "x.json", []byte(everySecret))
	for i, s := range c.Servers {
		expanded, err := s.Expand(func(string) (string, bool) { return "sesame-expanded", true })
		require.NoError(t, err)
		c.Servers[i] = expanded
	}
	if got := c.Servers[0].hidden().args[0]; got != "sesame-expanded" {
		t.Errorf("argument is %s", got)
	}
	data, err := json.Marshal(c)
	require.NoError(t, err)
	holder := struct{ inner Server }{c.Servers[1]}
	for _, text := range []string{string(data), fmt.Sprint(c), fmt.Sprintf("%+v %#v %s %q", c, c, c, c), fmt.Sprintf("%+v %#v", c.Servers, c.Servers),
		fmt.Sprintf("%v %+v %#v", holder, holder, holder), fmt.Sprintf(badVerbs, c), fmt.Sprintf(badVerbs, holder), fmt.Sprintf("%v %+v", &c, &c.Servers[0])} {
		if strings.Contains(text, "sesame") || strings.Contains(text, fmt.Sprintf("%x", "sesame")) {
			t.Errorf("shows a secret: %s", text)
		}
	}
	for _, want := range []string{"sesame-env", "sesame-expanded", "sesame-pass", "sesame-query", "sesame-head"} {
		if !slices.Contains(slices.Concat(c.Servers[0].hidden().secrets, c.Servers[1].hidden().secrets), want) {
			t.Errorf("%s would not be withheld", want)
		}
	}
}

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) {
		v, ok := map[string]string{"A": "1", "EMPTY": "", "input:token": "typed", "workspaceFolder": "/w"}[name]
		return v, ok
	}
	for _, c := range []struct{ client, text, want string }{
		{"x.json", "${A}-${env:A}-${B:-two}-${A:-x}-${EMPTY:-y}", "1-1-two-1-"},
		{"x.json", "$A ${} ${1} ${A ${.} $${A}${/}", "$A ${} ${1} ${A ${.} $1" + string(filepath.Separator)},
		{"x.json", "${input:token} ${workspaceFolder}/.env", "typed /w/.env"},
		{"x.json", "${B:-https://x:1/}", "https://x:1/"},
		{"claude_desktop_config.json", "${A}", "${A}"},
		{"x.json", "${A", "${A"},
	} {
		quoted, _ := json.Marshal(c.text)
		config := parsed(t, c.client, fmt.Appendf(nil, `{"mcpServers":{"a":{"command":"c","args":[%s],"env":{"E":%s}}}}`, quoted, quoted))
		s, err := config.Servers[0].Expand(lookup)
		if err != nil || s.hidden().args[0] != c.want || s.hidden().env[0].value != c.want || s.Args[0] != c.text {
			t.Errorf("%s: %q, %v, want %q", c.text, s.hidden().args, err, c.want)
		}
		if h := config.Servers[0].hidden(); h.args[0] != c.text || h.env[0].value != c.text {
			t.Errorf("%s: expanding changed what was read: %q", c.text, h.args)
		}
	}
	for data, want := range map[string]string{
		`{"mcpServers":{"a":{"command":"c","env":{"E":"${NO_SUCH}"}}}}`:               `server "a": env E: variable NO_SUCH is not set`,
		`{"mcpServers":{"a":{"command":"c","args":["x","${NO}"]}}}`:                   `args[1]: variable NO is not set`,
		`{"servers":{"a":{"url":"u","headers":{"X":"${input:missing}"}}}}`:            `header X: variable input:missing is asked of the user by the client`,
		`{"context_servers":{"a":{"url":"u","bearer_token_env_var":"TOKEN_OF_ZED"}}}`: `variable TOKEN_OF_ZED is not set`,
	} {
		config := parsed(t, "x.json", []byte(data))
		if _, err := config.Servers[0].Expand(lookup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v", data, err)
		}
	}
}

func TestAllows(t *testing.T) {
	s := Server{Include: []string{"list_*", "get", "x[!a]"}, Exclude: []string{"list_secret?"}}
	for tool, want := range map[string]bool{"list_a": true, "list_a/b": true, "xa": false, "xb": true, "get": true, "got": false, "list_secrets": false, "list_secret": true} {
		if s.Allows(tool) != want {
			t.Errorf("%s: %v", tool, !want)
		}
	}
	if !(Server{}).Allows("x") || (Server{Include: []string{}}).Allows("x") || !(Server{Include: []string{"[x"}}).Allows("[x") {
		t.Error("an absent list allows all, an empty one nothing, and a broken pattern is a name")
	}
	broken := Server{Include: []string{"[x", "a*"}, Exclude: []string{"{a", "b"}}
	if (Server{Include: []string{"[x"}}).Allows("x") || (Server{Exclude: []string{"[x"}}).Allows("x") || broken.Allows("a") {
		t.Error("a broken pattern lets tools through")
	}
	want := []string{`its include "[x": [ without its ]; it lets nothing else through`, `its exclude "{a": { without its }; it keeps back every tool`}
	if got := broken.EntryFaults(); !slices.Equal(got, want) {
		t.Errorf("faults are %q", got)
	}
	if (Server{Include: []string{"{a,b}"}}).Allows("c") || !(Server{Include: []string{"{a,b}"}}).Allows("b") {
		t.Error("alternatives are not heeded")
	}
}

func FuzzParseClientConfig(f *testing.F) {
	f.Add("x.json", []byte(everySecret))
	f.Add("x.jsonc", []byte("{ // c\n \"servers\": {\"a\": {\"command\": \"x\", /* d */ \"args\": [1, true,],},},}"))
	f.Add("x.toml", []byte("[mcp_servers.a]\ncommand='x'\nenv={K='sesame'}\n[[mcp_servers.b]]\n"))
	f.Add("x.yaml", []byte("mcp_servers:\n  a: {command: x, env: {K: sesame}}\n  b: *x\n"))
	f.Add("-", []byte("{"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		c, err := ParseClientConfig(name, data)
		again, err2 := ParseClientConfig(name, data)
		if fmt.Sprint(err) != fmt.Sprint(err2) || len(c.Servers) != len(again.Servers) {
			t.Fatal("two readings differ")
		}
		for i, s := range c.Servers {
			if describe(s) != describe(again.Servers[i]) {
				t.Fatal("two readings differ")
			}
			if s.Problem == "" && s.hidden().command == "" && s.hidden().url == "" {
				t.Fatal("a server that nothing reaches")
			}
			if x, err := s.Expand(func(string) (string, bool) { return "", false }); err == nil && !x.hidden().expanded {
				t.Fatal("not expanded")
			}
		}
	})
}

// A name fits one of the globs behind a prefix if and only if prefix and name fit the
// pattern.
func TestBehindIsThePatternWithoutItsPrefix(t *testing.T) {
	t.Parallel()
	matches := func(pattern, name string) bool {
		g, err := words.CompileGlob(pattern)
		return err == nil && g.Match(name)
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.SampledFrom([]rune("ab_*?é![{")), 0, 8, -1).Draw(t, "pattern")
		prefix := rapid.StringOfN(rapid.SampledFrom([]rune("ab_é[!")), 0, 5, -1).Draw(t, "prefix")
		name := rapid.StringOfN(rapid.SampledFrom([]rune("ab_é[!{")), 1, 5, -1).Draw(t, "name")
		want := matches(literalBut(pattern, "*?"), prefix+name)
		if got := slices.ContainsFunc(behind(pattern, prefix), func(p string) bool { return matches(p, name) }); got != want {
			t.Fatalf("behind(%q, %q) is %q: it takes %q: %v, want %v", pattern, prefix, behind(pattern, prefix), name, got, want)
		}
	})
}

// The last pattern of Exclude that a name fits decides, and only a rule of OpenCode takes
// a tool again.
func TestTheLastPatternDecides(t *testing.T) {
	t.Parallel()
	s := Server{Exclude: []string{"*", "!read*", "read_all"}}
	for name, want := range map[string]bool{"rm": false, "read": true, "read_all": false, "!read": false} {
		if s.Allows(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
	c, err := ParseClientConfig("x.json", []byte(`{"mcpServers":{"a":{"command":"x","disabledTools":["*","!read"]}}}`))
	if err != nil || c.Servers[0].Allows("read") || len(c.Servers[0].EntryFaults()) != 0 {
		t.Errorf("a list of names takes a tool again: %v %q", err, c.Servers[0].Exclude)
	}
}

// TestDeclares: servers are told of a capability with the part that is declared, and of
// extensions by their names, which the listing has.
func TestDeclares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o           Options
		want, names string
	}{
		{Options{}, `{"roots":{}}`, `null`},
		{Options{Offers: []string{Elicitation}}, `{"roots":{},"elicitation":{"form":{}}}`, `["elicitation"]`},
		{Options{Declares: []string{"sampling.tools", "elicitation.url"}}, `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`, `["elicitation.url","sampling.tools"]`},
		{Options{Offers: []string{Sampling}, Declares: []string{"sampling.context"}}, `{"roots":{},"sampling":{"context":{}}}`, `["sampling","sampling.context"]`},
		{Options{Declares: []string{"io.modelcontextprotocol/ui", "roots/x"}}, `{"extensions":{"io.modelcontextprotocol/ui":{},"roots/x":{}},"roots":{}}`, `["io.modelcontextprotocol/ui","roots/x"]`},
	} {
		got, _ := json.Marshal(capabilities(c.o))
		names, _ := json.Marshal(declared(c.o))
		if string(got) != c.want || string(names) != c.names {
			t.Errorf("%+v: %s and %s, want %s and %s", c.o, got, names, c.want, c.names)
		}
	}
	if r := capabilities(Options{Declares: []string{"roots.listChanged"}}).RootsV2; r == nil || !r.ListChanged {
		t.Errorf("roots are %+v", r)
	}
	for name, want := range map[string]bool{"a/b": true, "io.modelcontextprotocol/ui": true, "a": false, "/b": false, "a/": false, `a/"b`: false} {
		if IsExtension(name) != want {
			t.Errorf("%s is an extension: %v", name, !want)
		}
	}
}

// Two entries are one server only when everything that a start depends on is the same, the
// values that are never shown too.
func TestSameAs(t *testing.T) {
	t.Parallel()
	entry := func(name, text string) Server {
		t.Helper()
		c, err := ParseClientConfig(name, []byte(text))
		if err != nil || len(c.Servers) != 1 {
			t.Fatal(err, c.Servers)
		}
		return c.Servers[0]
	}
	claude := entry(".claude.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"2"}}}}`)
	for name, tt := range map[string]struct {
		file, text string
		same       bool
	}{
		"another client, another order": {".codex/config.toml", "[mcp_servers.a]\ncommand = \"run\"\nargs = [\"--token\", \"x\"]\nenv = {L = \"2\", K = \"1\"}\n", true},
		"another name":                  {"mcp.json", `{"mcpServers":{"b":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"2"}}}}`, false},
		"another argument":              {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","y"],"env":{"K":"1","L":"2"}}}}`, false},
		"another value":                 {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1","L":"3"}}}}`, false},
		"one variable less":             {"mcp.json", `{"mcpServers":{"a":{"command":"run","args":["--token","x"],"env":{"K":"1"}}}}`, false},
		"an address":                    {"mcp.json", `{"mcpServers":{"a":{"url":"https://a.example"}}}`, false},
	} {
		if o := entry(tt.file, tt.text); claude.SameAs(o) != tt.same || o.SameAs(claude) != tt.same {
			t.Errorf("%s: same %v", name, !tt.same)
		}
	}
	for _, text := range []string{`{"mcpServers":{"a":{"command":"run","env":{"K":"${K}"}}}}`, `{"mcpServers":{"a":{}}}`} {
		if s := entry("mcp.json", text); s.SameAs(s) {
			t.Errorf("%s is the same as another", text)
		}
	}
}
