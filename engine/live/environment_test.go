package live

import (
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

func FuzzParseEnvFile(f *testing.F) {
	f.Add([]byte("A='x'\nB=\"\\\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseEnvFile("x", data)
		if err != nil && strings.Contains(err.Error(), string(data)) && len(data) > 20 {
			t.Error("repeats the file")
		}
		for _, v := range list {
			if name, _, ok := strings.Cut(v, "="); !ok || !envName().MatchString(name) {
				t.Errorf("%q", v)
			}
		}
	})
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
		config, err := ParseClientConfig("x.json", []byte(`{"mcpServers":{"a":{"command":"c","args":["`+c.text+`"]}}}`))
		require.NoError(t, err)
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
	config, err := ParseClientConfig("x.json", []byte(`{"mcpServers":{"a":{"command":"c","args":["${userHome}"]}}}`))
	require.NoError(t, err)
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
