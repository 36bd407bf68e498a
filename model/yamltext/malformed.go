package yamltext

import (
	"bytes"
	"strconv"
	"strings"
	"testing/iotest"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
)

// maxSearched is the size of a file up to which the line of an error is searched.
const maxSearched = 64 << 10

var (
	reportedLine  = words.LazyRegexp(`^line (\d+): `)
	unknownAnchor = words.LazyRegexp(`^unknown anchor '(.*)' referenced$`)
)

// malformed returns the diagnostic for an error of the YAML library, which knows no columns and
// counts lines from 1 or from 0 (parserc.go and decode.go, function fail). The position is
// computed for each kind of message; otherwise it is the first character of the line.
func (d *Document) malformed(data []byte, err error) model.Diagnostic {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	reported := 1
	if m := reportedLine().FindStringSubmatch(message); m != nil {
		reported, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	at, text := d.locate(data, message, reported)
	return d.Fault(min(at, len(data)), "malformed", text)
}

// locate returns the offset of the problem and the message about it.
func (d *Document) locate(data []byte, message string, reported int) (int, string) {
	switch {
	case strings.Contains(message, "tab character"), message == "found character that cannot start any token":
		at := bytes.LastIndexAny(data[:consumed(data)], "\t@`%")
		if at < 0 {
			return d.lineStart(reported), message
		}
		if data[at] == '\t' {
			return at, "a tab character; YAML is indented with spaces"
		}
		return at, "a value cannot begin with " + strconv.Quote(string(data[at])) + "; put it in quotes"
	case strings.HasPrefix(message, "mapping values are not allowed"):
		start, text := d.lines.lineOf(d.lines.offset(reported, 1))
		for i := len(text) - 1; i >= 0; i-- { // the last colon of the line that ends a key
			if text[i] == ':' && (i+1 == len(text) || strings.IndexByte(" \t\r", text[i+1]) >= 0) {
				return start + i, message
			}
		}
		return d.lineStart(reported), message
	case strings.HasPrefix(message, "did not find expected ',' or "):
		open := "["
		if strings.HasSuffix(message, "'}'") {
			open = "{"
		}
		// This message counts the line of the opening bracket from 0.
		return d.onLine(reported+1, open), "this " + strconv.Quote(open) + " is not closed: " + message
	case message == "found unexpected end of stream":
		return d.onLine(reported, `"'`), "a quoted string that begins here is not closed"
	case strings.HasPrefix(message, "exceeded max depth"):
		return consumed(data), "nested too deeply"
	}
	if m := unknownAnchor().FindStringSubmatch(message); m != nil {
		at := bytes.LastIndex(data[:consumed(data)], []byte("*"+m[1]))
		return max(at, 0), "unknown anchor " + strconv.Quote(m[1])
	}
	if strings.HasPrefix(message, "did not find expected") && len(data) <= maxSearched {
		// The line that causes the message: parsing the file up to it fails with the message, and
		// parsing it up to the line before does not.
		low, high := 0, len(d.lines.yaml) // low does not fail so, high does
		for high-low > 1 {
			mid := (low + high) / 2
			end := len(data)
			if mid < len(d.lines.yaml) {
				end = d.lines.offset(mid+1, 1)
			}
			_, err := decode(yaml.NewDecoder(bytes.NewReader(data[:end])))
			if err != nil && strings.HasSuffix(err.Error(), message) {
				high = mid
			} else {
				low = mid
			}
		}
		reported = high
	}
	return d.lineStart(reported), message
}

// lineStart returns the offset of a line's first character that is not blank.
func (d *Document) lineStart(line int) int {
	start := d.lines.offset(line, 1)
	rest := d.lines.data[start:]
	trimmed := bytes.TrimLeft(rest, " \t")
	if len(trimmed) == 0 || trimmed[0] == '\r' || BreaksLine(trimmed) {
		return start
	}
	return start + len(rest) - len(trimmed)
}

// onLine returns the offset of the first of chars on a line, or in the file: the library reports
// some lines wrong.
func (d *Document) onLine(line int, chars string) int {
	for _, n := range []int{line, 1} {
		start, text := d.lines.lineOf(d.lines.offset(n, 1))
		if i := bytes.IndexAny(text, chars); i >= 0 {
			return start + i
		}
	}
	return d.lineStart(line)
}

// consumed returns how much of data the library reads before it gives up, a few bytes behind the
// fault.
func consumed(data []byte) int {
	r := bytes.NewReader(data)
	dec := yaml.NewDecoder(iotest.OneByteReader(r))
	for {
		if _, err := decode(dec); err != nil {
			return len(data) - r.Len()
		}
	}
}
