package transcript

import (
	"errors"
	"strconv"
	"time"
)

// Agents are those whose logs are read.
var Agents = []Agent{Claude, Codex, Hermes, OpenAI, Anthropic, Caliper, Copilot}

// errSince is why a text is no point in time.
var errSince = errors.New("want 30d, 12h, 2w, or a date such as 2026-09-01")

// ParseSince reads a point in time: a date, or a number of hours, days or weeks before
// now.
func ParseSince(s string, now time.Time) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	units := map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if s != "" {
		n, err := strconv.Atoi(s[:len(s)-1])
		unit, ok := units[s[len(s)-1]]
		if err == nil && ok && n >= 0 && n <= 100_000 {
			return now.Add(-time.Duration(n) * unit), nil
		}
	}
	return time.Time{}, errSince
}

// Before reports whether a session ended before a time. One without times did not.
func (s *Session) Before(since time.Time) bool {
	ended := LatestOf(s.Contexts)
	if s.Packed != nil {
		ended = s.Packed.Ended
	}
	return !ended.IsZero() && ended.Before(since)
}

// Since returns the sessions that went on at a time or after it, in their order; all for
// the zero time.
func Since(sessions []Session, since time.Time) []Session {
	if since.IsZero() {
		return sessions
	}
	var kept []Session
	for i := range sessions {
		if !sessions[i].Before(since) {
			kept = append(kept, sessions[i])
		}
	}
	return kept
}
