package desk

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"caliper/config"
	"caliper/tui/cells"
	"caliper/tui/ui"
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
			for w := 24; w <= 60; w++ {
				for _, on := range []bool{false, true} {
					line := ansi.Strip(s.Draw(theme, k, w, on))
					label, _, cut := strings.Cut(line, "…")
					label = strings.TrimLeft(label, theme.Selected+" ")
					labelled := cut && len(label) > 2 && strings.HasPrefix(k.Label, label) || strings.HasPrefix(label, k.Label+" ")
					if !labelled || !strings.Contains(line, " "+k.Text(v)) || cells.Width(line) != w {
						t.Errorf("%q of %d cells is not %s %s", line, w, k.Label, k.Text(v))
					}
				}
			}
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
		if !strings.Contains(line, k.Label+" ") || !strings.Contains(line, " "+k.Text(s.Value(k))) || s.InFull(k, w) != "" {
			t.Errorf("%q is not %s %s", line, k.Label, k.Text(s.Value(k)))
		}
	}
	limit := KnobOf("toolaria.full_fetch_max_chars")
	s.Put(limit, 100_000_000)
	if got, want := s.InFull(limit, KnobsWidth(ResultsKnobs)), "largest full read 100,000,000 was 50,000"; got != want {
		t.Errorf("in full %q, want %q", got, want)
	}
}
