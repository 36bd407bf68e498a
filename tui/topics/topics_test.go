package topics

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/export"
	"caliper/engine/rescue/fetch"
	"caliper/tui/cells"
	"caliper/tui/report"
)

// printed returns a page as a terminal of a width shows it.
func printed(t *testing.T, topic Topic, width int) string {
	t.Helper()
	var b strings.Builder
	out := bufio.NewWriter(&b)
	report.Page{Out: out, Width: width}.Print(topic.Page())
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
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
				if w := cells.Width(strings.TrimSuffix(line, "\n")); w > width && !strings.HasPrefix(line, "  caliper ") {
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

// The pages explain what the code has, and nothing else.
func TestPagesAgreeWithTheCode(t *testing.T) {
	shapeNames := map[string]string{}
	for s, does := range shapes {
		shapeNames[string(s)] = does
	}
	exported := []string{}
	for _, s := range export.Shapes() {
		exported = append(exported, string(s))
	}
	for name, c := range map[string]struct {
		code []string
		page map[string]string
	}{
		"rankers": {config.Rankers, rankers}, "gates": {engine.GateNames(), gates}, "strategies": {config.Strategies, strategies},
		"modes": {fetch.Modes, modes}, "shapes": {exported, shapeNames},
	} {
		if want, got := slices.Sorted(slices.Values(c.code)), slices.Sorted(maps.Keys(c.page)); !slices.Equal(want, got) {
			t.Errorf("%s: the page has %q, the code %q", name, got, want)
		}
	}
	for _, key := range config.Settable() {
		if sectionOf(key) == "" {
			t.Errorf("%s is on no page", key)
		}
	}
}

// The example is a configuration that caliper reads whole, without a warning.
func TestExampleConfig(t *testing.T) {
	file, err := config.Parse("config.yaml", []byte(exampleConfig))
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
	if err != nil {
		t.Fatal(err)
	}
	letters, err := config.Parse("config.yaml", []byte("tools: {rag_embed_model: fuzzy}\n"))
	if err != nil {
		t.Fatal(err)
	}
	builtin, fuzzy, modelled := config.Default().PreSelection, letters.Config.PreSelection, file.Config.PreSelection
	for key, want := range map[string]string{
		"tools.rag_rrf_k":            fmt.Sprintf("%v for builtin, %v for fuzzy, %v for an embedder with a model", builtin.RRFK, fuzzy.RRFK, modelled.RRFK),
		"tools.rag_weights.semantic": fmt.Sprintf("%v for builtin, %v for fuzzy, %v for an embedder with a model", builtin.SemanticWeight, fuzzy.SemanticWeight, modelled.SemanticWeight),
	} {
		if got := fusionDefaults(key); got != want {
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
