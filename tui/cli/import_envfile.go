package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// envFile reads the file of environment variables that a server of the
// configuration config names, and returns them as NAME=value.
func (i *importing) envFile(name, config string) ([]string, error) {
	if !filepath.IsAbs(name) {
		folder, err := workspace(config)
		if err != nil {
			return nil, err
		}
		name = filepath.Join(folder, name)
	}
	f := readFile(name)
	if f.Err != nil {
		return nil, fmt.Errorf("%s: %w", name, innermost(f.Err))
	}
	return parseEnvFile(name, f.Data)
}

// envName is the name of an environment variable.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// parseEnvFile reads lines NAME=value, with or without export before them. A
// value may be in quotes: in double ones \n, \r, \t, \" and \\ are characters, in
// single ones nothing is special. Elsewhere a # after white space begins a
// comment.
//
// SECURITY: no error repeats a line.
func parseEnvFile(name string, data []byte) ([]string, error) {
	var variables []string
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\uFEFF"))) {
		n++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		variable, value, ok := strings.Cut(strings.TrimPrefix(text, "export "), "=")
		if variable = strings.TrimSpace(variable); !ok || !envName.MatchString(variable) {
			return nil, fmt.Errorf("%s:%d: want NAME=value", name, n)
		}
		variables = append(variables, variable+"="+envValue(strings.TrimSpace(value)))
	}
	return variables, nil
}

// envEscapes are the characters that stand behind a backslash in double quotes.
var envEscapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`, `\\`, `\`)

// envValue returns what a value means.
func envValue(text string) string {
	if text == "" {
		return ""
	}
	if quote := text[0]; quote == '"' || quote == '\'' {
		for end := 1; end < len(text); end++ {
			switch {
			case quote == '"' && text[end] == '\\':
				end++
			case text[end] == quote && quote == '"':
				return envEscapes.Replace(text[1:end])
			case text[end] == quote:
				return text[1:end]
			}
		}
	}
	if text[0] == '#' {
		return ""
	}
	for _, before := range []string{" #", "\t#"} {
		text, _, _ = strings.Cut(text, before)
	}
	return strings.TrimSpace(text)
}
