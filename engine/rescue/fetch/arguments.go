package fetch

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"caliper/model/words"
)

// UnmarshalJSON reads the arguments of a call of rescuer_fetch as the agent's
// plugin does: a number may be a text or have a fraction, which is cut off; no
// mode means stat, or pointer when there is one; null counts as left out; other
// arguments are passed over. Names count exactly, and the last of equal ones.
func (q *Request) UnmarshalJSON(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	*q = Request{}
	for _, a := range []struct {
		name string
		to   *string
	}{{"mode", &q.Mode}, {"unit", &q.Unit}, {"pattern", &q.Pattern}, {"query", &q.Query}, {"pointer", &q.Pointer}} {
		if value := given[a.name]; isGiven(value) {
			if err := json.Unmarshal(value, a.to); err != nil {
				return fmt.Errorf("%s: want a text", a.name)
			}
		}
	}
	if !isGiven(given["mode"]) && q.Pointer == "" {
		q.Mode = Stat
	}
	for _, a := range []struct {
		name string
		to   *int64
	}{{"start", &q.Start}, {"count", &q.Count}} {
		if value := given[a.name]; isGiven(value) {
			n, ok := wholeNumber(value)
			if !ok {
				return fmt.Errorf("%s: want a whole number", a.name)
			}
			*a.to = n
		}
	}
	q.CountGiven = isGiven(given["count"]) && q.Count == 0
	return nil
}

func isGiven(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// wholeNumber returns what Python's int makes of a JSON value, cut to the range of
// an int64.
func wholeNumber(value json.RawMessage) (int64, bool) {
	switch c := value[0]; {
	case c == 't':
		return 1, true
	case c == 'f':
		return 0, true
	case c == '"':
		var text string
		if json.Unmarshal(value, &text) != nil {
			return 0, false
		}
		return words.PythonInt(text)
	case c != '-' && (c < '0' || c > '9'):
		return 0, false
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err == nil || !strings.ContainsAny(string(value), ".eE") {
		return n, true // out of range it is the nearest number that is in it
	}
	f, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err != nil: // Python has an infinity here, which is no whole number
		return 0, false
	case f >= math.MaxInt64:
		return math.MaxInt64, true
	case f <= math.MinInt64:
		return math.MinInt64, true
	}
	return int64(f), true
}
