package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/config"
	"caliper/tui/demo"
)

func TestResultsKnobsHaveEffectAtOnce(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36)
	s := &d.app().results
	s.area = areaKnobs
	for i, k := range rescueKnobs {
		before := s.judged.Preview.Text
		d.Press("g")
		d.Press(times(i, "down")...)
		d.judged(times(6, "left")...)
		was, now := d.app().budget.onDisk(k), d.app().budget.value(k)
		if was == now || *rescueValueIn(&d.app().state.Config.Rescue, k) != now {
			t.Errorf("%s stays at %v", knobNames[k], was)
		}
		changes := k == knobExcerpt || k == knobHeadLines || k == knobTailLines
		if changed := s.judged.Preview.Text != before; changed != changes {
			t.Errorf("%s: the handle changed is %t", knobNames[k], changed)
		}
		d.judged("u") // the next one alone
	}
	d.judged("g", "right", "down", "left").wants("2 turned").judged("0").wants("rescue at    12,000")
	// A result that is short enough passes whole.
	d.Press("g").judged(times(60, "right")...).wants("PASSES WHOLE", "within_limit", "not more than", "all of it")
	d.judged("u").wants("RESCUED")
	d.judged("e").Press("esc")
}

func TestResultsKnobSteps(t *testing.T) {
	t.Parallel()
	limits := map[knob][2]int{knobRescueAt: {1, 100_000_000}, knobFullFetch: {1, 100_000_000}, knobExcerpt: {200, 1_000_000}, knobFetch: {100, 1_000_000}, knobHeadLines: {0, 10_000}, knobTailLines: {0, 10_000}, knobHeadItems: {0, 1000}, knobTailItems: {0, 1000}}
	for k, ends := range limits {
		for by, end := range map[int]int{-1: ends[0], 1: ends[1]} {
			v := 300
			for range 1000 {
				v = stepRescue(k, v, by)
			}
			if v != end {
				t.Errorf("%s ends at %d, want %d", knobNames[k], v, end)
			}
		}
	}
}

// A step never leaves the range of the configuration, and never goes the other
// way, from wherever a file put the value.
func TestResultsKnobsStepTheirWay(t *testing.T) {
	t.Parallel()
	for _, k := range rescueKnobs {
		domain, ok := config.DomainOf(knobKeys[k])
		if !ok {
			t.Fatalf("%s has no domain", knobKeys[k])
		}
		for _, v := range []int{0, 1, 50, 99, 101, 12_345, 1_000_000, 5_000_000, 99_999_999, 100_000_000} {
			v := int(domain.Clamp(float64(v)))
			up, down := stepRescue(k, v, 1), stepRescue(k, v, -1)
			if up < v || down > v || up == v && float64(v) < domain.Most || down == v && float64(v) > domain.Least {
				t.Errorf("%s: %d goes up to %d and down to %d", knobNames[k], v, up, down)
			}
			if float64(up) > domain.Most || float64(down) < domain.Least {
				t.Errorf("%s: %d leaves the range: %d, %d", knobNames[k], v, down, up)
			}
		}
	}
}

func TestResultsWriteBack(t *testing.T) {
	t.Parallel()
	opt := demoResults()
	opt.ConfigName = filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(opt.ConfigName, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	d := startExplorer(t, opt, 120, 36).judged("alt+6", "tab")
	d.judged("right", "S").wants("write to config.yaml", "max_result_chars: 13000").Press("y")
	data, err := os.ReadFile(opt.ConfigName)
	if err != nil || !strings.Contains(string(data), "max_result_chars: 13000") {
		t.Errorf("the file holds %v, %s", err, data)
	}
}

// What a turned knob was is told whole in the narrow column.
func TestResultsKnobsSayWhatTheyWere(t *testing.T) {
	t.Parallel()
	d := onResults(t, 120, 36)
	d.app().results.area = areaKnobs
	d.judged("right", "right").wants("14,000", "rescue at was 12,000") // under the cursor, below
	d.Press("down").wants("rescue at 14,000 was 12,000").lacks("rescue at was 12,000")
}
