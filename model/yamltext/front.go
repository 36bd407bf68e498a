package yamltext

import "bytes"

// FrontMatter returns the beginning of a file up to the line that ends its front matter, so that
// positions in it are those in the file; a byte order mark is left out. Lines may end with a
// carriage return. ok is false without a line of three hyphens at the top and another below, within MaxSize.
func FrontMatter(data []byte) (front []byte, ok bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	// SECURITY: what follows is not looked at, however large the file is.
	data = data[:min(len(data), MaxSize)]
	at := 0
	for line := range bytes.Lines(data) {
		switch fence := string(bytes.TrimRight(line, " \t\r\n")) == "---"; {
		case at == 0 && !fence:
			return nil, false
		case at > 0 && fence:
			return data[:at], true
		}
		at += len(line)
	}
	return nil, false
}
