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

// golden compares the screen with the golden file of a name, in which $SIZE and
// $THEME stand for those of the scene.
func (p *player) golden(line scene.Line) error {
	name := strings.NewReplacer("$SIZE", p.size, "$THEME", p.theme).Replace(line.Rest)
	if p.look.Plain && strings.Contains(p.d.Styled(), "\x1b") {
		return errors.New("a plain theme writes escapes")
	}
	diff, err := sameAsGolden(name, p.d.Styled(), p.masks)
	if err != nil || diff == "" {
		return err
	}
	if *update { // the lines after it are played, and write theirs
		p.t.Errorf("%s is written anew:\n%s", name, diff)
		return nil
	}
	return fmt.Errorf("%s is another picture; -update writes it anew\n%s", name, diff)
}

// mask replaces what differs from run to run.
type mask struct {
	pattern     *regexp.Regexp
	replacement string
}

// mask has goldens compared with what a regexp matches replaced.
func (p *player) mask(line scene.Line) error {
	args, err := scene.Fields(line.Rest)
	if err != nil || len(args) != 2 {
		return errors.New("want a regexp and a replacement")
	}
	pattern, err := regexp.Compile(args[0])
	p.masks = append(p.masks, mask{pattern, args[1]})
	return err
}

// sameAsGolden compares a screen with testdata/NAME.golden, in which escapes are
// written as ␛ and blanks at the ends of lines do not count. It returns the lines
// that differ, or nothing. With -update it writes the file.
func sameAsGolden(name, screen string, masks []mask) (string, error) {
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
		return "", err
	}
	got, old := clean(screen), clean(string(want))
	if slices.Equal(got, old) {
		return "", nil
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
	if *update {
		return diff.String(), os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644)
	}
	return diff.String(), nil
}
