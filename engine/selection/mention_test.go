package selection

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// named are tools whose names are apt to be confused.
var named = []string{
	tool("read_file", "", "shell"),
	tool("read_file_lines", "", "shell"),
	tool("terminal", "", "shell"),
	tool("create-issue", "", "plug"),
	tool("mcp_hub_create_issue", "", "mcp-hub"),
	tool("mcp_hub_close_issue", "", "mcp-hub"),
	tool("mcp_lab_close_issue", "", "mcp-lab"),
	tool("mcp_lab_search", "", "mcp-lab"),
	tool("twin", "", "mcp-a"),
	tool("twin", "", "mcp-b"),
	tool("翻译", "", "words"),
	tool("Überweisung", "", "bank"),
	tool("files.list", "", "drive"),
	tool("__", "", "odd"),
	tool(strings.Repeat("long_", 100)+"name", "", "odd"),
}

func TestMentions(t *testing.T) {
	m := newMentions(session(t, named).ByName())
	for _, c := range []struct{ message, want string }{
		{"", ""},
		{"use read_file", "read_file"},
		{"use `READ_FILE`.", "read_file"},
		{"read\nfile", "read_file"},
		{"read, file", ""},
		{"bread file", ""},
		{"read files", ""},
		{"read file lines", "read_file_lines"},
		{"read_file read_file_lines", "read_file read_file_lines"},
		{"read file-now", ""},
		{"do-read-file", ""},
		{"read_file_", "read_file"},
		{"_read_file", "read_file"},
		{"terminals", ""},
		{"create_issue", "create-issue"},
		{"mcp hub create issue", "mcp_hub_create_issue"},
		{"close_issue", "mcp_hub_close_issue mcp_lab_close_issue"},
		{"close issue", ""},
		{"search", ""},
		{"twin", "mcp-a/twin mcp-b/twin"},
		{"mcp-b/twin", "mcp-b/twin"},
		{"请用翻译工具", "翻译"},
		{"请用翻工具译", ""},
		{"an ÜBERWEISUNG", "Überweisung"},
		{"files.list", "files.list"},
		{"files list", ""},
		{"__", ""},
		{strings.Repeat("long ", 100) + "name", ""},
		{"\xff terminal \xff", "terminal"},
	} {
		if got := strings.Join(names(m.find(c.message)), " "); got != c.want {
			t.Errorf("%q names %q, want %q", c.message, got, c.want)
		}
	}
}

// TestMentionsFindEveryName checks that a name alone, however it is written,
// is found.
func TestMentionsFindEveryName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé0-9]{1,6}`), 1, 5).Draw(t, "words")
		m := newMentions(session(t, []string{tool(strings.Join(words, "_"), "", "s")}).ByName())
		text := words[0]
		for _, w := range words[1:] {
			text += rapid.SampledFrom([]string{"_", "-", " ", "  ", "_-"}).Draw(t, "separator") + w
		}
		if rapid.Bool().Draw(t, "upper") {
			text = strings.ToUpper(text)
		}
		if got := m.find("(" + text + ")"); len(got) != 1 {
			t.Fatalf("%q does not name %v", text, words)
		}
		if got := m.find("x" + text + "x"); len(got) != 0 {
			t.Fatalf("%q inside of other words is found", text)
		}
	})
}

func FuzzMentions(f *testing.F) {
	m := newMentions(session(f, named).ByName())
	f.Add("use read_file, 翻译 and mcp-b/twin_ -- x")
	f.Fuzz(func(t *testing.T, message string) {
		found := names(m.find(message))
		if again := names(m.find(message)); !slices.Equal(found, again) {
			t.Fatalf("%v and %v", found, again)
		}
		n := normalize(message)
		for i, w := range n.words {
			if w.start >= w.end || w.end > len(n.text) || i > 0 && w.start < n.words[i-1].end {
				t.Fatalf("words %v of %q", n.words, n.text)
			}
		}
	})
}

// A history and the lists of always-sent and left-out tools may name a tool of a server
// as either generation of the agent does.
func TestEitherNaming(t *testing.T) {
	for _, between := range []string{"_", "__"} {
		named := func(between, tool string) string { return "mcp" + between + "dock" + between + tool }
		var tools []string
		for _, tool := range []string{"open_berth", "list_ships", "sink"} {
			tools = append(tools, `{"type":"function","function":{"name":"`+named(between, tool)+`","description":"Ships."},"toolset":"mcp-dock","server":"dock","source":"mcp"}`)
		}
		registry, err := shapes.Parse(t.Context(), model.Source{Name: "r.json",
			Data: []byte(`{"toolsets":{"mcp-dock":{"source":"mcp","server":"dock"}},"tools":[` + strings.Join(tools, ",") + `]}`)})
		require.NoError(t, err)
		for _, written := range []string{"_", "__"} {
			s, err := engine.Build(t.Context(), engine.Inputs{Registry: registry, Config: config.Default()})
			require.NoError(t, err)
			c := newScope(s, Settings{Core: []string{named(written, "open_berth")}, Exclude: []string{named(written, "sink")}})
			if got := strings.Join(names(c.Always), " ") + "/" + strings.Join(names(c.Excluded), " "); got != named(between, "open_berth")+"/"+named(between, "sink") {
				t.Errorf("%s written as %s: %s", between, written, got)
			}
			docs := c.remembered([]string{named(written, "list_ships"), named(between, "list_ships")}) // each once
			if len(docs) != 1 || !slices.Equal(names([]*model.Tool{c.Candidates[docs[0]]}), []string{named(between, "list_ships")}) {
				t.Errorf("%s written as %s: history %v", between, written, docs)
			}
		}
	}
}
