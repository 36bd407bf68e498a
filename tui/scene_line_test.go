package tui

import (
	"fmt"
	"strings"
)

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

// bareText returns rest as a single argument: as it stands, or without its backquotes.
func bareText(rest string) (string, error) {
	if rest == "" {
		return "", fmt.Errorf("want an argument")
	}
	if len(rest) > 1 && rest[0] == '`' && strings.IndexByte(rest[1:], '`') == len(rest)-2 {
		return rest[1 : len(rest)-1], nil
	}
	return rest, nil
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
