package reel

import (
	"fmt"

	"caliper/tui/picture/ansi"
)

// Diff describes for a person where got first differs from want: later frames differ by
// consequence. It returns "" for equal reels.
func Diff(want, got *Reel) string {
	for i := range min(len(want.Frames), len(got.Frames)) {
		w, g := want.Frames[i], got.Frames[i]
		if d := ansi.Diff(w.Grid, g.Grid); d != "" {
			return fmt.Sprintf("frame %d of %d\n%s", i+1, len(want.Frames), d)
		}
		if w.Duration != g.Duration {
			return fmt.Sprintf("frame %d of %d\n  - %.2f s\n  + %.2f s\n", i+1, len(want.Frames),
				w.Duration.Seconds(), g.Duration.Seconds())
		}
	}
	if len(want.Frames) != len(got.Frames) {
		return fmt.Sprintf("frames: want %d, got %d\n", len(want.Frames), len(got.Frames))
	}
	return ""
}
