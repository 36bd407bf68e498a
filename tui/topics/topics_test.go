package topics

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/export"
	"caliper/engine/rescue/fetch"
	"caliper/model/require"
	"caliper/tui/report"
	"caliper/tui/ui"
)

// printed returns a page as a terminal of a width shows it.
func printed(t *testing.T, topic Topic, width int) string {
	t.Helper()
	var b strings.Builder
	out := bufio.NewWriter(&b)
	report.Page{Out: out, Width: width}.Print(topic.Page())
	require.NoError(t, out.Flush())
	return b.String()
}

func TestPages(t *testing.T) {
	for _, topic := range All {
		for _, width := range []int{80, 92} {
			text := printed(t, topic, width)
			if strings.Contains(text, undescribed) {
				t.Errorf("%s does not explain everything:\n%s", topic.Name, text)
			}
			if text != printed(t, topic, width) {
				t.Errorf("%s differs from one time to the next", topic.Name)
			}
			for line := range strings.Lines(text) {
				if w := ui.Width(strings.TrimSuffix(line, "\n")); w > width && !strings.HasPrefix(line, "  caliper ") {
					t.Errorf("%s: %d cells of %d: %s", topic.Name, w, width, line)
				}
			}
		}
		if got, ok := Find(topic.Name); !ok || got.Title != topic.Title || topic.Title == "" {
			t.Errorf("Find(%q) = %v, %v", topic.Name, got, ok)
		}
	}
	if _, ok := Find("nothing"); ok {
		t.Error("an unknown topic is found")
	}
}

// The tables of the pages have what the code has, in its order, and nothing else.
func TestPagesAgreeWithTheCode(t *testing.T) {
	var shapes []string
	for _, s := range export.Shapes() {
		shapes = append(shapes, string(s))
	}
	for _, c := range []struct {
		page, section string
		code          []string
	}{
		{"rankers", "Rankers", config.Rankers}, {"selection", "Strategies", config.Strategies}, {"rescue", "Modes of a fetch", fetch.Modes},
		{"formats", "Shapes that export writes (--shape SHAPE)", shapes},
	} {
		var words []string
		for _, line := range sectionOfPage(c.page, c.section) {
			if word, _, strong := strings.Cut(strings.TrimPrefix(line, "| **"), "**"); strong {
				words = append(words, word)
			}
		}
		if !slices.Equal(words, c.code) {
			t.Errorf("%s: the page has %q, the code %q", c.page, words, c.code)
		}
	}
	for _, key := range config.Settable() {
		if sectionOf(key) == "" {
			t.Errorf("%s is on no page", key)
		}
	}
}

// sectionOfPage returns the lines of a section.
func sectionOfPage(name, title string) []string {
	lines := source(name + ".md")
	lines = lines[slices.Index(lines, "## "+title)+1:]
	if end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "## ") }); end >= 0 {
		lines = lines[:end]
	}
	return lines
}

// The example is a configuration that caliper reads whole, without a warning.
func TestExampleConfig(t *testing.T) {
	file, err := config.Parse("config.yaml", []byte(strings.Join(source("example.yaml"), "\n")))
	if err != nil || len(file.Warnings) > 0 {
		t.Fatal(err, file.Warnings)
	}
	if len(file.Sections) == 0 {
		t.Error("no section is read")
	}
	for _, s := range file.Sections {
		if !s.Read {
			t.Errorf("%s is not read", s.Key)
		}
	}
}

// The page says both defaults of what follows the embedder, as the configuration has them.
func TestDefaultsByEmbedder(t *testing.T) {
	file, err := config.Parse("config.yaml", []byte("tools: {rag_embed_model: m}\n"))
	require.NoError(t, err)
	letters, err := config.Parse("config.yaml", []byte("tools: {rag_embed_model: fuzzy}\n"))
	require.NoError(t, err)
	builtin, fuzzy, modelled := config.Default().PreSelection, letters.Config.PreSelection, file.Config.PreSelection
	for key, want := range map[string]string{
		"tools.rag_rrf_k":            fmt.Sprintf("%v for builtin, %v for fuzzy, %v for an embedder with a model", builtin.RRFK, fuzzy.RRFK, modelled.RRFK),
		"tools.rag_weights.semantic": fmt.Sprintf("%v for builtin, %v for fuzzy, %v for an embedder with a model", builtin.SemanticWeight, fuzzy.SemanticWeight, modelled.SemanticWeight),
	} {
		if got := value("default " + key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
		for _, name := range []string{"configuration", "reference"} {
			topic, _ := Find(name)
			if text := strings.Join(strings.Fields(printed(t, topic, 200)), " "); !strings.Contains(text, want) {
				t.Errorf("%s is not on the page %s", want, name)
			}
		}
	}
}
