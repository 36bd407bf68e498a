package tui

import (
	"errors"
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/ui"
)

// repeated splits "down x3, open" into actions or keys, each with how often.
func repeated(rest string, each func(name string) error) error {
	for item := range strings.SplitSeq(rest, ", ") {
		name, times := strings.TrimSpace(item), 1
		if i := strings.LastIndex(name, " x"); i > 0 {
			if n, err := strconv.Atoi(name[i+2:]); err == nil {
				name, times = name[:i], n
			}
		}
		for range times {
			if err := each(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// send sends a key and waits for what it starts.
func (p *player) send(k tea.KeyMsg) {
	p.d.Send(k)
	p.settle()
	if !p.quietly { // what goes on by itself afterwards is shown with it
		p.frame(p.film.pace)
	}
}

// args sets arguments of the command line.
func (p *player) args(line sceneLine) error {
	args, err := sceneFields(line.Rest)
	if err != nil {
		return err
	}
	for len(args) > 0 && err == nil {
		name := args[0]
		args = args[1:]
		err = p.setFlag(name, func() (string, error) {
			if len(args) == 0 {
				return "", fmt.Errorf("%s wants a value", name)
			}
			value := args[0]
			args = args[1:]
			return value, nil
		})
	}
	return err
}

// keys presses keys by name: key enter, down x3.
func (p *player) keys(line sceneLine) error {
	return repeated(line.Rest, func(name string) error {
		k, ok := namedKeys[name]
		if !ok {
			k, ok = keyNamed(name)
		}
		if ok {
			p.send(k)
		}
		return expect(ok, fmt.Sprintf("no key is called %q", name))
	})
}

// typeText types a text, letter by letter where that is filmed. Else all but the last come as one
// key, as letters do that are typed faster than they are read.
func (p *player) typeText(line sceneLine) error {
	text, err := sceneText(line.Rest)
	if err != nil {
		return err
	}
	if runes := []rune(text); p.film.name == "" && len(runes) > 2 {
		p.d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: runes[:len(runes)-1]})
		p.settle()
		text = string(runes[len(runes)-1:])
	}
	for _, r := range text {
		p.d.Type(string(r))
		p.settle()
		p.frame(p.film.pace)
	}
	return nil
}

// paste pastes a text as a terminal does.
func (p *player) paste(line sceneLine) error {
	text, err := sceneText(line.Rest)
	if err == nil {
		p.d.Paste(text)
		p.settle()
	}
	return err
}

// point returns the cell that a line is about: where a text stands, or else
// some cells into the row.
func (p *player) point(line sceneLine) (image.Point, error) {
	whole, inner, err := p.where()
	if err != nil || line.Rest == "" {
		return inner.Min.Add(image.Pt(2, max(p.row-1, 0))), err
	}
	text, err := sceneText(line.Rest)
	if err != nil {
		return image.Point{}, err
	}
	for y, row := range p.lines(whole) {
		if before, _, ok := strings.Cut(row, text); ok {
			return whole.Min.Add(image.Pt(ui.Width(before), y)), nil
		}
	}
	return image.Point{}, fmt.Errorf("nothing shows %q", text)
}

// click clicks on a text, or into a row.
func (p *player) click(line sceneLine) error {
	at, err := p.point(line)
	if err == nil {
		p.d.Click(at.X, at.Y)
		p.settle()
	}
	return err
}

// turnWheel turns the wheel over a place, down for positive steps.
func (p *player) turnWheel(line sceneLine) error {
	steps, err := strconv.Atoi(line.Rest)
	if err != nil {
		return errors.New("want the number of steps")
	}
	at, err := p.point(sceneLine{})
	if err == nil {
		p.wheel(at, steps)
	}
	return err
}

// selectRow goes down, and then up, until the selected row begins with a text.
func (p *player) selectRow(line sceneLine) error {
	text, err := sceneText(line.Rest)
	if err != nil {
		return err
	}
	mark := regexp.MustCompile("▌ *" + regexp.QuoteMeta(text) + `(\W|$)`)
	for _, action := range []string{"down", "up"} {
		for before := ""; before != p.d.Screen(); {
			if before = p.d.Screen(); mark.MatchString(before) {
				return nil
			}
			k, err := p.key(action)
			if err != nil {
				return err
			}
			p.send(k)
		}
	}
	return fmt.Errorf("no row begins with %q", text)
}
