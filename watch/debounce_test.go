package watch

import (
	"testing"
	"time"

	_ "caliper/model/require"
)

// at returns a time n milliseconds after an arbitrary beginning.
func at(n int) time.Time { return time.Unix(1e9, 0).Add(time.Duration(n) * time.Millisecond) }

// testPace is a pace with the figures that the tables assume.
func testPace() pace {
	return pace{opt: Options{}.withDefaults()}
}

func TestPaceDebounce(t *testing.T) {
	for _, tc := range []struct {
		name  string
		pokes []int
		due   int
	}{
		{"one poke", []int{0}, 80},
		{"each poke postpones", []int{0, 50, 100}, 180},
		{"the ceiling ends that", []int{0, 70, 140, 210, 280, 350, 420, 490}, 500},
		{"just below the ceiling", []int{0, 410}, 490},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := testPace()
			if _, ok := p.next(); ok {
				t.Fatal("due before any poke")
			}
			for _, n := range tc.pokes {
				p.poke(at(n))
			}
			if got, ok := p.next(); !ok || !got.Equal(at(tc.due)) {
				t.Errorf("due after %v (%v), want %d ms", got.Sub(at(0)), ok, tc.due)
			}
			if !p.mayWait(at(499)) || p.mayWait(at(500)) {
				t.Error("another poke may postpone until the ceiling, and only until then")
			}
			p.answer()
			if _, ok := p.next(); ok || p.mayWait(at(1)) {
				t.Error("still due after the look")
			}
		})
	}
}

func TestPacePatience(t *testing.T) {
	type look struct {
		at    int
		fresh bool
		wait  bool
	}
	for _, tc := range []struct {
		name  string
		looks []look
		next  int // of the last look that waits; 0: none does
	}{
		{"ends by itself", []look{{0, true, true}, {80, false, true}, {499, false, true}, {500, false, false}}, 0},
		{"next look after the quiet time", []look{{0, true, true}, {80, false, true}}, 160},
		{"the last look is at the deadline", []look{{0, true, true}, {450, false, true}}, 500},
		{"counts anew when something moves", []look{{0, true, true}, {400, true, true}, {899, false, true}, {900, false, false}}, 0},
		{"but not for ever", []look{{0, true, true}, {450, true, true}, {900, true, true}, {1350, true, true}, {1800, true, true}, {2000, true, false}}, 0},
		{"starts again after it ended", []look{{0, true, true}, {500, false, false}, {600, true, true}}, 680},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := testPace()
			for _, l := range tc.looks {
				if got := p.doubt(at(l.at), l.fresh); got != l.wait {
					t.Fatalf("at %d ms: waits %v, want %v", l.at, got, l.wait)
				}
			}
			got, ok := p.next()
			if ok != (tc.next > 0) || ok && !got.Equal(at(tc.next)) {
				t.Errorf("next look after %v (%v), want %d ms", got.Sub(at(0)), ok, tc.next)
			}
			p.settle()
			if _, ok := p.next(); ok {
				t.Error("a look is due after the doubt was settled")
			}
		})
	}
}

func TestPacePokesGoBeforeDoubt(t *testing.T) {
	p := testPace()
	p.doubt(at(0), true)
	p.poke(at(70))
	if got, _ := p.next(); !got.Equal(at(150)) {
		t.Errorf("next look after %v, want 150 ms: the writer is at work", got.Sub(at(0)))
	}
}
