package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"caliper/screenshots/reel"
	"caliper/screenshots/scene"
	"caliper/tui/picture/ansi"
)

func writeScenes(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestLoadScenes(t *testing.T) {
	two := map[string]string{"b.scene": "shot b", "a.scene": "shot a", "notes.txt": "jump"}
	tests := []struct {
		name  string
		files map[string]string
		names []string
		want  string // names, or the error with the folder as DIR
	}{
		{"all, in order", two, nil, "a.scene b.scene"},
		{"one", two, []string{"b"}, "b.scene"},
		{"unknown", two, []string{"c"}, "DIR: no scene c"},
		{"none", nil, nil, "DIR: no .scene files"},
		{"bad scene", map[string]string{"a.scene": "settle\njump"}, nil, "DIR/a.scene:2: jump: unknown verb"},
		{"bad scene that was not asked for", map[string]string{"a.scene": "jump", "b.scene": "shot b"}, []string{"b"},
			"DIR/a.scene:1: jump: unknown verb"},
		{"bad key", map[string]string{"a.scene": "key Enter Retrun"}, nil,
			`DIR/a.scene:1: key "Retrun": unknown name; use type for text`},
		{"same picture", map[string]string{"a.scene": "shot x", "b.scene": "gif start x\ngif stop"}, nil,
			"DIR/b.scene: picture x is also taken by DIR/a.scene"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := writeScenes(t, tt.files)
			scenes, err := loadScenes(folder, tt.names)
			var got []string
			for _, s := range scenes {
				got = append(got, filepath.Base(s.Name))
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

// TestProjectScenes reads the scenes that the README's pictures come from.
func TestProjectScenes(t *testing.T) {
	if _, err := loadScenes(filepath.Join("..", "scenes"), nil); err != nil {
		t.Error(err)
	}
}

// TestReadmeListsEveryPicture: the table of the README has a row for every scene, with every
// picture that the scene takes, and no other.
func TestReadmeListsEveryPicture(t *testing.T) {
	scenes, err := loadScenes(filepath.Join("..", "scenes"), nil)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{} // pictures by their scene, both as in the table
	_, table, _ := strings.Cut(string(readme), "\n| scene | pictures | shows |\n|---|---|---|\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			break
		}
		pictures := strings.ReplaceAll(strings.TrimSuffix(cells[1], " (a GIF)"), "`", "")
		listed[strings.Trim(cells[0], "| `")] = pictures
	}
	for _, s := range scenes {
		var names []string
		for _, p := range s.Pictures() {
			names = append(names, p.Name)
		}
		name := strings.TrimSuffix(filepath.Base(s.Name), sceneSuffix)
		if want := strings.Join(names, ", "); listed[name] != want {
			t.Errorf("scene %s takes %q, and the README lists %q", name, want, listed[name])
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("the README lists the scene %s, which there is not", name)
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

func TestExitCode(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0}, {flag.ErrHelp, 0}, {errDiffers, 1}, {fmt.Errorf("x: %w", &scene.Failure{}), 1}, {errors.New("x"), 2},
	} {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.err, got, tt.want)
		}
	}
}

func TestRunRefusesTwoModes(t *testing.T) {
	for _, args := range []string{"-check -draw", "-check -text", "-draw -text"} {
		err := run(t.Context(), strings.Fields(args), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || err.Error() != "-check, -text and -draw exclude each other" {
			t.Errorf("%s: got %v", args, err)
		}
	}
}

func TestCompare(t *testing.T) {
	film := func(text string) []byte {
		r := &reel.Reel{}
		r.Add(ansi.Parse([]byte(text), 4, 1), time.Second)
		return r.Format()
	}
	still := scene.Picture{Columns: 4, Rows: 1}
	moving := scene.Picture{Columns: 4, Rows: 1, Animated: true}
	tests := []struct {
		name         string
		picture      scene.Picture
		now, stored  string
		want, failed string
	}{
		{"equal", still, "a\n", "a\n", "", ""},
		{"text", still, "a\n", "b\n", "row 1\n  - b\n  + a\n", ""},
		{"rows", still, "a\n", "a\nb\n", "size: want 4x2, got 4x1\nrow 2\n  - b\n  + \n", ""},
		{"spelling", still, "a\n", "a\x1b[m\n", "the stored text is spelled differently; run without -check\n", ""},
		{"film, equal", moving, string(film("a")), string(film("a")), "", ""},
		{"film", moving, string(film("a")), string(film("b")), "frame 1 of 1\nrow 1\n  - b\n  + a\n", ""},
		{"film, spelling", moving, string(film("a")), strings.Replace(string(film("a")), "1.00", "1", 1),
			"the stored text is spelled differently; run without -check\n", ""},
		{"film, broken", moving, string(film("a")), "x", "", `1: "x": want reel WIDTHxHEIGHT`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := compare(captured{tt.picture, []byte(tt.now)}, []byte(tt.stored))
			if got != tt.want || tt.failed == "" && err != nil || tt.failed != "" && (err == nil || err.Error() != tt.failed) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestShell(t *testing.T) {
	temp := t.TempDir()
	if err := shell(t.Context(), "true", temp, "work", "caliper"); err == nil || !strings.Contains(err.Error(), "made 0 folders") {
		t.Errorf("without a demo: %v", err)
	}
	demo := filepath.Join(temp, "demo")
	if err := os.Mkdir(demo, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := shell(t.Context(), `echo "$DEMO $WORK $CALIPER" > here`, temp, "work", "caliper"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(demo, "here")); err != nil || string(got) != demo+" work caliper\n" {
		t.Errorf("got %q, %v", got, err)
	}
	err := shell(t.Context(), "echo words >&2; false; true", temp, "work", "caliper")
	if err == nil || err.Error() != "exit status 1: words" {
		t.Errorf("got %v", err)
	}
	if err := os.Mkdir(filepath.Join(temp, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := demoFolder(temp); err == nil || !strings.Contains(err.Error(), `made 2 folders in its temporary folder ["demo" "other"]`) {
		t.Errorf("got %v", err)
	}
}

func TestGifsicleArgs(t *testing.T) {
	r := &reel.Reel{}
	r.Add(ansi.Parse([]byte("a"), 1, 1), 1200*time.Millisecond)
	r.Add(ansi.Parse([]byte("b"), 1, 1), 90*time.Millisecond)
	if got, want := strings.Join(gifsicleArgs(r, "in", "out"), " "), "-O3 -o out in -d120 #0 -d9 #1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
