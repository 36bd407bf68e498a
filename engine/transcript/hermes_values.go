package transcript

import (
	"strconv"
	"time"

	"caliper/model/jsontree"
)

// timeOf returns a time in seconds since 1970, or in RFC 3339 with or without
// a zone; zero for anything else.
func timeOf(n *jsontree.Node) time.Time {
	if n.Is(jsontree.Number) {
		f, err := strconv.ParseFloat(n.Text, 64)
		if err != nil {
			return time.Time{}
		}
		return UnixTime(f)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, text(n)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// UnixTime returns a time in seconds since 1970, zero for what cannot be one.
func UnixTime(seconds float64) time.Time {
	if !(seconds >= 0 && seconds < 1e11) {
		return time.Time{}
	}
	return time.UnixMicro(int64(seconds * 1e6)).UTC()
}

// count returns a number of tokens; 0 for anything else.
func count(n *jsontree.Node) int {
	if !n.Is(jsontree.Number) {
		return 0
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	if err != nil || !(f >= 0 && f < 1e15) {
		return 0
	}
	return int(f)
}
