package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
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

// TestDraw draws a screen and a film, where what draws them is installed.
func TestDraw(t *testing.T) {
	for _, program := range []string{"rsvg-convert", "ffmpeg", "gifsicle", "fc-list"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	for name, text := range map[string][]byte{"screen-light.ansi": []byte("\x1b[1mab\x1b[0m\n"), "film.reel": []byte("reel 4x1\nframe 1\n1 a\nframe 1\n1 b\n")} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-folder", folder}, nil, &out, &out)
	if err != nil && strings.Contains(err.Error(), "is missing") {
		t.Skip(err)
	}
	if err != nil {
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
