package selection

import (
	"slices"
	"strings"
	"testing"

	"caliper/model"

	"pgregory.net/rapid"
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
		{"nothing here", ""},
		{"use read_file", "read_file"},
		{"use `READ_FILE`.", "read_file"},
		{"Read-File, please", "read_file"},
		{"read  file", "read_file"},
		{"read\nfile", "read_file"},
		{"read, file", ""},
		{"bread file", ""},
		{"read files", ""},
		{"read_file_lines", "read_file_lines"},
		{"read file lines", "read_file_lines"},
		{"read_file read_file_lines", "read_file read_file_lines"},
		{"read_file_now", ""},
		{"read file-now", ""},
		{"do-read-file", ""},
		{"read_file_", "read_file"},
		{"_read_file", "read_file"},
		{"Terminal", "terminal"},
		{"terminals", ""},
		{"create issue", "create-issue"},
		{"create_issue", "create-issue"},
		{"mcp hub create issue", "mcp_hub_create_issue"},
		{"mcp_hub_create_issue", "mcp_hub_create_issue"},
		{"close_issue", "mcp_hub_close_issue mcp_lab_close_issue"},
		{"Close-Issue", "mcp_hub_close_issue mcp_lab_close_issue"},
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
		{"terminal terminal", "terminal"},
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

// namesByText returns what newMentions finds tools by, as lists by normal text.
func namesByText(tools []*model.Tool) (full, bare map[string][]*model.Tool) {
	full, bare = map[string][]*model.Tool{}, map[string][]*model.Tool{}
	add := func(to map[string][]*model.Tool, name string, t *model.Tool) {
		n := normalize(name)
		if text, ok := n.named(); ok && !slices.Contains(to[string(text)], t) {
			to[string(text)] = append(to[string(text)], t)
		}
	}
	for _, t := range tools {
		add(full, t.Name, t)
		add(full, t.Qualified, t)
		if name, ok := nameAtServer(t); ok {
			add(bare, name, t)
		}
	}
	return full, bare
}

// Tools are found by the texts of their names, in their order, and by nothing else.
func TestMentionsOfTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "A", "a_b", "mcp", "s", "_", "é", "猫", ""})
		var tools []*model.Tool
		for i := range rapid.IntRange(0, 20).Draw(t, "tools") {
			name := strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "name"), rapid.SampledFrom([]string{"_", "-", " ", "/"}).Draw(t, "between"))
			tool := &model.Tool{Name: name, Qualified: name, Toolset: "mcp-s", Index: i}
			if rapid.Bool().Draw(t, "qualified") {
				tool.Qualified = "mcp-s/" + name
			}
			if rapid.Bool().Draw(t, "original") {
				tool.OriginalName = part.Draw(t, "first") + "_" + part.Draw(t, "second")
			}
			tools = append(tools, tool)
		}
		m, room := newMentions(tools), normal{}
		full, bare := namesByText(tools)
		for _, of := range []map[string][]*model.Tool{full, bare} {
			for text := range of {
				if got := m.ofFull([]byte(text), &room); !slices.Equal(got, full[text]) {
					t.Fatalf("%q as a full name: %d tools, want %d", text, len(got), len(full[text]))
				}
				if got := m.ofBare([]byte(text), &room); !slices.Equal(got, bare[text]) {
					t.Fatalf("%q as a name at the server: %d tools, want %d", text, len(got), len(bare[text]))
				}
			}
		}
	})
}
