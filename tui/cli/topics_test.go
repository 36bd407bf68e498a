package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/export"
	"caliper/engine/rescue/fetch"
	"caliper/engine/selection"
	"caliper/engine/whatif"
	"caliper/model/require"
	"caliper/tui/report"
	"caliper/tui/topics"
	"caliper/tui/ui"
)

// topicPage returns the page of a topic as a terminal of a width shows it.
func topicPage(topic topics.Topic, width int) string {
	var page strings.Builder
	report.Page{Out: &page, Width: width}.Print(topic.Page())
	return page.String()
}

// topicSource returns the lines of a file that the pages are made of.
func topicSource(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "topics", name))
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// A page explains everything that it names, and fits.
func TestTopics(t *testing.T) {
	t.Parallel()
	for _, topic := range topics.All {
		for _, width := range []int{80, 92} {
			text := topicPage(topic, width)
			if strings.Contains(text, "(not described)") {
				t.Errorf("%s does not explain everything:\n%s", topic.Name, text)
			}
			for line := range strings.Lines(text) {
				if w := ui.Width(strings.TrimSuffix(line, "\n")); w > width && !strings.HasPrefix(line, "  caliper ") {
					t.Errorf("%s: %d cells of %d: %s", topic.Name, w, width, line)
				}
			}
		}
		if got, ok := topics.Find(topic.Name); !ok || got.Title != topic.Title || topic.Title == "" {
			t.Errorf("Find(%q) = %v, %v", topic.Name, got, ok)
		}
	}
	if _, ok := topics.Find("nothing"); ok {
		t.Error("an unknown topic is found")
	}
}

// The tables of the pages have what the code has, in its order, and nothing else.
func TestTopicsAgreeWithTheCode(t *testing.T) {
	t.Parallel()
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
		_, section, _ := strings.Cut(strings.Join(topicSource(t, "pages/"+c.page+".md"), "\n"), "\n## "+c.section+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		var words []string
		for line := range strings.Lines(section) {
			if word, _, strong := strings.Cut(strings.TrimPrefix(line, "| **"), "**"); strong {
				words = append(words, word)
			}
		}
		if !slices.Equal(words, c.code) {
			t.Errorf("%s: the page has %q, the code %q", c.page, words, c.code)
		}
	}
	configuration, _ := topics.Find("configuration")
	page := topicPage(configuration, 80)
	for _, key := range config.Settable() {
		_, last, _ := strings.Cut(key, ".")
		if last = strings.TrimPrefix(last, "tool_search."); !strings.Contains(page, "\n  "+last+" ") {
			t.Errorf("%s is on no page", key)
		}
	}
}

// The example is a configuration that caliper reads whole, without a warning.
func TestExampleConfig(t *testing.T) {
	t.Parallel()
	file, err := config.Parse("config.yaml", []byte(strings.Join(topicSource(t, "pages/example.yaml"), "\n")))
	if err != nil || len(file.Warnings) > 0 || len(file.Sections) == 0 {
		t.Fatal(err, file.Warnings, file.Sections)
	}
	for _, s := range file.Sections {
		if !s.Read {
			t.Errorf("%s is not read", s.Key)
		}
	}
}

// Two pages have all defaults of what follows the embedder, as the configuration has them.
func TestDefaultsByEmbedder(t *testing.T) {
	t.Parallel()
	settings := func(text string) config.PreSelection {
		file, err := config.Parse("config.yaml", []byte(text))
		require.NoError(t, err)
		return file.Config.PreSelection
	}
	builtin, fuzzy, modelled := settings(""), settings("tools: {rag_embed_model: fuzzy}\n"), settings("tools: {rag_embed_model: m}\n")
	for _, of := range []func(config.PreSelection) float64{
		func(p config.PreSelection) float64 { return float64(p.RRFK) },
		func(p config.PreSelection) float64 { return p.SemanticWeight },
	} {
		want := fmt.Sprintf("%v for builtin, %v for fuzzy, %v for an embedder with a model", of(builtin), of(fuzzy), of(modelled))
		for _, name := range []string{"configuration", "reference"} {
			topic, _ := topics.Find(name)
			if text := strings.Join(strings.Fields(topicPage(topic, 200)), " "); !strings.Contains(text, want) {
				t.Errorf("%s is not on the page %s", want, name)
			}
		}
	}
}

// A meaning is one to three short sentences, and no label has two. README has the basic terms,
// word for word.
func TestGlossary(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	basic := "\n| word | meaning |\n|---|---|\n"
	for _, s := range topics.Glossary() {
		for _, term := range s.Terms {
			for _, label := range append([]string{term.Word}, term.Also...) {
				if other, twice := seen[strings.ToLower(label)]; twice {
					t.Errorf("%q is a label of %s and of %s", label, other, term.Word)
				}
				seen[strings.ToLower(label)] = term.Word
				if got, ok := topics.TermOf(strings.ToUpper(label)); !ok || got.Word != term.Word {
					t.Errorf("TermOf(%q) = %v, %v", label, got, ok)
				}
			}
			if m := term.Meaning; !strings.HasSuffix(m, ".") || strings.Count(m, ". ") > 2 || len(m) > 240 || strings.ContainsAny(m, "|\n") {
				t.Errorf("%s: one to three short sentences are wanted: %q", term.Word, m)
			}
			if term.Basic {
				basic += "| " + term.Word + " | " + term.Meaning + " |\n"
			}
		}
	}
	if _, ok := topics.TermOf("no such label"); ok {
		t.Error("an unknown label is explained")
	}
	if readme := strings.Join(topicSource(t, "../../README.md"), "\n"); !strings.Contains(readme, basic) {
		t.Errorf("README's glossary is another; it should be%s", basic)
	}
}

// Words of the code that are printed as they are have a meaning.
func TestWordsOfTheCodeAreExplained(t *testing.T) {
	t.Parallel()
	labels := []string{string(whatif.StageNoMatch), string(whatif.StageOutOfScope)}
	for _, s := range selection.Strategies {
		if s != selection.ToolSearch { // a tool of the bridge, too
			labels = append(labels, string(s))
		}
	}
	for _, label := range labels {
		if _, ok := topics.TermOf(label); !ok {
			t.Errorf("%q is not explained", label)
		}
	}
	keys := config.Settable()
	for _, key := range keys {
		if m := topics.Setting(key); !strings.HasSuffix(m, ".") {
			t.Errorf("setting %s: %q", key, m)
		}
	}
	for _, line := range topicSource(t, "settings.md") {
		key, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if strings.Contains(key, ".") && strings.HasPrefix(line, "| ") && !slices.Contains(keys, key) {
			t.Errorf("%s is no setting", key)
		}
	}
}
