package report

import "testing"

// A difference beside the two figures agrees with the figures as they are printed.
func TestPointsBetween(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          string
	}{
		{0.835416, 0.847916, "+1.3"}, // exactly 1.25, and 83.5% → 84.8%
		{0.847916, 0.835416, "−1.3"},
		{0.8425, 0.8475, "+0.6"}, // 84.2% → 84.8%: a tie is printed as the even tenth
		{0.83541, 0.83542, "+0.0"},
		{0.83549, 0.83551, "+0.1"}, // 83.5% → 83.6%
		{0.83551, 0.83549, "−0.1"},
		{0, 1, "+100.0"},
		{0.6, 0.6, "+0.0"},
	} {
		if got := PointsBetween(c.before, c.after); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", Tenths(100*c.before), Tenths(100*c.after), got, c.want)
		}
	}
}

// A share rises or falls by its value, not by the letters of its figure, and only where the
// figures differ.
func TestShareFigure(t *testing.T) {
	for _, c := range []struct {
		old, now float64
		want     Figure
	}{
		{0.5, 1, Figure{"recall@5", "50.0%", "100.0%", "+50.0 points", 1}},
		{1, 0.951, Figure{"recall@5", "100.0%", "95.1%", "−4.9 points", -1}},
		{0.5, 0.50001, Figure{"recall@5", "50.0%", "50.0%", "", 0}},
	} {
		if got := ShareFigure("recall@5", c.old, c.now); got != c.want {
			t.Errorf("%v to %v: %+v, want %+v", c.old, c.now, got, c.want)
		}
	}
}
