package fetch

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine/rescue"
	"caliper/model/require"
)

// wanted is the plugin's answer. Lines count from 0.
type wanted struct {
	Lines     []int64
	Error     string
	Matches   *[]int64
	First     json.RawMessage // of a range a number
	Last      int64
	Total     *int64
	BodyChars int    `json:"body_chars"`
	BodyStart string `json:"body_start"`
	Mode      string
	Raises    string
	Whole     bool
	Refused   bool
}

// vectors are what Toolaria at 677342e (2026-06-11) answers about our own texts.
type vectors struct {
	Texts map[string]string
	Grep  []struct {
		Text, Pattern string
		Want          wanted
	}
	Limits []struct {
		Text, Pattern string
		Config        struct {
			Pattern *int `json:"grep_max_pattern_len"`
			Line    *int `json:"grep_max_line_len"`
			Fetch   *int `json:"fetch_max_chars"`
		}
		Want wanted
	} `json:"grep_limits"`
	Range []struct {
		Text         string
		Start, Count int64
		Want         wanted
	}
	Arguments []struct {
		Arguments json.RawMessage
		Want      wanted
	} `json:"fetch_arguments"`
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("../testdata/toolaria.json")
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	require.NoError(t, err)
	return v
}

// Why an answer differs from the plugin's on purpose. README lists the same.
const (
	byRE2       = "RE2 has no lookaround, and no letter of another length as its other case"
	byReach     = "a line is searched to its end, however long it is"
	byHonesty   = "an answer ends with a whole line, says where, and names the request that goes on"
	byLeastRoom = "an answer that says what it searched needs room for that"
)

// differences are the cases that differ, by their text, pattern and limits.
var differences = map[string]string{
	`log (?<=barrel )27`:     byRE2,
	`log barrel (?!1)\d{2} `: byRE2,
	`mixed istanbul`:         byRE2,
	`long needle`:            byReach,
	`long z+n`:               byReach,
	`log barrel line 10`:     byReach,
	`wide row`:               byHonesty,
	`wide 0 60`:              byHonesty,
	`log error fetch 100`:    byLeastRoom,
	`log error fetch 0`:      byLeastRoom,
	`empty 3 5`:              "an answer that holds nothing is from 1 to 0",
}

// codes are our names of the plugin's errors.
var codes = map[string]string{
	"missing_pattern": CodeNoPattern, "pattern_too_long": CodePatternLong, "invalid_regex": CodePattern,
	"control_characters": CodeControl, "unknown_mode": CodeMode,
}

var hit = regexp.MustCompile(`(?m)^(\d+): `)

// hits returns the lines that an answer of grep shows, from 0.
func hits(a Answer) (lines []int64) {
	_, text, _ := strings.Cut(a.Text, "\n")
	for _, m := range hit.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		if n--; !slices.Contains(lines, n) { // a long line has several
			lines = append(lines, n)
		}
	}
	return lines
}

// checkGrep compares an answer with the plugin's.
func checkGrep(t *testing.T, name, text, pattern string, l rescue.Limits, want wanted) {
	t.Helper()
	a, err := Do([]byte(text), rescue.Meta{}, Request{Mode: Grep, Pattern: pattern}, l)
	var fault *rescue.Error
	errors.As(err, &fault)
	var same bool
	switch {
	case want.Error != "":
		same = fault != nil && fault.Code == codes[want.Error]
	case want.Matches != nil:
		same = err == nil && len(hits(a)) == 0 && a.Next == nil
	default:
		same = err == nil && slices.Equal(hits(a), want.Lines)
	}
	why := differences[name]
	switch {
	case same && why != "":
		t.Errorf("%s: no longer differs", name)
	case !same && why == "":
		t.Errorf("%s: got %v, %v, want %+v", name, hits(a), err, want)
	}
	if why == byHonesty { // the same lines, in two answers
		if a.Next == nil || !slices.Equal(hits(a), want.Lines[:len(hits(a))]) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestGrepVectors(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Grep {
		checkGrep(t, c.Text+" "+c.Pattern, v.Texts[c.Text], c.Pattern, config.Default().Rescue, c.Want)
	}
	for _, c := range v.Limits {
		l, name := config.Default().Rescue, c.Text+" "+c.Pattern
		for _, set := range []struct {
			name  string
			given *int
			to    *int
		}{{"pattern", c.Config.Pattern, &l.GrepMaxPatternLen}, {"line", c.Config.Line, &l.GrepMaxLineLen}, {"fetch", c.Config.Fetch, &l.FetchMaxChars}} {
			if set.given != nil {
				*set.to = *set.given
				name += " " + set.name + " " + strconv.Itoa(*set.given)
			}
		}
		checkGrep(t, name, v.Texts[c.Text], c.Pattern, l, c.Want)
	}
}

// checkRange compares an answer with the plugin's, whose lines are joined by \n
// and have no break at the end.
func checkRange(t *testing.T, name string, a Answer, want wanted) {
	t.Helper()
	var lines []string
	for rest := []byte(a.Text); len(rest) > 0; {
		var line []byte
		line, rest = rescue.NextLine(rest)
		lines = append(lines, string(line))
	}
	body := strings.Join(lines, "\n")
	var first int64
	_ = json.Unmarshal(want.First, &first)
	same := a.From == first+1 && a.To == want.Last+1 && a.Total == *want.Total &&
		utf8.RuneCount([]byte(body)) == want.BodyChars && strings.HasPrefix(body, want.BodyStart)
	switch why := differences[name]; {
	case same && why != "":
		t.Errorf("%s: no longer differs", name)
	case !same && why == "":
		t.Errorf("%s: got %+v, want %+v", name, a, want)
	case why == byHonesty && (a.Next == nil || a.Next.Start != a.To+1 || !strings.HasPrefix(body, want.BodyStart)):
		t.Errorf("%s: %+v", name, a)
	}
}

func TestRangeVectors(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Range {
		start := c.Start
		if start >= 0 {
			start++
		}
		a := do(t, v.Texts[c.Text], Request{Mode: Range, Start: start, Count: c.Count, CountGiven: true}, config.Default().Rescue)
		checkRange(t, c.Text+" "+strconv.FormatInt(c.Start, 10)+" "+strconv.FormatInt(c.Count, 10), a, c.Want)
	}
	equal(t, do(t, v.Texts["log"], Request{Mode: Range, Start: 0, Count: 3}, config.Default().Rescue),
		do(t, v.Texts["log"], Request{Mode: Range, Start: 1, Count: 3}, config.Default().Rescue))
}

// TestArgumentVectors: the arguments of a call mean what they mean to the plugin.
// Its ids have 12 digits and are the store's matter.
func TestArgumentVectors(t *testing.T) {
	v := readVectors(t)
	tried := 0
	for _, c := range v.Arguments {
		var id struct{ ID any }
		require.NoError(t, json.Unmarshal(c.Arguments, &id))
		text := v.Texts["log"]
		switch id.ID {
		case "*":
		case "#":
			text = strings.Repeat("x", 50001)
		default:
			continue
		}
		tried++
		name := string(c.Arguments)
		var q Request
		err := json.Unmarshal(c.Arguments, &q)
		if c.Want.Raises != "" {
			if err == nil {
				t.Errorf("%s: %+v", name, q)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if q.Start > 0 { // the vectors count from 0
			q.Start++
		}
		a, err := Do([]byte(text), rescue.Meta{}, q, config.Default().Rescue)
		var fault *rescue.Error
		errors.As(err, &fault)
		switch {
		case c.Want.Error != "" || c.Want.Refused:
			want := codes[c.Want.Error]
			if c.Want.Refused {
				want = CodeFull
			}
			if fault == nil || fault.Code != want {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case c.Want.Mode != "":
			if a.Mode != c.Want.Mode {
				t.Errorf("%s: %+v", name, a)
			}
		case c.Want.Whole:
			if a.Text != text || a.Next != nil {
				t.Errorf("%s: %+v", name, a)
			}
		default:
			checkRange(t, name, a, c.Want)
		}
	}
	if tried != 10 {
		t.Errorf("%d cases tried", tried)
	}
}
