package tui

import (
	"testing"

	"caliper/config"
)

// domainKnobs are the knobs of numbers whose range the configuration has.
var domainKnobs = []knob{knobThreshold, knobLimit, knobTopK, knobRRFK, knobKeyword, knobSemantic}

// asKnob returns a number as the value of a knob.
func asKnob(k knob, v float64) any {
	switch k {
	case knobLimit, knobTopK:
		return int(v)
	}
	return v
}

// asNumber returns the value of a knob of numbers.
func asNumber(v any) float64 {
	if n, ok := v.(int); ok {
		return float64(n)
	}
	return v.(float64)
}

// The knobs go as far as the configuration does, in both directions, and never
// the other way, from wherever a file put the value.
func TestKnobsGoAsFarAsTheConfiguration(t *testing.T) {
	d := demoBudget(t, 80, 24)
	d.reload(ConfigPart, "tools: {tool_search: {max_search_limit: 50}}\n")
	s := &d.app().budget
	for _, k := range domainKnobs {
		domain, ok := config.DomainOf(knobKeys[k])
		if !ok {
			t.Fatalf("%s has no domain", knobKeys[k])
		}
		for _, start := range []float64{-1, 0, 0.03, 1, 2, 3.3, 31, 33, 99.99, 127, 129, 130, 951, 999, 1000} {
			for by, end := range map[int]float64{-1: domain.Least, 1: domain.Most} {
				v := asNumber(asKnob(k, domain.Clamp(start)))
				for v != end {
					next := asNumber(s.step(k, asKnob(k, v), by))
					if (next-v)*float64(by) <= 0 || next < domain.Least || next > domain.Most {
						t.Fatalf("%s: %v goes to %v by %d, in %v to %v", knobNames[k], v, next, by, domain.Least, domain.Most)
					}
					v = next
				}
				if next := asNumber(s.step(k, asKnob(k, end), by)); next != end {
					t.Errorf("%s: the end %v goes to %v", knobNames[k], end, next)
				}
			}
		}
	}
}

// A value between two steps goes to its neighbour, and where the size of steps
// changes is a step of its own.
func TestKnobsGoToTheNeighbour(t *testing.T) {
	s := &demoBudget(t, 80, 24).app().budget
	for _, tt := range []struct {
		name     string
		k        knob
		from     any
		down, up any
	}{
		{"threshold between", knobThreshold, 7.3, 7.0, 8.0},
		{"threshold where steps change", knobThreshold, 5.0, 4.5, 6.0},
		{"K between", knobTopK, 130, 128, 150},
		{"K where steps change", knobTopK, 128, 120, 150},
		{"K back to where steps change", knobTopK, 150, 128, 200},
		{"RRF k between", knobRRFK, 61.0, 60.0, 65.0},
		{"weight between", knobKeyword, 2.3, 2.0, 2.5},
		{"context above all that are common", knobContext, 5_000_000, 2_000_000, 5_000_000},
		{"context below all that are common", knobContext, 5_000, nil, 8_000},
		{"context between", knobContext, 300_000, 256_000, 400_000},
	} {
		if down, up := s.step(tt.k, tt.from, -1), s.step(tt.k, tt.from, 1); down != tt.down || up != tt.up {
			t.Errorf("%s: %v goes down to %v and up to %v, want %v and %v", tt.name, tt.from, down, up, tt.down, tt.up)
		}
	}
	// The limit of hits ends where the file says.
	most := s.disk().Snapshot.Config.ToolSearch.MaxLimit
	if got := s.step(knobLimit, most, 1); got != most {
		t.Errorf("limit goes up to %v, above max_search_limit %d", got, most)
	}
}
