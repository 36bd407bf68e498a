package tui

import (
	"errors"
	"fmt"
	"image"
	"regexp"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/screenshots/scene"
	"caliper/tui/cells"
)

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

func (p *player) send(k tea.KeyMsg) {
	p.d.Send(k)
	p.settle()
}

func (p *player) args(line scene.Line) error {
	args, err := scene.Fields(line.Rest)
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

func (p *player) keys(line scene.Line) error {
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

func (p *player) typeText(line scene.Line) error {
	text, err := sceneText(line.Rest)
	if err == nil {
		p.d.Type(text)
		p.settle()
	}
	return err
}

func (p *player) paste(line scene.Line) error {
	text, err := sceneText(line.Rest)
	if err == nil {
		p.d.Paste(text)
		p.settle()
	}
	return err
}

func (p *player) point(line scene.Line) (image.Point, error) {
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
			return whole.Min.Add(image.Pt(cells.Width(before), y)), nil
		}
	}
	return image.Point{}, fmt.Errorf("nothing shows %q", text)
}

func (p *player) click(line scene.Line) error {
	at, err := p.point(line)
	if err == nil {
		p.d.Click(at.X, at.Y)
		p.settle()
	}
	return err
}

func (p *player) turnWheel(line scene.Line) error {
	steps, err := strconv.Atoi(line.Rest)
	if err != nil {
		return errors.New("want the number of steps")
	}
	at, err := p.point(scene.Line{})
	if err == nil {
		p.wheel(at, steps)
	}
	return err
}

func (p *player) selectRow(line scene.Line) error {
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
