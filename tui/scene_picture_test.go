package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"caliper/model/require"
	"caliper/tui/picture"
)

// pictures is where pictures are, and in scenes what takes them.
var pictures = filepath.Join("..", "screenshots")

// TestPictures plays the scenes of screenshots: a picture shows what the program draws.
func TestPictures(t *testing.T) {
	t.Parallel()
	playFolder(t, filepath.Join(pictures, "scenes"))
}

// camera films a scene.
type camera struct {
	name   string // of the film; empty: nothing is filmed
	frames []picture.Frame
	pace   time.Duration // how long each key is shown
	saying string        // below the screen
	says   bool          // films of the scene have captions, and all their frames the rows for one
}

// captionRows is the rows of a caption below the screen: a rule, and the text.
const captionRows = 2

// seconds reads a duration.
func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f <= 60) {
		return 0, fmt.Errorf("%q: want seconds, 0 to 60", text)
	}
	return time.Duration(f * float64(time.Second)).Round(time.Millisecond), nil
}

// grid returns the screen, and in a film with captions the caption below it.
func (p *player) grid() *picture.Grid {
	screen := picture.Parse([]byte(p.d.Styled()), p.d.w, p.d.h)
	if p.film.name == "" || !p.film.says {
		return screen
	}
	out := picture.NewGrid(screen.Columns, screen.Rows+captionRows)
	for i := range screen.Rows {
		out.SetRow(i, screen.Row(i))
	}
	if p.film.saying != "" {
		text := "\x1b[2m" + strings.Repeat("─", out.Columns) + "\x1b[0m\r\n " + p.film.saying
		caption := picture.Parse([]byte(text), out.Columns, captionRows)
		for i := range captionRows {
			out.SetRow(screen.Rows+i, caption.Row(i))
		}
	}
	return out
}

// frame adds the screen to the film, if one is taken.
func (p *player) frame(d time.Duration) {
	if p.film.name != "" {
		p.film.frames = withFrame(p.film.frames, p.grid(), d)
	}
}

// shot takes a picture of the screen: shot NAME.
func (p *player) shot(line sceneLine) error {
	return p.sameAsPicture(strings.ReplaceAll(line.Rest, "$THEME", p.theme)+".ansi", storedGrid(p.grid()))
}

// takeFilm begins or ends a film: gif start NAME, gif stop. Each key is a frame of it.
func (p *player) takeFilm(line sceneLine) error {
	name, starts := strings.CutPrefix(line.Rest, "start ")
	switch {
	case starts && p.film.name == "":
		p.film.name, p.film.frames = name, nil
		p.frame(0)
		return nil
	case line.Rest == "stop" && p.film.name != "":
		p.frame(p.film.pace)
		name, p.film.name = p.film.name, ""
		return p.sameAsPicture(name+".reel", storedReel(p.film.frames))
	}
	return errors.New("want start NAME, or stop behind it")
}

// sameAsPicture compares a screen or a film with the stored text of its picture.
func (p *player) sameAsPicture(name string, text []byte) error {
	return p.sameAs(filepath.Join(pictures, name), string(text))
}

// TestReadmeListsEveryPicture: the table of README has a row for every scene, with every picture
// that the scene takes, and no other.
func TestReadmeListsEveryPicture(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(pictures, "README.md"))
	require.NoError(t, err)
	listed := map[string]string{} // pictures by their scene, both as in the table
	_, table, _ := strings.Cut(string(readme), "\n| scene | pictures | shows |\n|---|---|---|\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			break
		}
		listed[strings.Trim(cells[0], "| `")] = strings.ReplaceAll(strings.TrimSuffix(cells[1], " (a GIF)"), "`", "")
	}
	files, err := filepath.Glob(filepath.Join(pictures, "scenes", "*.scene"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scenes", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		lines, names := sceneLines(data), []string(nil)
		_, themes := looksOf(lines)
		for _, theme := range themes {
			for _, line := range lines {
				if line.Verb == "shot" || line.Verb == "gif" && line.Rest != "stop" {
					names = append(names, strings.ReplaceAll(strings.TrimPrefix(line.Rest, "start "), "$THEME", theme))
				}
			}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".scene")
		if want := strings.Join(names, ", "); listed[name] != want {
			t.Errorf("scene %s takes %q, and README lists %q", name, want, listed[name])
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("README lists the scene %s, which there is not", name)
	}
}
