package live

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/yamltext"
)

// Subagent is an agent of Claude Code that another one asks: .claude/agents/*.md of the working
// folder or of the user. Measured on 2.1.332: an item of its lists is the name of a tool,
// mcp__SERVER, or mcp__SERVER__*; a star within a name fits nothing.
type Subagent struct {
	Name, File string
	tools      []string // nil for all
	disallowed []string
}

// Subagents returns the subagents; of one name the working folder's, or else the user's.
func (p ClientPlaces) Subagents() (all []Subagent) {
	for _, folder := range []string{filepath.Join(p.Work, ".claude"), p.Claude, filepath.Join(p.Home, ".claude")} {
		entries, _ := os.ReadDir(filepath.Join(folder, "agents")) // a folder that is not there has none
		for _, e := range entries {
			path := filepath.Join(folder, "agents", e.Name())
			data, err := ReadClientBytes(path)
			if folder == "" || filepath.Ext(path) != ".md" || err != nil {
				continue
			}
			s := readSubagent(path, data)
			if s.Name != "" && !slices.ContainsFunc(all, func(o Subagent) bool { return o.Name == s.Name }) {
				all = append(all, s)
			}
		}
	}
	return all
}

// readSubagent reads the head of a file; one that cannot be read has no name.
func readSubagent(path string, data []byte) Subagent {
	head, headed := yamltext.FrontMatter(data)
	parsed, _, err := clientfile.Parse("-.yaml", head)
	if !headed || err != nil {
		return Subagent{}
	}
	list := func(key string) []string {
		v := parsed.Root.Member(key)
		if v.Kind == clientfile.Text {
			return strings.FieldsFunc(v.Text, func(c rune) bool { return c == ',' || c == ' ' })
		}
		return v.Strings()
	}
	s := Subagent{parsed.Root.Member("name").Text, path, list("tools"), list("disallowedTools")}
	if slices.Contains(s.tools, "*") {
		s.tools = nil
	}
	return s
}

// Through returns the list of a setting with which the subagent takes a tool and no other more;
// nil where the list does not do alone.
func (s Subagent) Through(tool string, by Setting) []string {
	list := append(slices.Clone(s.tools), tool)
	if by.Key == "disallowedTools" {
		list = slices.DeleteFunc(slices.Clone(s.disallowed), func(item string) bool { return item == tool })
		s.disallowed = list
	} else {
		s.tools = list
	}
	if _, ok := s.Takes(tool); !ok {
		return nil
	}
	return list
}

// WriteSubagent returns the file of a subagent with another list of names under a key of its head.
// All other bytes stay. The error is a list that is not one line of plain names.
func WriteSubagent(path string, data []byte, key string, list []string) ([]byte, error) {
	head, _ := yamltext.FrontMatter(data)
	begin, found := bytes.Index(data, head), false // behind a byte order mark
	var line []byte
	for line = range bytes.Lines(head) {
		if found = bytes.HasPrefix(line, []byte(key+":")); found {
			break
		}
		begin += len(line)
	}
	if !found {
		return nil, fmt.Errorf("%s: no line of its head has %s", path, key)
	}
	line = bytes.TrimRight(line, "\r\n")
	if bytes.ContainsAny(line, "[\"'#|>&{") || slices.ContainsFunc(list, func(item string) bool { return strings.ContainsAny(item, ", :#\"'\n") }) {
		return nil, fmt.Errorf("%s: %s is not a line of plain names", path, key)
	}
	text := strings.TrimSuffix(key+": "+strings.Join(list, ", "), " ")
	out := slices.Concat(data[:begin], []byte(text), data[begin+len(line):])
	if s := readSubagent(path, out); s.Name == "" || !slices.Equal(map[string][]string{"tools": s.tools, "disallowedTools": s.disallowed}[key], list) {
		return nil, fmt.Errorf("%s: %s is not a line of plain names", path, key)
	}
	return out, nil
}

// Takes reports whether the subagent has a tool mcp__SERVER__NAME; else by is the list that keeps
// it away.
func (s Subagent) Takes(tool string) (by Setting, ok bool) {
	names := []string{tool}
	if server, local, found := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__"); found && local != "" {
		names = append(names, "mcp__"+server, "mcp__"+server+"__*")
	}
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(item string) bool { return slices.Contains(names, item) })
	}
	switch {
	case has(s.disallowed):
		return Setting{Key: "disallowedTools", File: s.File}, false
	case s.tools != nil && !has(s.tools):
		return Setting{Key: "tools", File: s.File}, false
	}
	return Setting{Key: "tools", File: s.File}, true
}
