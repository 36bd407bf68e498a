package config

import (
	"bytes"
	"regexp"
)

var (
	minorVersion  = regexp.MustCompile(`^%YAML +1\.([0-9]+)`)
	directiveName = regexp.MustCompile(`^%([A-Za-z0-9_-]+)`)
)

// withoutDirectives returns data with its directives in a form that the YAML
// library takes, byte for byte as long, or data itself. The library refuses
// every version but 1.1 and every directive that it does not know. The
// reference's loader reads any version 1.x by the rules of YAML 1.1, and skips
// what it does not know. What both refuse, such as version 2.0, a second %YAML
// or directives without "---" after them, is left for the library to refuse.
func withoutDirectives(data []byte) []byte {
	out := data
	for start := 0; start < len(data); {
		end := start
		for end < len(data) && !breaksLine(data[end:]) {
			end++
		}
		line := data[start:end]
		switch {
		case len(line) > 0 && line[0] == '%':
			if len(out) > 0 && &out[0] == &data[0] {
				out = bytes.Clone(data)
			}
			rewriteDirective(out[start:end])
		case len(bytes.TrimLeft(line, " ")) > 0 && bytes.TrimLeft(line, " ")[0] != '#':
			return out
		}
		for start = end + 1; start < len(data) && data[start]&0xC0 == 0x80; {
			start++ // the rest of a break of several bytes
		}
	}
	return out
}

// rewriteDirective makes version 1.1 of another, and a comment of a directive
// that has no meaning.
func rewriteDirective(line []byte) {
	if m := minorVersion.FindSubmatchIndex(line); m != nil {
		minor := line[m[2]:m[3]]
		for i := range minor {
			minor[i] = '0'
		}
		minor[len(minor)-1] = '1'
		return
	}
	name := directiveName.FindSubmatch(line)
	if name == nil || string(name[1]) == "YAML" || string(name[1]) == "TAG" {
		return
	}
	if rest := line[len(name[0]):]; len(rest) == 0 || rest[0] == ' ' || rest[0] == '\r' {
		line[0] = '#'
	}
}
