package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// golden compares the screen with the golden file of a name, in which $SIZE and
// $THEME stand for the scene's.
func (p *player) golden(line sceneLine) error {
	name := strings.NewReplacer("$SIZE", p.size, "$THEME", p.theme).Replace(line.Rest)
	if p.look.Plain && strings.Contains(p.d.Styled(), "\x1b") {
		return errors.New("a plain theme writes escapes")
	}
	return p.sameAs(filepath.Join("testdata", name+".golden"), p.d.Styled())
}

// sameAs compares a text with a file.
func (p *player) sameAs(path, text string) error {
	diff, err := sameAsFile(path, text, p.masks)
	if err != nil || diff == "" {
		return err
	}
	if *update { // the lines after it are played, and write theirs
		p.t.Errorf("%s is written anew:\n%s", path, diff)
		return nil
	}
	return fmt.Errorf("%s is another picture; -update writes it anew\n%s", path, diff)
}

// mask replaces what differs from run to run.
type mask struct {
	pattern     *regexp.Regexp
	replacement string
}

// mask has goldens compared with what a regexp matches replaced.
func (p *player) mask(line sceneLine) error {
	args, err := sceneFields(line.Rest)
	if err != nil || len(args) != 2 {
		return errors.New("want a regexp and a replacement")
	}
	pattern, err := regexp.Compile(args[0])
	p.masks = append(p.masks, mask{pattern, args[1]})
	return err
}

// sameAsFile compares a text with a file's, in which escapes may be written as ␛ and blanks at
// the ends of lines do not count. It returns the lines that differ, or nothing. With -update it
// writes the file.
func sameAsFile(path, text string, masks []mask) (string, error) {
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
	got, old := clean(text), clean(string(want))
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
		written := strings.Join(got, "\n") + "\n"
		if filepath.Ext(path) != ".golden" {
			written = strings.ReplaceAll(written, "␛", "\x1b")
		}
		return diff.String(), os.WriteFile(path, []byte(written), 0o644)
	}
	return diff.String(), nil
}
