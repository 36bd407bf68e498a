package picture

import (
	"slices"
	"testing"
	"time"

	"caliper/model/require"
)

func TestParseReel(t *testing.T) {
	const text = "reel 4x2\nframe 1.20\n1 a\n2 \x1b[0;1mb\x1b[0m\nframe 0.09\n2 \x1b[0;1mc\x1b[0m\nframe 1.004\n2 \n"
	r, err := ParseReel([]byte(text))
	require.NoError(t, err)
	var durations []time.Duration
	for i, f := range r {
		if want := Parse([]byte([]string{"a\n\x1b[1mb", "a\n\x1b[1mc", "a"}[i]), 4, 2); !f.Grid.Equal(want) {
			t.Errorf("frame %d:\n%s", i, f.Grid)
		}
		durations = append(durations, f.Duration)
	}
	if want := []time.Duration{1200 * time.Millisecond, 90 * time.Millisecond, time.Second}; !slices.Equal(durations, want) {
		t.Errorf("durations %v, want %v", durations, want)
	}
}

func TestParseReelErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", "1: empty, want a reel"},
		{"no header", "frame 1", `1: "frame 1": want reel WIDTHxHEIGHT`},
		{"half a size", "reel 4", `1: "reel 4": want reel WIDTHxHEIGHT`},
		{"negative", "reel -1x2", `1: "reel -1x2": want reel WIDTHxHEIGHT`},
		{"too large", "reel 999999x2", `1: "reel 999999x2": want reel WIDTHxHEIGHT`},
		{"overflow", "reel 4611686018427387904x4", `1: "reel 4611686018427387904x4": want reel WIDTHxHEIGHT`},
		{"no seconds", "reel 4x2\nframe", `2: frame "": want seconds`},
		{"not a number", "reel 4x2\nframe NaN", `2: frame "NaN": want seconds`},
		{"row first", "reel 4x2\n1 a", "2: row 1 before the first frame"},
		{"row outside", "reel 4x2\nframe 1\n3 a", `3: row "3": want 1 to 2`},
		{"neither", "reel 4x2\nframe 1\nx", `3: row "x": want 1 to 2`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseReel([]byte(tt.in))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func FuzzParseReel(f *testing.F) {
	f.Add([]byte("reel 4x2\nframe 1.20\n1 a\n2 \x1b[0;1mb\nframe 0.09\n2 c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseReel(data)
		if err != nil || len(r) > 50 {
			return
		}
		for _, frame := range r {
			checkGrid(t, frame.Grid)
		}
	})
}
