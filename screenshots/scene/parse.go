package scene

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	maxColumns = 400
	maxRows    = 200
	maxSeconds = 60
)

var (
	pictureName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	envEntry    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// Parse reads a scene file. Errors are "NAME:LINE: what".
func Parse(name string, data []byte) (*Scene, error) {
	p := parser{scene: &Scene{
		Name: name, Columns: DefaultColumns, Rows: DefaultRows, Themes: []string{"dark"}, Pace: DefaultPace,
	}}
	for _, line := range Lines(data) {
		p.line = line.Number
		if err := p.read(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line.Number, err)
		}
	}
	if p.film != "" {
		return nil, fmt.Errorf("%s:%d: gif start %s: no gif stop", name, p.line, p.film)
	}
	if err := p.uniquePictures(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p.scene, nil
}

type parser struct {
	scene *Scene
	line  int
	film  string // the name of the running film
}

func (p *parser) read(line Line) error {
	verb, rest := line.Verb, line.Rest
	if (line.Block != nil) != (verb == "home") {
		if verb == "home" {
			return fmt.Errorf("home: want the lines of the file below it, each after a tab")
		}
		return fmt.Errorf("%s: takes no lines below it", verb)
	}
	if verb == "home" {
		rest += "\n" + strings.Join(line.Block, "\n") + "\n"
	}
	if setting, ok := settings[verb]; ok {
		if len(p.scene.Steps) > 0 {
			return fmt.Errorf("%s: settings come before steps", verb)
		}
		if err := setting(p.scene, rest); err != nil {
			return fmt.Errorf("%s: %w", verb, err)
		}
		return nil
	}
	step, err := p.step(verb, rest)
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	step.Line = p.line
	p.scene.Steps = append(p.scene.Steps, step)
	return nil
}

var settings = map[string]func(*Scene, string) error{
	"size":  setSize,
	"theme": setThemes,
	"args": func(s *Scene, rest string) error {
		args, err := Fields(rest)
		s.Args = append(s.Args, args...)
		return err
	},
	"env": func(s *Scene, rest string) error {
		if !envEntry.MatchString(rest) {
			return fmt.Errorf("%q: want NAME=VALUE", rest)
		}
		s.Env = append(s.Env, rest)
		return nil
	},
	"home": setHome,
	"mask": setMask,
	"pace": func(s *Scene, rest string) (err error) {
		s.Pace, err = seconds(rest)
		return err
	},
}

func setSize(s *Scene, rest string) error {
	w, h, _ := strings.Cut(rest, "x")
	columns, errW := strconv.Atoi(w)
	rows, errH := strconv.Atoi(h)
	if errW != nil || errH != nil || columns < 1 || rows < 1 || columns > maxColumns || rows > maxRows {
		return fmt.Errorf("%q: want WIDTHxHEIGHT up to %dx%d", rest, maxColumns, maxRows)
	}
	s.Columns, s.Rows = columns, rows
	return nil
}

func setThemes(s *Scene, rest string) error {
	s.Themes = strings.Fields(rest)
	if len(s.Themes) == 0 {
		return fmt.Errorf("want dark, light or both")
	}
	for i, theme := range s.Themes {
		if theme != "dark" && theme != "light" || i > 0 && theme == s.Themes[0] || i > 1 {
			return fmt.Errorf("%q: want dark, light or both", rest)
		}
	}
	return nil
}

// setHome reads the path of a file in the home folder, and below it what is in the file.
func setHome(s *Scene, rest string) error {
	path, content, _ := strings.Cut(rest, "\n")
	if !filepath.IsLocal(path) || path == "." {
		return fmt.Errorf("%q: want the path of a file below the home folder", path)
	}
	s.Home = append(s.Home, File{Path: path, Content: content})
	return nil
}

func setMask(s *Scene, rest string) error {
	args, err := Fields(rest)
	if err != nil {
		return err
	}
	if len(args) != 2 {
		return fmt.Errorf("want REGEXP REPLACEMENT, got %d arguments", len(args))
	}
	pattern, err := regexp.Compile(args[0])
	if err != nil {
		return err
	}
	s.Masks = append(s.Masks, Mask{Pattern: pattern, Replacement: args[1]})
	return nil
}

func (p *parser) step(verb, rest string) (Step, error) {
	switch Verb(verb) {
	case Until:
		text, err := Text(rest)
		if err == nil {
			_, err = compile(text)
		}
		return Step{Verb: Until, Text: text}, err
	case Type, Paste, Shell:
		text, err := Text(rest)
		return Step{Verb: Verb(verb), Text: text}, err
	case Key, Press:
		keys, err := Fields(rest)
		if err == nil && len(keys) == 0 {
			err = fmt.Errorf("want key names")
		}
		return Step{Verb: Verb(verb), Keys: keys}, err
	case Settle:
		if rest != "" {
			return Step{}, fmt.Errorf("%q: takes no argument", rest)
		}
		return Step{Verb: Settle}, nil
	case Shot:
		return Step{Verb: Shot, Text: rest}, validName(rest)
	case Hold:
		d, err := seconds(rest)
		if err == nil && p.film == "" {
			err = fmt.Errorf("outside of a film; use until or settle to wait")
		}
		return Step{Verb: Hold, Duration: d}, err
	case Say:
		text, err := Text(rest)
		if err == nil && p.film == "" {
			err = fmt.Errorf("outside of a film")
		}
		return Step{Verb: Say, Text: text}, err
	case "gif":
		return p.gif(rest)
	}
	return Step{}, fmt.Errorf("unknown verb")
}

// compile reads the regexp of until: ^ and $ are the ends of a row.
func compile(text string) (*regexp.Regexp, error) { return regexp.Compile("(?m)" + text) }

func (p *parser) gif(rest string) (Step, error) {
	if rest == "stop" {
		if p.film == "" {
			return Step{}, fmt.Errorf("stop: no film is running")
		}
		p.film = ""
		return Step{Verb: GIFStop}, nil
	}
	name, ok := strings.CutPrefix(rest, "start ")
	if !ok {
		return Step{}, fmt.Errorf("%q: want start NAME or stop", rest)
	}
	if p.film != "" {
		return Step{}, fmt.Errorf("start %s: %s is still running", name, p.film)
	}
	p.film = name
	return Step{Verb: GIFStart, Text: name}, validName(name)
}

func (p *parser) uniquePictures() error {
	seen := map[string]bool{}
	for _, picture := range p.scene.Pictures() {
		if seen[picture.Name] {
			return fmt.Errorf("picture %s is taken twice; a scene with two themes needs $THEME in its names", picture.Name)
		}
		seen[picture.Name] = true
	}
	return nil
}

func validName(name string) error {
	if !pictureName.MatchString(Expand(name, "dark")) {
		return fmt.Errorf("name %q: want lower-case letters, digits and hyphens", name)
	}
	return nil
}

func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f <= maxSeconds) {
		return 0, fmt.Errorf("%q: want seconds, 0 to %d", text, maxSeconds)
	}
	return time.Duration(f * float64(time.Second)).Round(time.Millisecond), nil
}
