package live

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

// TestSubagent: what the lists of a subagent give it, as measured on Claude Code 2.1.332.
func TestSubagent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ head, tool, want string }{
		{"name: mate", "mcp__port__sink", ""}, {"name: mate\ntools: \"*\"", "mcp__port__sink", ""},
		{"name: mate\ntools: Read, mcp__port", "mcp__port__sink", ""}, {"name: mate\ntools: [mcp__port__*]", "mcp__port__sink", ""}, {"name: mate\ntools:\n- mcp__port__sink", "mcp__port__sink", ""},
		{"name: mate\ntools: mcp__port__s*", "mcp__port__sink", "tools"}, {"name: mate\ntools: mcp__*", "mcp__port__sink", "tools"}, {"name: mate\ntools: Read", "ToolSearch", "tools"},
		{"name: mate\ndisallowedTools: mcp__port", "mcp__port__sink", "disallowedTools"}, {"name: mate\ndisallowedTools: mcp__port__s*", "mcp__port__sink", ""},
		{"name: mate\ntools: mcp__port\ndisallowedTools: mcp__port__sink", "mcp__port__sink", "disallowedTools"}, {"name: mate\ntools: mcp__port\ndisallowedTools: mcp__port__sink", "mcp__port__list", ""},
	} {
		file := "---\n" + c.head + "\n---\nYou are a mate.\n"
		for _, text := range []string{file, "\ufeff" + strings.ReplaceAll(file, "\n", "\r\n")} {
			by, ok := readSubagent("m.md", []byte(text)).Takes(c.tool)
			if ok != (c.want == "") || !ok && (by.Key != c.want || by.File != "m.md") {
				t.Errorf("%q, %s: %v of %s, want %q", text, c.tool, ok, by.Key, c.want)
			}
		}
	}
	for _, text := range []string{"", "name: mate\n", "---\nname: [\n---\n", "---\nname: mate\n"} {
		if s := readSubagent("m.md", []byte(text)); s.Name != "" {
			t.Errorf("%q is %s", text, s.Name)
		}
	}
}

// TestSubagents: of one name the working folder's counts before the user's, and files of another
// kind, or without a name, are none.
func TestSubagents(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{
		"work/.claude/agents/b.md":  "---\nname: mate\ntools: Read\n---\n",
		"work/.claude/agents/c.txt": "---\nname: text\n---\n",
		"work/.claude/agents/d.md":  "---\ntools: Read\n---\n",
		"claude/agents/a.md":        "---\nname: mate\n---\n",
		"claude/agents/e.md":        "---\nname: cook\n---\n",
		"home/.claude/agents/f.md":  "---\nname: cook\n---\n",
		"home/.codex/x.config.toml": "",
		"home/.codex/config.toml":   "",
		"codex/y.config.toml":       "",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), []byte(text), 0o600))
	}
	at := func(path string) string { return filepath.Join(root, path) }
	for _, c := range []struct {
		name   string
		places ClientPlaces
		want   []string
	}{
		{"all", ClientPlaces{Work: at("work"), Claude: at("claude"), Home: at("home")}, []string{"mate work/.claude/agents/b.md", "cook claude/agents/e.md"}},
		{"no folder of its own", ClientPlaces{Work: at("none"), Home: at("home")}, []string{"cook home/.claude/agents/f.md"}},
	} {
		var got []string
		for _, s := range c.places.Subagents() {
			path, _ := filepath.Rel(root, s.File)
			got = append(got, s.Name+" "+filepath.ToSlash(path))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for codex, want := range map[string]string{"": "home/.codex/x.config.toml", at("codex"): "codex/y.config.toml"} {
		if got := (ClientPlaces{Home: at("home"), Codex: codex}).CodexProfiles(); !slices.Equal(got, []string{at(want)}) {
			t.Errorf("profiles in %q: %q", codex, got)
		}
	}
}

// TestThrough: the list of a setting with which a tool is let through, where that does alone.
func TestThrough(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, head, key string
		want            []string
	}{
		{"named as well", "tools: [Read]", "tools", []string{"Read", "mcp__port__sink"}},
		{"no more refused", "disallowedTools: [Bash, mcp__port__sink]", "disallowedTools", []string{"Bash"}},
		{"refused by its server too", "disallowedTools: [mcp__port, mcp__port__sink]", "disallowedTools", nil},
		{"named, and refused", "tools: [Read]\ndisallowedTools: [mcp__port__sink]", "tools", nil},
		{"no more refused, and not named", "tools: [Read]\ndisallowedTools: [mcp__port__sink]", "disallowedTools", nil},
	} {
		s := readSubagent("m.md", []byte("---\nname: mate\n"+c.head+"\n---\n"))
		if got := s.Through("mcp__port__sink", Setting{Key: c.key}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	one, two := Setting{Key: "one"}, Setting{Key: "two"}
	for _, c := range []struct {
		name string
		s    Server
		by   Setting
		want []string
	}{
		{"included as well", Server{Include: []string{"list"}, includedBy: "one"}, one, []string{"list", "sink"}},
		{"included, and excluded", Server{Include: []string{"list"}, includedBy: "one", Exclude: []string{"sink"}}, one, nil},
		{"no more excluded", Server{Exclude: []string{"list", "sink"}, excludedBy: []Setting{one, one}}, one, []string{"list"}},
		{"another list is not this one's", Server{Exclude: []string{"list", "sink"}, excludedBy: []Setting{two, one}}, one, []string{}},
		{"excluded by another list too", Server{Exclude: []string{"sink", "sink"}, excludedBy: []Setting{two, one}}, one, nil},
		{"excluded, and not included", Server{Include: []string{"list"}, includedBy: "one", Exclude: []string{"sink"}, excludedBy: []Setting{two}}, two, nil},
		{"patterns", Server{Exclude: []string{"l*", "sink"}, excludedBy: []Setting{one, one}}, one, nil},
		{"nobody's list", Server{Exclude: []string{"list", "sink"}}, one, []string{"list"}},
	} {
		if got := c.s.Through("sink", c.by); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestServerEntries: what is said of an entry, where its settings stand, and names that files repeat.
func TestServerEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    Server
		want []string
	}{
		{Server{}, nil},
		{Server{Unread: []string{"a"}}, []string{"a of its configuration is not used here"}},
		{Server{Unread: []string{"a", "b"}, Foreign: []string{"c"}}, []string{"a, b of its configuration are not used here", "c of its configuration is of other clients: its client does not read that, so that it is not used"}},
		{Server{Foreign: []string{"c", "d"}, client: "cursor"}, []string{"c, d of its configuration are of other clients: cursor does not read that, so that it is not used"}},
	} {
		if got := c.s.EntryFaults(); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	s := Server{At: "mcp.a", path: []string{"mcp", "a"}}
	for key, want := range map[string][]string{"mcp.a.enabled": {"mcp", "a", "enabled"}, "mcp.a.tools.x": {"mcp", "a", "tools", "x"}, "mcp.ab": nil, "mcp.a": nil} {
		if got := s.Within(key); !slices.Equal(got, want) {
			t.Errorf("%s: %q", key, got)
		}
	}
	if got := (&Server{At: "a"}).Within("a.b"); got != nil || len(s.path) != 2 {
		t.Errorf("of an entry without a path: %q", got)
	}
	files := []ClientFile{{Path: "x"}, {Path: "y"}}
	files[0].Servers = []Server{{Name: "a"}, {Name: "a"}, {Name: "a-3"}, {Name: "b"}}
	files[1].Servers = []Server{{Name: "a"}, {Name: "c"}, {Name: "b"}}
	var told, names []string
	RenameRepeated(files, func(line string) { told = append(told, line) })
	for _, f := range files {
		for _, s := range f.Servers {
			names = append(names, s.Name)
		}
	}
	if got := strings.Join(names, " "); got != "a a-2 a-3 b a-4 c b-2" {
		t.Errorf("renamed to %s", got)
	}
	if len(told) != 3 || told[0] != "server a of x is called a-2 here: x has one of this name too" || told[2] != "server b of y is called b-2 here: x has one of this name too" {
		t.Errorf("%q", told)
	}
}

// A list in one line of the head is written, and all other bytes stay; another list is refused.
func TestWriteSubagent(t *testing.T) {
	for name, tt := range map[string]struct{ data, key, items, want string }{
		"added":                 {"---\nname: a\ntools: Read\n---\ntools: no\n", "tools", "Read mcp__p__t", "---\nname: a\ntools: Read, mcp__p__t\n---\ntools: no\n"},
		"a star":                {"---\nname: a\ntools: Read, mcp__p__*\n---\n", "tools", "Read x", "---\nname: a\ntools: Read, x\n---\n"},
		"emptied":               {"---\nname: a\ndisallowedTools: x\ncolor: red\n---\n", "disallowedTools", "", "---\nname: a\ndisallowedTools:\ncolor: red\n---\n"},
		"lines of Windows":      {"\ufeff---\r\nname: a\r\ntools: Read\r\n---\r\n", "tools", "Read x", "\ufeff---\r\nname: a\r\ntools: Read, x\r\n---\r\n"},
		"a list in brackets":    {"---\nname: a\ntools: [Read]\n---\n", "tools", "Read x", ""},
		"a list of lines":       {"---\nname: a\ntools:\n  - Read\n---\n", "tools", "Read x", ""},
		"a comment":             {"---\nname: a\ntools: Read # all\n---\n", "tools", "Read x", ""},
		"no line of the head":   {"---\nname: a\n---\ntools: Read\n", "tools", "x", ""},
		"no head":               {"tools: Read\n", "tools", "x", ""},
		"an item that is a key": {"---\nname: a\ntools: Read\n---\n", "tools", "x:y", ""},
	} {
		got, err := WriteSubagent("a.md", []byte(tt.data), tt.key, strings.Fields(tt.items))
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
