package tui

import (
	"errors"
	"fmt"
	"image"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// text returns the text of the place that a line is about.
func (p *player) text() (string, error) {
	switch {
	case p.place == "":
		return p.d.Screen(), nil
	case p.place == "copied":
		return p.copied.last()
	case strings.Contains(p.place, "."):
		data, err := os.ReadFile(p.path(p.place))
		return string(data), err
	}
	whole, inner, err := p.where()
	if err != nil {
		return "", err
	}
	if p.place == "footer" {
		return p.footer(), nil
	}
	if p.row == 0 {
		return strings.Join(p.lines(whole), "\n"), nil
	}
	return p.lines(inner)[p.row-1], nil
}

// footer returns the footer, after a notice above it in one line.
func (p *player) footer() string {
	app := p.d.app()
	foot := app.layout.Footer
	shown := p.lines(foot)
	if n := len(app.drawNotice()); n > 0 {
		above := p.lines(image.Rect(foot.Min.X, app.layout.Body.Max.Y-n, foot.Max.X, app.layout.Body.Max.Y))
		shown = append([]string{strings.Join(strings.Fields(strings.Join(above, " ")), " ")}, shown...)
	}
	return strings.Join(shown, "\n")
}

// where returns the rectangle of the place of a line, and of the row.
func (p *player) where() (whole, inner image.Rectangle, err error) {
	if p.place == "" {
		whole = image.Rect(0, 0, p.d.w, p.d.h)
		return whole, whole, nil
	}
	whole, inner = p.rect(p.place)
	switch {
	case whole.Empty():
		err = fmt.Errorf("%s is not on the screen", p.place)
	case p.row > inner.Dy():
		err = fmt.Errorf("%s has %d rows", p.place, inner.Dy())
	}
	return whole, inner, err
}

// texts returns what a line and the lines below it ask for.
func (p *player) texts(line sceneLine) ([]string, error) {
	asked := line.Block
	if line.Rest != "" {
		asked = append([]string{line.Rest}, asked...)
	}
	out := make([]string, len(asked))
	for i, text := range asked {
		var err error
		if out[i], err = sceneText(strings.TrimSpace(text)); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, errors.New("want a text")
	}
	return out, nil
}

// expect returns an error unless something is so.
func expect(ok bool, otherwise string) error {
	if ok {
		return nil
	}
	return errors.New(otherwise)
}

// seen fails unless every text is there, or, unless it is wanted, when one is.
func (p *player) seen(line sceneLine, want bool) error {
	texts, err := p.texts(line)
	if err != nil {
		return err
	}
	shown, err := p.text()
	if err != nil {
		return err
	}
	for _, text := range texts {
		if strings.Contains(shown, text) == want {
			continue
		}
		if want {
			return fmt.Errorf("nothing shows %q", text)
		}
		return fmt.Errorf("%q is shown", text)
	}
	return nil
}

// styled fails unless a text is drawn in a style of the theme: styled Bad TEXT.
func (p *player) styled(line sceneLine) error {
	name, rest, _ := strings.Cut(line.Rest, " ")
	text, err := sceneText(strings.TrimSpace(rest))
	if err != nil {
		return err
	}
	style, err := p.style(name)
	if err != nil {
		return err
	}
	for row := range strings.SplitSeq(p.d.Styled(), "\n") {
		for _, drawn := range strings.Split(row, style)[1:] {
			if strings.HasPrefix(strings.TrimLeft(drawn, " "), text) {
				return nil
			}
		}
	}
	return fmt.Errorf("no %q is drawn as %s", text, name)
}

// reads fails unless the words of a text are there one after another, however
// they are broken into rows.
func (p *player) reads(line sceneLine) error {
	text, err := sceneText(line.Rest)
	if err != nil {
		return err
	}
	shown, err := p.text()
	if err != nil {
		return err
	}
	words := strings.Join(strings.FieldsFunc(shown, func(r rune) bool { return strings.ContainsRune(" \n│┤├┃┡┢┩┪", r) }), " ")
	return expect(strings.Contains(words, text), fmt.Sprintf("nothing reads %q", text))
}

// until fails unless a pattern matches, or, unless it is wanted, when it does: ^ and $ are the ends
// of a row.
func (p *player) until(line sceneLine, want bool) error {
	text, err := sceneText(line.Rest)
	if err != nil {
		return err
	}
	pattern, err := regexp.Compile("(?m)" + text)
	if err != nil {
		return err
	}
	shown, err := p.text()
	if err == nil && pattern.MatchString(shown) != want {
		err = fmt.Errorf("that %q matches is %v", text, !want)
	}
	return err
}

// count fails unless a text is there so many times: count N TEXT.
func (p *player) count(line sceneLine) error {
	number, rest, _ := strings.Cut(line.Rest, " ")
	want, err := strconv.Atoi(number)
	if err != nil {
		return errors.New("want a number and a text")
	}
	text, err := sceneText(strings.TrimSpace(rest))
	if err != nil {
		return err
	}
	shown, err := p.text()
	if err != nil {
		return err
	}
	got := strings.Count(shown, text)
	return expect(got == want, fmt.Sprintf("%q is shown %d times", text, got))
}

// is fails unless a place holds exactly the lines below, or the text behind it,
// or what the demo's file has, with some texts replaced: is demo OLD NEW.
func (p *player) is(line sceneLine) (err error) {
	want := strings.Join(line.Block, "\n") + "\n"
	if word, rest, _ := strings.Cut(line.Rest, " "); word == "demo" {
		data, err := demoFile(p.place)
		if err != nil {
			return err
		}
		pairs, err := editPairs([]string{rest})
		if err != nil {
			return err
		}
		if want, err = edited(string(data), pairs); err != nil {
			return err
		}
	} else if line.Rest != "" {
		if want, err = sceneText(line.Rest); err != nil {
			return err
		}
	}
	shown, err := p.text()
	if err != nil {
		return err
	}
	return expect(shown == want, fmt.Sprintf("it is %q, not %q", shown, want))
}
