package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

func TestParseEnvFile(t *testing.T) {
	t.Parallel()
	const text = "\uFEFF# a comment\r\nA=1\r\n\nexport B = two words # why\nC='single # $x' rest\nD=\"a\\nb \\\"q\\\" \\\\n\" # e\nE=\nF=a#b\nG=#\nH=\"open\nI.j-k==x"
	got, err := ParseEnvFile("x.env", []byte(text))
	want := []string{"A=1", "B=two words", "C=single # $x", "D=a\nb \"q\" \\n", "E=", "F=a#b", "G=", "H=\"open", "I.j-k==x"}
	if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for _, text := range []string{"A=1\nsesame", "A=1\n=sesame", "A=1\nb c=sesame"} {
		if got, err := ParseEnvFile("x.env", []byte(text)); err == nil || err.Error() != "x.env:2: want NAME=value" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestPassedOn: a started server gets what running it takes, and no key of the user's.
func TestPassedOn(t *testing.T) {
	t.Parallel()
	variables := map[string]string{"PATH": "/bin", "HOME": "", "OPENAI_API_KEY": "sesame", "AWS_SECRET_ACCESS_KEY": "sesame", "GITHUB_TOKEN": "sesame", "https_proxy": "p"}
	lookup := func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
	if got := strings.Join(Inherited(lookup), " "); got != "PATH=/bin HOME= https_proxy=p" {
		t.Errorf("%q", got)
	}
}

// TestExpandIn: variables of editors stand for the folder that they have open, and what a
// client would ask its user for is a variable of the environment.
func TestExpandIn(t *testing.T) {
	t.Parallel()
	variables := map[string]string{"HOME": "/h", "A": "1", "CALIPER_INPUT_API_KEY_2": "typed", "workspaceFolder": ""}
	for _, c := range []struct{ file, text, want, err string }{
		{"/w/app/.vscode/mcp.json", "${A} ${userHome} ${workspaceFolderBasename}", "1 /h app", ""},
		{"/w/app/.cursor/mcp.json", "${workspaceFolderBasename}", "app", ""},
		{"/w/app/mcp.json", "${workspaceFolderBasename}", "app", ""},
		{"/w/app/mcp.json", "${input:api-key.2}", "typed", ""},
		{"/w/app/mcp.json", "${input:other}", "", "; set CALIPER_INPUT_OTHER"},
		{"/w/app/mcp.json", "${NONE}", "", "variable NONE is not set"},
	} {
		config := parsed(t, "x.json", []byte(`{"mcpServers":{"a":{"command":"c","args":["`+c.text+`"]}}}`))
		lookup := func(name string) (string, bool) { v, ok := variables[name]; return v, ok && v != "" }
		s, err := config.Servers[0].ExpandIn(c.file, lookup)
		if c.err != "" {
			if err == nil || !strings.HasSuffix(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || s.hidden().args[0] != c.want {
			t.Errorf("%s in %s: %v, want %s", c.text, c.file, err, c.want)
		}
	}
	config := parsed(t, "x.json", []byte(`{"mcpServers":{"a":{"command":"c","args":["${userHome}"]}}}`))
	s, err := config.Servers[0].ExpandIn("/w/mcp.json", func(name string) (string, bool) { return "/profile", name == "USERPROFILE" })
	if err != nil || s.hidden().args[0] != "/profile" {
		t.Errorf("without HOME: %v", err)
	}
}

// TestCommandName: a server without a name is called what is run, not what runs it.
func TestCommandName(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"/usr/bin/mcp-server-git": "git", "npx -y @modelcontextprotocol/server-memory@1.2": "memory", "uvx mcp-server-time": "time", "uv run server.py": "server",
		"python3 -u ./tools/harbour.py": "harbour", "node dist/index.mjs": "index", "env A=1 tide": "tide", `C:\bin\node.exe C:\x\tide.js`: "tide", "npx": "npx", "npx -y": "npx",
		"docker run -i image": "docker", "@x": "server", "server-": "server", "tide.exe": "tide",
	} {
		if got := CommandName(strings.Fields(command)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestShownArgs(t *testing.T) {
	for _, c := range []struct{ args, want, secrets string }{
		{"-y|@x/y@latest|/home/me", "-y|@x/y@latest|/home/me", ""},
		{"mcp-remote|https://u:sesame1@h/p?k=sesame2&x=1|--header|Authorization: Bearer sesame3", "mcp-remote|https://h/p?k=…&x=…|--header|Authorization: …", "sesame1|sesame2|sesame3"},
		{"run|-i|--rm|-e|TOKEN|-e|OTHER=sesame|image", "run|-i|--rm|-e|TOKEN|-e|OTHER=…|image", "sesame"},
		{"--env=KEY=sesame|--api-key=sesame-2|--api-key|sesame-3|-H|X-Key:sesame-4", "--env=KEY=…|--api-key=…|--api-key|…|-H|X-Key:…", "sesame|sesame-2|sesame-3|sesame-4"},
		{"TOKEN=sesame|server|--access-token|--verbose", "TOKEN=…|server|--access-token|--verbose", "sesame"},
		{"ghp_sesame|--key|${KEY}|--header|A:${KEY}|--token|${KEY:-sesame2}", "…|--key|${KEY}|--header|A:${KEY}|--token|…", "ghp_sesame|${KEY:-sesame2}"},
		{"--proxy=http://u:sesame@h:1/x|proxy=http://sesame@h|a://u:sesame3@b,c://u:sesame4@d", "--proxy=http://h:1/x|proxy=http://h|a://b,c://d", "sesame|sesame3|sesame4|u:sesame"},
		{"--mode=fast|path=/x|a.b:c", "--mode=fast|path=/x|a.b:c", ""},
	} {
		shown, secrets := shownArgs(strings.Split(c.args, "|"))
		if got := strings.Join(shown, "|"); got != c.want || c.secrets == "" && secrets != nil {
			t.Errorf("%s: shown are %s, withheld are %q", c.args, got, secrets)
		}
		for s := range strings.SplitSeq(c.secrets, "|") {
			if s != "" && !slices.Contains(secrets, s) {
				t.Errorf("%s: %s would not be withheld", c.args, s)
			}
		}
		if c.secrets != "" && !slices.Contains(Stdio("x", "c", strings.Split(c.args, "|")...).hidden().secrets, strings.Split(c.secrets, "|")[0]) {
			t.Errorf("%s: a server's messages would show a secret", c.args)
		}
		s := Stdio("x", "c", strings.Split(c.args, "|")...).WithEnv("E", "sesame-env")
		if text := fmt.Sprintf("%v %+v %#v", s, s, s); strings.Contains(text, "sesame") || !slices.Equal(s.Env, []string{"E"}) {
			t.Errorf("%s: shows %s", c.args, text)
		}
	}
}

// TestUnset: what a server gets where its client starts it without a variable, which is named, as
// measured with these versions.
func TestUnset(t *testing.T) {
	const usual, foreign = `["${NO}","x${NO:-else}","$YES","${YES}","$5"],"env":{"E":"a${NO}b"}`, `["${env:YES}","${env:NO:-else}","${YES:-else}"],"env":{"E":"a${a.b}"}`
	for _, c := range []struct{ client, file, args, want, unset string }{
		{"Claude Code 2.1.332", ".mcp.json", usual, `["${NO}" "xelse" "$YES" "set" "$5"] "a${NO}b"`, "NO"},
		{"Copilot CLI 1.0.102", "/h/.copilot/mcp-config.json", usual, `["${NO}" "xelse" "set" "set" "$5"] "a${NO}b"`, "NO"},
		{"Gemini CLI 0.61.0", "/h/.gemini/settings.json", usual, `["${NO}" "xelse" "set" "set" "$5"] "ab"`, "NO"},
		{"Qwen Code 0.24.4", "/h/.qwen/settings.json", usual, `["${NO}" "x${NO:-else}" "set" "set" "$5"] "a${NO}b"`, "NO NO:-…"},
		{"Copilot CLI 1.0.102, references of others", "/h/.copilot/mcp-config.json", foreign, `["${env:YES}" "${env:NO:-else}" "set"] "a${a.b}"`, "env:YES env:NO a.b"},
		{"Gemini CLI 0.61.0, references of others", "/h/.gemini/settings.json", foreign, `["${env:YES}" "else" "set"] "a"`, "env:YES a.b"},
		{"Qwen Code 0.24.4, references of others", "/h/.qwen/settings.json", foreign, `["${env:YES}" "${env:NO:-else}" "${YES:-else}"] "a${a.b}"`, "env:YES env:NO:-… YES:-… a.b"},
	} {
		config := parsed(t, c.file, []byte(`{"mcpServers":{"a":{"command":"c","args":`+c.args+`}}}`))
		s, err := config.Servers[0].Expand(func(name string) (string, bool) { return "set", name == "YES" })
		require.NoError(t, err)
		if got := fmt.Sprintf("%q %q", s.hidden().args, s.hidden().env[0].value); got != c.want || strings.Join(s.Unset, " ") != c.unset {
			t.Errorf("%s: %s, unset %q; want %s", c.client, got, s.Unset, c.want)
		}
		if len(config.Servers[0].Unset) > 0 {
			t.Errorf("%s: expanding changed what was read", c.client)
		}
	}
}

// TestPassedOnByName: Codex passes variables on that an entry names alone or in a table, as
// far as they are set; another machine's and a helper for headers are named.
func TestPassedOnByName(t *testing.T) {
	c, err := ParseClientConfig("config.toml", []byte(`[mcp_servers.a]
command = "c"
env_vars = ["A", {name = "B"}, {name = "C", source = "local"}, "NO", {name = "D", source = "remote"}]
[mcp_servers.b]
url = "http://h/mcp"
http_headers_helper = "helper"
`))
	require.NoError(t, err)
	a := c.Servers[0]
	if !slices.Equal(a.Env, []string{"A", "B", "C", "NO"}) || !slices.Equal(a.Unread, []string{"env_vars.D"}) || !slices.Equal(c.Servers[1].Unread, []string{"http_headers_helper"}) {
		t.Errorf("%q, unread %q and %q", a.Env, a.Unread, c.Servers[1].Unread)
	}
	s, err := a.Expand(func(name string) (string, bool) { return strings.ToLower(name), len(name) == 1 })
	require.NoError(t, err)
	if got := environment(nil, s.hidden().env); !slices.Equal(got, []string{"A=a", "B=b", "C=c"}) {
		t.Errorf("it is started with %q", got)
	}
}
