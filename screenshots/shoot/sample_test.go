package main

import (
	"bytes"
	"image/gif"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// buildSample builds the sample program, or skips the test when it could not be played.
func buildSample(t *testing.T) string {
	t.Helper()
	if err := missing(true, false); err != nil {
		t.Skip(err)
	}
	program := filepath.Join(t.TempDir(), "sample")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../testdata/sample").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// replay runs the command on the sample program.
func replay(t *testing.T, program, scenes, out string, args ...string) (string, error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := run(t.Context(), append(args, "-program", program, "-scenes", scenes, "-out", out), &stdout, &stderr)
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
	return stdout.String(), err
}

// TestSampleIsAsStored plays the sample's scenes in tmux and compares every screen with the stored
// ones: the whole way but for the drawing.
func TestSampleIsAsStored(t *testing.T) {
	t.Parallel()
	log, err := replay(t, buildSample(t), "../testdata", "../testdata", "-check")
	const want = "same  chart-dark\nsame  chart-light\nsame  film\n"
	if err != nil || log != want {
		t.Errorf("%v\n%s", err, log)
	}
}

// TestTextIsStoredOnce plays a scene into an empty folder, plays it again, spoils the screen, and
// checks.
func TestTextIsStoredOnce(t *testing.T) {
	t.Parallel()
	program, out := buildSample(t), t.TempDir()
	scenes := writeScenes(t, map[string]string{"a.scene": "size 100x34\ntheme light\nmask \\d\\d:\\d\\d:\\d\\d x\n" +
		"mask `in /\\S+ *` x\nuntil Привет\nshot a"})
	for _, want := range []string{"text  a\n", "same  a\n"} {
		if log, err := replay(t, program, scenes, out, "-text"); err != nil || log != want {
			t.Fatalf("%v\ngot  %swant %s", err, log, want)
		}
	}
	path := filepath.Join(out, "a.ansi")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("cloud"), []byte("clown"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := replay(t, program, scenes, out, "-check")
	const want = "differs a (- stored, + now)\nrow 7\n  -  ▌▸ clown -> next => != 7. 412\n  +  ▌▸ cloud -> next => != 7. 412\n"
	if exitCode(err) != exitDiffers || log != want {
		t.Errorf("%v\n%s", err, log)
	}
}

// TestDraw draws the stored screens and looks at what any viewer would: sizes, frames, delays.
func TestDraw(t *testing.T) {
	if err := missing(false, true); err != nil {
		t.Skip(err)
	}
	out := t.TempDir()
	scenes := writeScenes(t, map[string]string{"a.scene": "size 6x2\nshot a\ngif start b\ngif stop"})
	for name, text := range map[string]string{
		"a.ansi": "\x1b[0;41m    \x1b[0m\n",
		"b.reel": "reel 6x2\nframe 0.30\n1 one\nframe 1.27\n1 two\nframe 0.05\n2 three\n",
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(t.Context(), []string{"-draw", "-scenes", scenes, "-out", out}, new(bytes.Buffer), new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	still, err := os.Open(filepath.Join(out, "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer still.Close()
	picture, err := png.Decode(still)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != 6*15+48 || size.Y != 2*33+48 {
		t.Errorf("the picture is %v", size)
	}
	// One unit is one pixel: the red bar has hard edges.
	for x, want := range map[int]uint32{23: 0x16, 24: 0xef, 83: 0xef, 84: 0x16} {
		if r, _, _, _ := picture.At(x, 30).RGBA(); r>>8 != want {
			t.Errorf("column %d has red %#x, want %#x", x, r>>8, want)
		}
	}
	if _, _, _, alpha := picture.At(0, 0).RGBA(); alpha != 0 {
		t.Error("the corner is not transparent")
	}
	moving, err := os.Open(filepath.Join(out, "b.gif"))
	if err != nil {
		t.Fatal(err)
	}
	defer moving.Close()
	film, err := gif.DecodeAll(moving)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(film.Delay, []int{30, 127, 5}) || film.LoopCount != 0 {
		t.Errorf("delays %v, loops %d", film.Delay, film.LoopCount)
	}
}
