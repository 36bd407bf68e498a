package tui

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/require"
)

// TestScenes plays testdata/scenes, whose README tells how a scene is written.
func TestScenes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/scenes/*/*.scene")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenes", err)
	}
	screens := map[string]bool{}
	for _, file := range files {
		screens[filepath.Dir(file)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(screens)) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			playFolder(t, dir)
		})
	}
}

// playFolder plays the scenes of a folder.
func playFolder(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.scene"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scenes", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".scene"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			playScene(t, file, data)
		})
	}
}

// looksOf returns the sizes and themes that a scene is played in.
func looksOf(lines []sceneLine) (sizes, themes []string) {
	sizes, themes = []string{"120x36"}, []string{"dark"}
	for _, line := range lines {
		switch line.Verb {
		case "size":
			sizes = strings.Fields(line.Rest)
		case "theme":
			themes = strings.Fields(line.Rest)
		}
	}
	return sizes, themes
}

// playScene plays a scene in each of its sizes and themes.
func playScene(t *testing.T, file string, data []byte) {
	t.Helper()
	lines := sceneLines(data)
	sizes, themes := looksOf(lines)
	one := len(sizes)*len(themes) == 1
	if raceEnabled { // what runs beside what does not depend on the look, and takes five times as long
		sizes, themes = sizes[:1], themes[:1]
	}
	for _, size := range sizes {
		for _, theme := range themes {
			run := func(t *testing.T) { playLines(t, file, lines, size, theme) }
			if one {
				run(t)
				continue
			}
			t.Run(size+"-"+theme, func(t *testing.T) {
				t.Parallel()
				run(t)
			})
		}
	}
}

// playLines plays the lines of a scene in one size and theme.
func playLines(t testing.TB, file string, lines []sceneLine, size, theme string) {
	t.Helper()
	p := newPlayer(t, file, size, theme)
	p.film.pace = 90 * time.Millisecond
	p.film.says = slices.ContainsFunc(lines, func(line sceneLine) bool { return line.Verb == "say" })
	for _, line := range lines {
		if p.play(line); !p.quietly {
			p.frame(0)
		}
	}
}

// player plays one scene in one size and theme.
type player struct {
	sceneApp
	name        string // of the file
	line        int
	size, theme string
	w, h        int
	place       string // that the line being played is about; empty: the whole screen
	row         int    // of the place, from 1; 0: all
	masks       []mask // of goldens
	quietly     bool   // the watcher does not tell of the change of this line
	film        camera
}

// newPlayer returns the player of a scene, before its first line.
func newPlayer(t testing.TB, file, size, theme string) *player {
	p := &player{name: file, size: size, theme: theme}
	p.t = located{t, p}
	p.dir = require.ShortFolder(t)
	var err error
	if p.w, p.h, err = sizeNamed(size); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var ok bool
	if p.look, ok = sceneLooks[theme]; !ok {
		t.Fatalf("%s: no theme %s", file, theme)
	}
	return p
}

// located fails a test with the line of the scene that is being played.
type located struct {
	testing.TB
	p *player
}

// Fatal fails with the line.
func (l located) Fatal(args ...any) { l.TB.Helper(); l.Fatalf("%s", fmt.Sprint(args...)) }

// Fatalf fails with the line.
func (l located) Fatalf(format string, args ...any) {
	l.TB.Helper()
	l.TB.Fatalf("%s:%d: %s", l.p.name, l.p.line, fmt.Sprintf(format, args...))
}

// sizeNamed reads the size of a terminal.
func sizeNamed(text string) (w, h int, err error) {
	if _, err := fmt.Sscanf(text, "%dx%d", &w, &h); err != nil {
		return 0, 0, fmt.Errorf("%q is no size: want 120x36", text)
	}
	return w, h, nil
}

// play plays a line. When it fails, the test ends with the screen.
func (p *player) play(line sceneLine) {
	p.t.Helper()
	p.line, p.place, p.row, p.quietly = line.Number, "", 0, false
	defer func() {
		if r := recover(); r != nil {
			p.t.Fatalf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if err := p.do(line); err != nil {
		p.t.Fatalf("%s: %v\n%s", line.Verb, err, p.shown())
	}
}

// shown returns the text at the place where the line looks.
func (p *player) shown() string {
	if p.d == nil {
		return "the explorer is not open yet"
	}
	text, err := p.text()
	if err != nil || p.place == "" {
		return p.d.Screen()
	}
	return p.place + ":\n" + text
}

// do finds the verb of a line and does it.
func (p *player) do(line sceneLine) error {
	switch line.Verb {
	case "in":
		return p.in(line)
	case "at":
		sizes, rest, ok := cutVerb(line.Rest)
		if !ok {
			return errors.New("want a size, or several with commas, and a verb")
		}
		line.Verb, line.Rest = rest.Verb, rest.Rest
		if !slices.Contains(strings.Split(sizes, ","), p.size) {
			return nil
		}
		return p.do(line)
	case "quietly":
		p.quietly = true
		rest, _ := verbOf(line.Rest)
		line.Verb, line.Rest = rest.Verb, rest.Rest
		return p.do(line)
	case "not":
		rest, _ := verbOf(line.Rest)
		line.Verb, line.Rest = "not "+rest.Verb, rest.Rest
	}
	do, ok := sceneVerbs[line.Verb]
	if !ok {
		return fmt.Errorf("no such verb; there are: %s", strings.Join(slices.Sorted(maps.Keys(sceneVerbs)), ", "))
	}
	if p.d == nil && !sceneSettings[line.Verb] {
		if err := p.open(); err != nil {
			return err
		}
	}
	if p.d != nil && sceneSettings[line.Verb] && !sceneSteps[line.Verb] {
		return errors.New("a setting comes before the first step")
	}
	return do(p, line)
}

// verbOf splits off a verb.
func verbOf(text string) (sceneLine, bool) {
	verb, rest, _ := strings.Cut(text, " ")
	return sceneLine{Verb: verb, Rest: strings.TrimSpace(rest)}, verb != ""
}

// cutVerb splits off a word and a verb.
func cutVerb(text string) (string, sceneLine, bool) {
	word, rest, ok := strings.Cut(text, " ")
	line, _ := verbOf(strings.TrimSpace(rest))
	return word, line, ok
}

// in plays a line about one place: in PLACE [row N] VERB.
func (p *player) in(line sceneLine) error {
	place := ""
	for _, name := range scenePlaces {
		if strings.HasPrefix(line.Rest, name+" ") && len(name) > len(place) {
			place = name
		}
	}
	if place == "" {
		name, _, _ := strings.Cut(line.Rest, " ")
		if name != "copied" && !strings.Contains(name, ".") {
			return fmt.Errorf("no such place; there are: %s, copied, and files", strings.Join(scenePlaces, ", "))
		}
		place = name
	}
	p.place = place
	rest := strings.TrimSpace(strings.TrimPrefix(line.Rest, place))
	if row, after, ok := cutVerb(strings.TrimPrefix(rest, "row ")); ok && strings.HasPrefix(rest, "row ") {
		n, err := strconv.Atoi(row)
		if err != nil || n < 1 {
			return fmt.Errorf("row %s: rows count from 1", row)
		}
		p.row = n
		rest = after.Verb + " " + after.Rest
	}
	next, ok := verbOf(strings.TrimSpace(rest))
	if !ok {
		return errors.New("want a verb behind the place")
	}
	line.Verb, line.Rest = next.Verb, next.Rest
	return p.do(line)
}

// sceneText reads an argument: as it stands, without its backquotes, or, where
// it is in double quotes and has backslashes, with Go's escapes.
func sceneText(text string) (string, error) {
	if unquoted, err := strconv.Unquote(text); err == nil && text[0] == '"' && strings.Contains(text, `\`) {
		return unquoted, nil
	}
	switch {
	case text == "":
		return "", errors.New("want an argument")
	case len(text) > 1 && text[0] == '`' && strings.IndexByte(text[1:], '`') == len(text)-2:
		return text[1 : len(text)-1], nil
	}
	return text, nil
}

// sceneSettings are the verbs that come before the explorer is open, and
// sceneSteps the ones that come later too.
var (
	sceneSettings = map[string]bool{"size": true, "theme": true, "pace": true, "args": true, "query": true, "mask": true, "open": true, "store": true, "sessions": true, "agents": true, "remember": true, "home": true, "demo": true, "earlier": true, "write": true, "edit": true, "break": true}
	sceneSteps    = map[string]bool{"write": true, "edit": true, "break": true}
)

// sceneVerbs are the verbs of scenes. The README tells what each means.
var sceneVerbs map[string]func(p *player, line sceneLine) error

func init() { // which refers to itself
	nothing := func(*player, sceneLine) error { return nil }
	sceneVerbs = map[string]func(p *player, line sceneLine) error{
		"size": nothing, "theme": nothing,
		"open": func(p *player, line sceneLine) error { return p.openDemo(strings.Fields(line.Rest)...) },
		"args": (*player).args,
		"query": func(p *player, line sceneLine) (err error) {
			p.query, err = sceneText(line.Rest)
			return err
		},
		"start":    func(p *player, _ sceneLine) error { return nil }, // opened by do
		"mask":     (*player).mask,
		"sessions": func(p *player, line sceneLine) error { p.sessions = line.Rest; return nil },
		"agents": func(p *player, line sceneLine) error {
			p.agents = &sceneAgents{record: line.Rest == "record"}
			return expect(line.Rest == "here" || p.agents.record, "want here or record")
		},
		"events": (*player).events,
		"asks":   (*player).asks,
		"withdraw": func(p *player, _ sceneLine) error {
			x := p.agents.asked[len(p.agents.asked)-1]
			x.withdraw()
			<-x.answer
			p.hear()
			return nil
		},
		"answered": (*player).isAnswered,
		"store":    func(p *player, _ sceneLine) error { p.store = true; return nil },
		"home":     (*player).inHome,
		"demo":     func(p *player, line sceneLine) error { p.demo, p.tour = true, line.Rest == "tour"; return nil },
		"earlier":  (*player).earlier,
		"remember": func(p *player, _ sceneLine) error { p.state = true; return nil },
		"write":    (*player).write,
		"edit":     (*player).edit,
		"break":    (*player).breakFile,
		"watch":    (*player).watch,
		"disk": func(p *player, line sceneLine) error {
			name, text, _ := strings.Cut(line.Rest, " ")
			return os.WriteFile(p.path(name), []byte(text), 0o600)
		},

		"press": func(p *player, line sceneLine) error {
			return repeated(line.Rest, func(action string) error {
				k, err := p.key(action)
				if err == nil {
					p.send(k)
				}
				return err
			})
		},
		"key":   (*player).keys,
		"type":  (*player).typeText,
		"paste": (*player).paste,
		"click": (*player).click,
		"wheel": (*player).turnWheel,
		"resize": func(p *player, line sceneLine) error {
			w, h, err := sizeNamed(line.Rest)
			if err == nil {
				p.d.Resize(w, h)
			}
			return err
		},
		"restart": func(p *player, _ sceneLine) error {
			if !p.d.quit {
				p.d.Send(tea.KeyMsg{Type: tea.KeyCtrlC})
			}
			p.start(p.d.w, p.d.h)
			return nil
		},
		"clock": func(p *player, line sceneLine) error {
			d, err := time.ParseDuration(line.Rest)
			p.passed.Add(int64(d))
			return err
		},
		"wait": func(p *player, _ sceneLine) error { return p.noticeEnds() },

		"see":       func(p *player, line sceneLine) error { return p.seen(line, true) },
		"not see":   func(p *player, line sceneLine) error { return p.seen(line, false) },
		"reads":     (*player).reads,
		"until":     func(p *player, line sceneLine) error { return p.until(line, true) },
		"not until": func(p *player, line sceneLine) error { return p.until(line, false) },
		"count":     (*player).count,
		"select":    (*player).selectRow,
		"styled":    (*player).styled,
		"not styled": func(p *player, line sceneLine) error {
			return expect(p.styled(line) != nil, "it is drawn so")
		},
		"focus": func(p *player, line sceneLine) error {
			return expect(p.focus() == line.Rest, "the keyboard is in "+p.focus())
		},
		"golden":    (*player).golden,
		"shot":      (*player).shot,
		"gif":       (*player).takeFilm,
		"hold":      func(p *player, line sceneLine) error { d, err := seconds(line.Rest); p.frame(d); return err },
		"say":       func(p *player, line sceneLine) error { p.film.saying = line.Rest; return nil },
		"pace":      func(p *player, line sceneLine) (err error) { p.film.pace, err = seconds(line.Rest); return err },
		"is":        (*player).is,
		"ended":     func(p *player, _ sceneLine) error { return expect(p.d.quit, "it goes on") },
		"not ended": func(p *player, _ sceneLine) error { return expect(!p.d.quit, "it has ended") },
	}
}

// sceneLine is one verb of a scene and the words behind it.
type sceneLine struct {
	Number int // in the file, from 1
	Verb   string
	Rest   string   // without the blanks around it
	Block  []string // the lines below it that begin with a tab, without the tab; nil: none
}

// sceneLines returns the lines of a scene without the comments and the empty ones.
func sceneLines(data []byte) []sceneLine {
	var lines []sceneLine
	for i, text := range strings.Split(string(data), "\n") {
		if block, ok := strings.CutPrefix(text, "\t"); ok && len(lines) > 0 {
			last := &lines[len(lines)-1]
			last.Block = append(last.Block, block)
			continue
		}
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		verb, rest, _ := strings.Cut(text, " ")
		lines = append(lines, sceneLine{Number: i + 1, Verb: verb, Rest: strings.TrimSpace(rest)})
	}
	return lines
}

// sceneFields splits rest at blanks; a field in backquotes may contain blanks.
func sceneFields(rest string) ([]string, error) {
	var out []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] != '`' {
			field, after, _ := strings.Cut(rest, " ")
			out, rest = append(out, field), after
			continue
		}
		field, after, ok := strings.Cut(rest[1:], "`")
		if !ok {
			return nil, fmt.Errorf("unfinished backquote in %q", rest)
		}
		out, rest = append(out, field), after
	}
	return out, nil
}
