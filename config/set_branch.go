package config

import "strings"

// branch is a key that is added: with a scalar or, when it has children, with
// a mapping of them.
type branch struct {
	name     string
	text     string
	children []branch
}

// block returns the lines of a branch in block style.
func (b branch) block(indent, step int) []string {
	head := strings.Repeat(" ", indent) + b.key(false) + ":"
	if len(b.children) == 0 {
		return []string{head + " " + b.text}
	}
	return append([]string{head}, blocks(b.children, indent+step, step)...)
}

// blocks returns the lines of branches in block style.
func blocks(list []branch, indent, step int) []string {
	var lines []string
	for _, b := range list {
		lines = append(lines, b.block(indent, step)...)
	}
	return lines
}

// flow returns a branch in flow style, its keys in double quotes if quoted.
func (b branch) flow(quoted bool) string {
	if len(b.children) == 0 {
		return b.key(quoted) + ": " + b.text
	}
	return b.key(quoted) + ": " + flows(b.children, quoted)
}

// flows returns a flow mapping.
func flows(list []branch, quoted bool) string {
	parts := make([]string, len(list))
	for i, b := range list {
		parts[i] = b.flow(quoted)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (b branch) key(quoted bool) string {
	if b.name != "<<" && (quoted || !plainSafe(b.name)) {
		return doubleQuoted(b.name)
	}
	return b.name
}
