package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"caliper/screenshots/reel"
	"caliper/screenshots/scene"
	"caliper/tui/picture/ansi"
)

func isFailure(err error) bool {
	var failure *scene.Failure
	return errors.Is(err, errDiffers) || errors.As(err, &failure)
}

// captured is a picture with its stored text.
type captured struct {
	scene.Picture
	text []byte
}

// capturesOf pairs the pictures of one theme with what the run made.
func capturesOf(s *scene.Scene, theme string, take *scene.Take) []captured {
	text := map[string][]byte{}
	for _, shot := range take.Shots {
		text[shot.Name] = ansi.Format(shot.Grid)
	}
	for _, film := range take.Films {
		text[film.Name] = film.Reel.Format()
	}
	var out []captured
	for _, p := range s.Pictures() {
		if p.Theme == theme {
			out = append(out, captured{p, text[p.Name]})
		}
	}
	return out
}

// textPath is where the screen of a picture is stored.
func (j *job) textPath(p scene.Picture) string {
	if p.Animated {
		return filepath.Join(j.out, p.Name+".reel")
	}
	return filepath.Join(j.out, p.Name+".ansi")
}

// imagePath is where the picture is drawn.
func (j *job) imagePath(p scene.Picture) string {
	if p.Animated {
		return filepath.Join(j.out, p.Name+".gif")
	}
	return filepath.Join(j.out, p.Name+".png")
}

// shoot plays the scenes, stores what changed and draws it.
func (j *job) shoot(ctx context.Context, scenes []*scene.Scene) error {
	return j.playAll(ctx, scenes, func(s *scene.Scene, theme string, take *scene.Take) error {
		for _, c := range capturesOf(s, theme, take) {
			done, err := j.store(ctx, c)
			if err != nil {
				return err
			}
			fmt.Fprintf(j.log, "%-5s %s\n", done, c.Name)
		}
		return nil
	})
}

// store writes a picture and its text unless both are there and the text is the same. It says
// what it did. The text comes last: a drawing that failed is drawn the next time.
func (j *job) store(ctx context.Context, c captured) (done string, err error) {
	stored, err := os.ReadFile(j.textPath(c.Picture))
	same := err == nil && bytes.Equal(stored, c.text)
	_, err = os.Stat(j.imagePath(c.Picture))
	if same && (j.text || err == nil) {
		return "same", nil
	}
	done = "text"
	if !j.text {
		done = "drawn"
		if err := j.draw(ctx, c); err != nil {
			return "", err
		}
	}
	return done, os.WriteFile(j.textPath(c.Picture), c.text, 0o644)
}

// drawAll draws every stored screen.
func (j *job) drawAll(ctx context.Context, scenes []*scene.Scene) error {
	for _, s := range scenes {
		for _, p := range s.Pictures() {
			text, err := os.ReadFile(j.textPath(p))
			if err != nil {
				return err
			}
			if err := j.draw(ctx, captured{p, text}); err != nil {
				return err
			}
			fmt.Fprintf(j.log, "drawn %s\n", p.Name)
		}
	}
	return nil
}

// check plays the scenes and compares the screens with the stored ones.
func (j *job) check(ctx context.Context, scenes []*scene.Scene) error {
	differs := false
	err := j.playAll(ctx, scenes, func(s *scene.Scene, theme string, take *scene.Take) error {
		for _, c := range capturesOf(s, theme, take) {
			stored, err := os.ReadFile(j.textPath(c.Picture))
			if err != nil {
				return err
			}
			d, err := compare(c, stored)
			if err != nil {
				return fmt.Errorf("%s:%w", j.textPath(c.Picture), err)
			}
			if d == "" {
				fmt.Fprintf(j.log, "same  %s\n", c.Name)
				continue
			}
			differs = true
			fmt.Fprintf(j.log, "differs %s (- stored, + now)\n%s", c.Name, d)
		}
		return nil
	})
	if err == nil && differs {
		err = errDiffers
	}
	return err
}

// compare describes how a picture differs from the stored text; "" when it does not.
func compare(now captured, stored []byte) (string, error) {
	if bytes.Equal(now.text, stored) {
		return "", nil
	}
	if !now.Animated {
		d := ansi.Diff(ansi.Parse(stored, now.Columns, 0), ansi.Parse(now.text, now.Columns, 0))
		if d == "" {
			d = "the stored text is spelled differently; run without -check\n"
		}
		return d, nil
	}
	want, err := reel.Parse(stored)
	if err != nil {
		return "", err
	}
	got, err := reel.Parse(now.text)
	if err != nil {
		return "", err
	}
	d := reel.Diff(want, got)
	if d == "" {
		d = "the stored text is spelled differently; run without -check\n"
	}
	return d, nil
}
