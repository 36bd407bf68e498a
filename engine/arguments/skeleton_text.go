package arguments

import (
	"strconv"
	"strings"
)

// exampleOf holds a string that satisfies each format of JSON Schema that has
// a shape of its own.
var exampleOf = map[string]string{
	"date":      "2026-01-31",
	"time":      "09:00:00Z",
	"date-time": "2026-01-31T09:00:00Z",
	"duration":  "PT1H",
	"email":     "name@example.com",
	"hostname":  "example.com",
	"ipv4":      "192.0.2.1",
	"ipv6":      "2001:db8::1",
	"uri":       "https://example.com",
	"iri":       "https://example.com",
	"uuid":      "00000000-0000-4000-8000-000000000000",
}

// text writes a string: an example of its format, else as many letters as it
// must have, up to a limit that keeps the line readable.
func (s *skeleton) text(v view) {
	const most = 40
	if format := v.get("format"); format != nil && exampleOf[format.text] != "" {
		s.out = appendString(s.out, exampleOf[format.text])
		return
	}
	least := 0
	if n := v.get("minLength"); n != nil {
		least, _ = strconv.Atoi(n.text)
	}
	s.out = appendString(s.out, strings.Repeat("x", min(max(least, 0), most)))
}
