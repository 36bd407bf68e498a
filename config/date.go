package config

import (
	"regexp"
	"strconv"
	"time"
)

// Patterns of dates. Source: YAML 1.1 type timestamp. A plain scalar is a date
// by the first; what an explicit tag names is read by the second.
var (
	plainDate = regexp.MustCompile(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)
	dateParts = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+]([0-9]{1,2})(?::([0-9]{2}))?))?)?$`)
)

// dateValue constructs a date, of which nothing but its being one matters
// here. A date that no calendar has makes the reference's loader fail, and
// with it the whole file.
func dateValue(s string) (v value, problem string) {
	v = value{kind: date}
	m := dateParts.FindStringSubmatch(s)
	if m == nil {
		return v, "not a date"
	}
	var n [9]int // year, month, day, hour, minute, second, zone hours, zone minutes
	for i := 1; i < len(m); i++ {
		n[i], _ = strconv.Atoi(m[i]) // absent parts are 0
	}
	year, month, day := n[1], n[2], n[3]
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	switch {
	case year < 1, t.Year() != year, int(t.Month()) != month, t.Day() != day:
		return v, "no such day"
	case n[4] > 23, n[5] > 59, n[6] > 59:
		return v, "no such time of day"
	case n[7]*60+n[8] >= 24*60:
		return v, "no such time zone"
	}
	return v, ""
}
