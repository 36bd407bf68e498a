package scene

import (
	"fmt"
	"strings"
)

// Line is one verb of a scene and what stands behind it. The scenes of the explorer's own tests,
// in tui/testdata/scenes, are read by the same rules.
type Line struct {
	Number int // in the file, from 1
	Verb   string
	Rest   string   // without the blanks around it
	Block  []string // the lines below it that begin with a tab, without the tab; nil: none
}

// Lines returns the lines of a scene without the comments and the empty ones.
func Lines(data []byte) []Line {
	var lines []Line
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
		lines = append(lines, Line{Number: i + 1, Verb: verb, Rest: strings.TrimSpace(rest)})
	}
	return lines
}

// Text returns rest as a single argument: as it stands, or without its backquotes.
func Text(rest string) (string, error) {
	if rest == "" {
		return "", fmt.Errorf("want an argument")
	}
	if len(rest) > 1 && rest[0] == '`' && strings.IndexByte(rest[1:], '`') == len(rest)-2 {
		return rest[1 : len(rest)-1], nil
	}
	return rest, nil
}

// Fields splits rest at blanks; a field in backquotes may contain blanks.
func Fields(rest string) ([]string, error) {
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
