package reach

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/engine/live"
	"caliper/model/require"
)

// TestPosture: what switches the search of an agent, as measured on Claude Code 2.1.332 and
// Codex 0.171.0, with the line that says so.
func TestPosture(t *testing.T) {
	t.Parallel()
	env := func(name, value string) string { return fmt.Sprintf("{\n \"env\": {%q: %q}}", name, value) }
	one := func(entry string) string { return "{\"mcpServers\":\n {\"one\": {" + entry + "}}}" }
	const piUser, piWork, piTools, piOver = ".pi/agent/mcp.json", "work/.pi/mcp.json", ".pi/agent/settings.json", "work/.pi/settings.json"
	const search, project, local, user = "ENABLE_TOOL_SEARCH", "work/.claude/settings.json", "work/.claude/settings.local.json", ".claude/settings.json"
	for name, c := range map[string]struct {
		client string
		files  map[string]string
		env    string // of the environment
		want   string
	}{
		"nothing says so":             {client: "claude-code", want: "on   0"},
		"false":                       {client: "claude-code", files: map[string]string{project: env(search, "False")}, want: "off env.ENABLE_TOOL_SEARCH settings.json 2"},
		"a share":                     {client: "claude-code", files: map[string]string{user: env(search, "auto:5")}, want: "by_size env.ENABLE_TOOL_SEARCH settings.json 2"},
		"auto":                        {client: "claude-code", env: "auto", want: "by_size ENABLE_TOOL_SEARCH the environment 0"},
		"no share":                    {client: "claude-code", env: "auto:0", want: "on ENABLE_TOOL_SEARCH the environment 0"},
		"the whole":                   {client: "claude-code", env: "auto:100", want: "off ENABLE_TOOL_SEARCH the environment 0"},
		"another word":                {client: "claude-code", env: "maybe", want: "on ENABLE_TOOL_SEARCH the environment 0"},
		"settings before environment": {client: "claude-code", files: map[string]string{user: env(search, "true")}, env: "false", want: "on env.ENABLE_TOOL_SEARCH settings.json 2"},
		"the project before the user": {client: "claude-code", files: map[string]string{user: env(search, "false"), project: env(search, "true")}, want: "on env.ENABLE_TOOL_SEARCH settings.json 2"},
		"local before the project":    {client: "claude-code", files: map[string]string{local: env(search, "false"), project: env(search, "true")}, want: "off env.ENABLE_TOOL_SEARCH settings.local.json 2"},
		"no experiments":              {client: "claude-code", files: map[string]string{project: env("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1")}, want: "off env.CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS settings.json 2"},
		"the search is denied":        {client: "claude-code", files: map[string]string{local: `{"permissions": {"deny": ["ToolSearch"]}}`}, want: "off permissions.deny settings.local.json 1"},
		"a model before 4":            {client: "claude-code", files: map[string]string{user: `{"model": "claude-3-5-haiku-20241022"}`}, want: "off model settings.json 1"},
		"a file that is not read":     {client: "claude-code", files: map[string]string{user: `{"env"`}, want: "on   0"},
		"a model with a search":       {client: "codex", files: map[string]string{"config.toml": "model = \"gpt-5.5\"\n[features]\ntool_search = false\n"}, want: "on model config.toml 1"},
		"a model of programs":         {client: "codex", files: map[string]string{"config.toml": "model = \"gpt-6-sol\"\n"}, want: "in_code model config.toml 1"},
		"a model without one":         {client: "codex", files: map[string]string{"config.toml": "\nmodel = \"qwen\"\n"}, want: "off model config.toml 2"},
		"no model":                    {client: "codex", files: map[string]string{"config.toml": "x = 1\n"}, want: "   0"},
		"pi, nothing said":            {client: "pi", want: "in_code   0"},
		"a deferred server":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`)}, want: "on mcpServers.one.exposure mcp.json 2"},
		"a deferred tool":             {client: "pi", files: map[string]string{piWork: one(`"url": "x", "toolExposure": {"a_*": "deferred"}`)}, want: "on mcpServers.one.toolExposure mcp.json 2"},
		"deferred, and off":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred", "enabled": false`)}, want: "in_code   0"},
		"off in the folder":           {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`), piWork: one(`"enabled": false`)}, want: "in_code   0"},
		"deferred in the folder":      {client: "pi", files: map[string]string{piUser: one(`"command": "x"`), piWork: one(`"exposure": "deferred"`)}, want: "on mcpServers.one.exposure mcp.json 2"},
		"replaced in the folder":      {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "deferred"`), piWork: one(`"command": "y"`)}, want: "in_code   0"},
		"every server is sent":        {client: "pi", files: map[string]string{piUser: one(`"command": "x", "exposure": "direct"`)}, want: "off mcpServers.one.exposure mcp.json 2"},
		"some tools are sent":         {client: "pi", files: map[string]string{piUser: one(`"command": "x", "toolExposure": {"a": "direct"}`)}, want: "in_code   0"},
		"a search that is chosen":     {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["+tool_search"]}`}, want: "on defaultTools settings.json 1"},
		"chosen, and taken":           {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["read", "tool_search"]}`, piOver: `{"defaultTools": ["-tool_search"]}`}, want: "in_code   0"},
		"chosen, and kept":            {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["read", "tool_search"]}`, piOver: "{\n\"defaultTools\": [\"+grep\"]}"}, want: "on defaultTools settings.json 1"},
		"chosen, and replaced":        {client: "pi", files: map[string]string{piTools: `{"defaultTools": ["+tool_search"]}`, piOver: `{"defaultTools": ["read"]}`}, want: "in_code   0"},
		"neither search nor programs": {client: "pi", files: map[string]string{piUser: `{"autoEnableCodemode": false}`}, want: " autoEnableCodemode mcp.json 1"},
		"programs by choice":          {client: "pi", files: map[string]string{piUser: `{"autoEnableCodemode": false}`, piTools: `{"defaultTools": ["+codemode"]}`}, want: "in_code   0"},
		"another client":              {client: "cursor", want: "   0"},
	} {
		home := t.TempDir()
		var files []live.ClientFile
		for path, text := range c.files {
			path = filepath.Join(home, filepath.FromSlash(path))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			files = append(files, live.ClientFile{Path: path})
		}
		lookup := func(name string) (string, bool) { return c.env, name == search && c.env != "" }
		p := PostureOf(live.ClientPlaces{Home: home, Work: filepath.Join(home, "work")}, c.client, files, lookup)
		file := p.By.File
		if strings.HasPrefix(file, home) {
			file = filepath.Base(file)
		}
		if got := fmt.Sprintf("%s %s %s %d", p.Search, p.By.Key, file, p.By.Line); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
