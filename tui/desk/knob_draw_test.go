package desk

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/tui/ui"
	"caliper/tui/workbench"
)

// valuesOf returns values of a knob: the default and the ends of its range.
func valuesOf(k *Knob) []any {
	var values []any
	switch k.Kind {
	case config.Whole:
		values = []any{int(k.Least), int(k.Most)}
	case config.Number:
		values = []any{k.Least, k.Most, 0.123456}
	case config.Choice:
		for _, c := range k.Choices {
			values = append(values, c)
		}
	}
	if k.Default != nil {
		values = append(values, k.Default)
	}
	return values
}

// Labels give way to values, at every width, and always end in a blank.
func TestNoValueIsCut(t *testing.T) {
	t.Parallel()
	theme, files := ui.NewTheme(ui.Look{}), load(t, "")
	for _, k := range table {
		for _, v := range valuesOf(k) {
			s := NewKnobs()
			s.Show(files)
			s.Put(k, v)
			shown, _ := s.Idle(k)
			if shown == "" {
				shown = k.Text(v)
			}
			for w := 24; w <= 60; w++ {
				for _, on := range []bool{false, true} {
					line := ansi.Strip(s.Draw(theme, k, w, on))
					label, _, cut := strings.Cut(line, "…")
					label = strings.TrimLeft(label, theme.Selected+" ")
					labelled := cut && len(label) > 2 && strings.HasPrefix(k.Label, label) || strings.HasPrefix(label, k.Label+" ")
					if !labelled || !strings.Contains(line, " "+shown) || ui.Width(line) != w {
						t.Errorf("%q of %d cells is not %s %s", line, w, k.Label, shown)
					}
				}
			}
		}
	}
}

// A knob whose value is not used shows the one that is, cannot be turned, and says why.
func TestIdle(t *testing.T) {
	t.Parallel()
	theme, s, floor := ui.NewTheme(ui.Look{}), NewKnobs(), KnobOf("tools.rag_floor")
	s.Show(load(t, ""))
	for _, c := range []struct{ embedder, line, why string }{
		{"builtin", " 0.15  fixed", "the embedder builtin has a fixed floor of 0.15"},
		{"fuzzy", " 0.12  fixed", "the embedder fuzzy has a fixed floor of 0.12"},
		{"model2vec:m", " 0.15  fixed", "the embedder model2vec has a fixed floor of 0.15"},
		{"ollama:m", " 1.2", ""},
	} {
		s.Put(KnobOf("tools.rag_embed_model"), c.embedder)
		_, why := s.Idle(floor)
		if line := ansi.Strip(s.Draw(theme, floor, KnobsWidth(StrategiesKnobs)+2, false)); why != c.why || !strings.Contains(line, c.line) || strings.Contains(line, "fixed") != (why != "") {
			t.Errorf("%s: %q for %q", c.embedder, line, why)
		}
		if changed, _ := s.Turn(floor, 1); changed == (c.why != "") {
			t.Errorf("%s: turned is %v", c.embedder, changed)
		}
	}
	for ranker, idle := range map[string][2]bool{"bm25": {true, false}, "hybrid": {false, true}, "learned": {false, true}, "semantic": {true, true}} {
		s.Put(KnobOf(config.KeyRanker), ranker)
		_, weighs := s.Idle(KnobOf(config.KeyMeaning))
		_, k1 := s.Idle(KnobOf(workbench.KnobK1))
		if got := [2]bool{weighs != "", k1 != ""}; got != idle {
			t.Errorf("%s: meaning and k1 are idle: %v, want %v", ranker, got, idle)
		}
	}
	for host, idle := range map[string]bool{"hermes-2026-06": false, "hermes-2026-09": false, "codex": true} {
		s.Put(KnobOf(config.KeyHost), host)
		if _, why := s.Idle(KnobOf(config.KeyLimit)); (why != "") != idle {
			t.Errorf("%s: the limit is idle: %q", host, why)
		}
	}
}

// The panel has room for every label beside the values that are usual.
func TestPanelFitsLabels(t *testing.T) {
	t.Parallel()
	theme, s := ui.NewTheme(ui.Look{}), NewKnobs()
	s.Show(load(t, ""))
	for _, k := range slices.Concat(KnobsOf(StrategiesKnobs), KnobsOf(ResultsKnobs)) {
		w := KnobsWidth(k.Group)
		line := ansi.Strip(s.Draw(theme, k, w, true))
		shown, _ := s.Idle(k)
		if shown == "" {
			shown = k.Text(s.Value(k))
		}
		if !strings.Contains(line, k.Label+" ") || !strings.Contains(line, " "+shown) || s.InFull(k, w) != "" {
			t.Errorf("%q is not %s %s", line, k.Label, shown)
		}
	}
	limit := KnobOf("toolaria.full_fetch_max_chars")
	s.Put(limit, 100_000_000)
	if got, want := s.InFull(limit, KnobsWidth(ResultsKnobs)), "largest full read 100,000,000 was 50,000"; got != want {
		t.Errorf("in full %q, want %q", got, want)
	}
}
