//go:build unix

package e2e

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// harmless returns an error unless output is text and what the program itself
// writes to a terminal: the sequences of bubbletea and of its painter, the
// colours of a theme, the question for the background, and for each of the copies, in
// their order, one OSC 52 that holds exactly its text.
//
// Text that is data must not be in it as anything but characters that are
// seen. Attributes that no theme uses, such as blinking, are data's.
func harmless(output string, copies []string) error {
	cleared := false // the alternate screen was just turned on
	for i := 0; i < len(output); {
		switch rest := output[i:]; {
		case rest[0] == 0x1b:
			n, err := sequence(rest, cleared, &copies)
			if err != nil {
				from, to := max(0, i-60), min(len(output), i+60)
				return fmt.Errorf("byte %d: %w, in %q", i, err, output[from:to])
			}
			cleared = strings.HasPrefix(rest, "\x1b[?1049h")
			i += n
		default:
			r, n := utf8.DecodeRuneInString(rest)
			if r != '\r' && r != '\n' && !seen(r, n) {
				from, to := max(0, i-60), min(len(output), i+60)
				return fmt.Errorf("byte %d: %U in %q", i, r, output[from:to])
			}
			cleared = false
			i += n
		}
	}
	if len(copies) > 0 {
		return fmt.Errorf("not copied: %q", copies)
	}
	return nil
}

// seen reports whether a character of n bytes draws something and changes
// nothing else. Joiners that hold an emoji or a word of some scripts together
// are.
func seen(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n == 1:
		return false
	case r == '\u200d' || r == '\u200c':
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}

var (
	csi = regexp.MustCompile(`^\x1b\[([0-9;?]*)([A-Za-z])`)
	osc = regexp.MustCompile(`^\x1b\]52;c;([A-Za-z0-9+/=]+)\a`)
)

// modes are the private modes that the program turns on and off.
var modes = []string{"?25", "?1002", "?1003", "?1006", "?1049", "?2004", "?2026"}

// sequence returns the length of the control sequence at the start of text,
// and an error if it is none of the program's.
func sequence(text string, cleared bool, copies *[]string) (int, error) {
	for _, question := range []string{"\x1b]11;?\x1b\\"} {
		if strings.HasPrefix(text, question) {
			return len(question), nil
		}
	}
	if m := osc.FindStringSubmatch(text); m != nil {
		data, err := base64.StdEncoding.DecodeString(m[1])
		if err != nil || len(*copies) == 0 || string(data) != (*copies)[0] {
			return 0, fmt.Errorf("copied %q, want one of %q", data, *copies)
		}
		*copies = (*copies)[1:]
		return len(m[0]), nil
	}
	m := csi.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("no sequence of the program")
	}
	params := m[1]
	ok := false
	switch m[2] {
	case "m":
		ok = colours(params)
	case "h", "l":
		ok = slices.Contains(modes, params)
	case "H": // to a cell
		row, column, _ := strings.Cut(params, ";")
		ok = strings.Trim(row+column, "0123456789") == ""
	case "K": // to the end of the line, or, at the end, all of it
		ok = params == "" || params == "2"
	case "J": // the rest of the screen, or, at the start, all of it
		ok = params == "" || params == "2" && cleared
	}
	if !ok {
		return 0, fmt.Errorf("the sequence %q", m[0])
	}
	return len(m[0]), nil
}

// colours reports whether a theme may write SGR with these parameters.
func colours(params string) bool {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		n, err := strconv.Atoi(codes[i])
		switch {
		case params == "":
		case err != nil:
			return false
		case n == 0, n == 1, n == 2, n == 7, n >= 30 && n <= 37, n >= 40 && n <= 47, n >= 90 && n <= 107:
		case (n == 38 || n == 48) && i+4 < len(codes) && codes[i+1] == "2":
			i += 4
		case (n == 38 || n == 48) && i+2 < len(codes) && codes[i+1] == "5":
			i += 2
		default:
			return false
		}
	}
	return true
}

var private = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)

// modesOf returns for each private mode whether it was turned on or off, in
// order.
func modesOf(output string) map[int][]bool {
	all := map[int][]bool{}
	for _, m := range private.FindAllStringSubmatch(output, -1) {
		for _, mode := range strings.Split(m[1], ";") {
			n, _ := strconv.Atoi(mode)
			all[n] = append(all[n], m[2] == "h")
		}
	}
	return all
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, output string
		copies       []string
		ok           bool
	}{
		{"renderer", "\x1b[?25l\x1b[?1049h\x1b[2J\x1b[H\x1b[K\x1b[36;H\x1b[J\x1b[2K\x1b[?1049l", nil, true},
		{"question", "\x1b]11;?\x1b\\", nil, true},
		{"copy", "\x1b]52;c;aGk=\a", []string{"hi"}, true},
		{"copy that nobody asked for", "\x1b]52;c;aGk=\a", nil, false},
		{"another copy", "\x1b]52;c;aGk=\a", []string{"ho"}, false},
		{"blinking", "\x1b[5m", nil, false},
		{"cells to the right", "\x1b[3C", nil, false},
		{"cursor up", "\x1b[7A", nil, false},
		{"mode", "\x1b[?1000h", nil, false},
		{"bidi", "\u202e", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := harmless(tt.output, tt.copies); (err == nil) != tt.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}
