package picture

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/model/require"
)

func sized(text string) *Grid { return Parse([]byte(text), 4, 2) }

func film(frames ...Frame) *Reel { return &Reel{Frames: frames} }

func TestFormatReel(t *testing.T) {
	r := film(
		Frame{sized("a\n\x1b[1mb"), 1200 * time.Millisecond},
		Frame{sized("a\n\x1b[1mc"), 90 * time.Millisecond},
		Frame{sized("a"), time.Second},
	)
	const want = "reel 4x2\nframe 1.20\n1 a\n2 \x1b[0;1mb\x1b[0m\nframe 0.09\n2 \x1b[0;1mc\x1b[0m\nframe 1.00\n2 \n"
	if got := string(r.Format()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := string(film().Format()); got != "reel 0x0\n" {
		t.Errorf("empty: got %q", got)
	}
}

func TestAddFrame(t *testing.T) {
	type step struct {
		text     string
		duration time.Duration
	}
	tests := []struct {
		name  string
		steps []step
		want  string
	}{
		{"different screens", []step{{"a", time.Second}, {"b", time.Second}}, "a 1s b 1s"},
		{"equal screens prolong", []step{{"a", time.Second}, {"a", time.Second}, {"b", 0}}, "a 2s b 0s"},
		{"a frame without time gives way", []step{{"a", time.Second}, {"b", 0}, {"c", time.Second}}, "a 1s c 1s"},
		{"and may leave two equal ones", []step{{"a", time.Second}, {"b", 0}, {"a", time.Second}}, "a 2s"},
		{"rounded to ticks", []step{{"a", 94 * time.Millisecond}, {"b", 95 * time.Millisecond}}, "a 90ms b 100ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Reel{}
			for _, s := range tt.steps {
				r.Add(sized(s.text), s.duration)
			}
			var got []string
			for _, f := range r.Frames {
				got = append(got, strings.TrimSpace(f.Grid.String()), f.Duration.String())
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
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

func TestReelRoundTrip(t *testing.T) {
	frame := rapid.Custom(func(t *rapid.T) Frame {
		text := rapid.StringMatching(`((\x1b\[[0-7;]{1,4}m)?[ab課 ]{0,3}\n?){0,3}`).Draw(t, "text")
		return Frame{sized(text), time.Duration(rapid.IntRange(0, 500).Draw(t, "ticks")) * Tick}
	})
	rapid.Check(t, func(t *rapid.T) {
		r := film(rapid.SliceOfN(frame, 1, 6).Draw(t, "frames")...)
		text := r.Format()
		again, err := ParseReel(text)
		if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if !reflect.DeepEqual(again, r) {
			t.Fatalf("%q is read as something else", text)
		}
		if !bytes.Equal(again.Format(), text) {
			t.Fatalf("formatted differently: %q", text)
		}
	})
}

func FuzzParseReel(f *testing.F) {
	f.Add([]byte("reel 4x2\nframe 1.20\n1 a\n2 \x1b[0;1mb\nframe 0.09\n2 c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseReel(data)
		if err != nil || len(r.Frames) > 50 {
			return
		}
		again, err := ParseReel(r.Format())
		require.NoError(t, err)
		if len(r.Frames) > 0 && !reflect.DeepEqual(r, again) {
			t.Fatalf("%q is read as something else", r.Format())
		}
	})
}
