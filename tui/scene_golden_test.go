package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"caliper/screenshots/scene"
)

func (p *player) golden(line scene.Line) error {
	name := strings.NewReplacer("$SIZE", p.size, "$THEME", p.theme).Replace(line.Rest)
	if p.look.Plain && strings.Contains(p.d.Styled(), "\x1b") {
		return errors.New("a plain theme writes escapes")
	}
	return sameAsGolden(name, p.d.Styled(), p.masks)
}

type mask struct {
	pattern     *regexp.Regexp
	replacement string
}

func (p *player) mask(line scene.Line) error {
	args, err := scene.Fields(line.Rest)
	if err != nil || len(args) != 2 {
		return errors.New("want a regexp and a replacement")
	}
	pattern, err := regexp.Compile(args[0])
	p.masks = append(p.masks, mask{pattern, args[1]})
	return err
}

func sameAsGolden(name, screen string, masks []mask) error {
	path := filepath.Join("testdata", name+".golden")
	clean := func(text string) []string {
		lines := strings.Split(strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\x1b", "␛"), "\n")
		for i, line := range lines {
			for _, m := range masks {
				line = m.pattern.ReplaceAllString(line, m.replacement)
			}
			lines[i] = strings.TrimRight(line, " ")
		}
		return lines
	}
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		return err
	}
	got, old := clean(screen), clean(string(want))
	if slices.Equal(got, old) {
		return nil
	}
	var diff strings.Builder
	for i := range max(len(got), len(old)) {
		if i < len(got) && i < len(old) && got[i] == old[i] {
			continue
		}
		if i < len(old) {
			fmt.Fprintf(&diff, "%4d - %s\n", i+1, old[i])
		}
		if i < len(got) {
			fmt.Fprintf(&diff, "%4d + %s\n", i+1, got[i])
		}
	}
	if !*update {
		return fmt.Errorf("%s is another picture; -update writes it anew\n%s", path, &diff)
	}
	if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
		return err
	}
	return fmt.Errorf("%s is written anew:\n%s", path, &diff)
}
