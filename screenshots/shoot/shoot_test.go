package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
	"caliper/tui/picture"
)

func TestTexts(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.ansi", "a.reel", "a.gif", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	for _, tt := range []struct {
		name, folder string
		names        []string
		want         string // files, or the error with the folder as DIR
	}{
		{"all, in order", folder, nil, "a.reel b.ansi"},
		{"one", folder, []string{"b"}, "b.ansi"},
		{"unknown", folder, []string{"c"}, "DIR: no picture c"},
		{"none", filepath.Join(folder, "none"), nil, "DIR/none: no picture"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			paths, err := texts(tt.folder, tt.names)
			var got []string
			for _, path := range paths {
				got = append(got, filepath.Base(path))
			}
			text := strings.Join(got, " ")
			if err != nil {
				text = strings.ReplaceAll(err.Error(), folder, "DIR")
			}
			if text != tt.want {
				t.Errorf("got  %s\nwant %s", text, tt.want)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	yes, no := func() bool { return true }, func() bool { return false }
	if err := missingOf([]need{{"a", "a-deb", yes}}); err != nil {
		t.Error(err)
	}
	err := missingOf([]need{{"a", "a-deb", no}, {"b", "b-deb", yes}, {"the font c", "c-deb", no}})
	const want = "missing: a, the font c\n  apt-get install -y --no-install-recommends a-deb c-deb"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestDraw draws a screen and a film, where what draws them is installed.
func TestDraw(t *testing.T) {
	if err := missingOf(needs); err != nil {
		t.Skip(err)
	}
	film := &picture.Reel{}
	film.Add(picture.Parse([]byte("a"), 4, 1), time.Second)
	film.Add(picture.Parse([]byte("b"), 4, 1), time.Second)
	folder := t.TempDir()
	for name, text := range map[string][]byte{"screen-light.ansi": []byte("\x1b[1mab\x1b[0m\n"), "film.reel": film.Format()} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-folder", folder}, nil, &out, &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for name, magic := range map[string]string{"screen-light.png": "\x89PNG", "film.gif": "GIF89a"} {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.HasPrefix(data, []byte(magic)) {
			t.Errorf("%s: %v, %.8q", name, err, data)
		}
	}
}

func TestSVG(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-svg", "light"}, strings.NewReader("\x1b[1mbold\x1b[0m\nline"), &out, &out))
	if text := out.String(); !strings.HasPrefix(text, "<svg") || !strings.Contains(text, "#fcfcfa") {
		t.Errorf("got %.200s", text)
	}
	if err := run(t.Context(), []string{"-svg", "purple"}, strings.NewReader(""), &out, &out); err == nil {
		t.Error("purple is a theme")
	}
}

func TestGifsicleArgs(t *testing.T) {
	r := &picture.Reel{}
	r.Add(picture.Parse([]byte("a"), 1, 1), 1200*time.Millisecond)
	r.Add(picture.Parse([]byte("b"), 1, 1), 90*time.Millisecond)
	if got, want := strings.Join(gifsicleArgs(r, "in", "out"), " "), "-O3 -o out in -d120 #0 -d9 #1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
