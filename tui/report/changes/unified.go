package changes

import (
	"caliper/tui/report"
	"fmt"
	"strings"
)

// SettingWritten returns the report of a setting that was written to a file, or
// with a dry run would be, with the unified diff of the file. That is empty when
// the setting has the value already.
func SettingWritten(file, key string, value any, unified string, dryRun bool) *report.Report {
	r := new(report.Report)
	if unified == "" {
		r.Line(fmt.Sprintf("%s is unchanged: %s is %s there already", file, key, report.SettingValue(value)))
		return r
	}
	addUnified(r, unified)
	r.Blank()
	if dryRun {
		r.Line("dry run: " + file + " is as it was")
	} else {
		r.Line(file + " is written")
	}
	return r
}

// Unified returns the report of a unified diff.
func Unified(diff string) *report.Report {
	r := new(report.Report)
	addUnified(r, diff)
	return r
}

// addUnified adds the lines of a unified diff, which has one or more.
func addUnified(r *report.Report, diff string) {
	for line := range strings.SplitSeq(diff, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch line[0] {
		case '+', '-':
			r.Exact(report.Strong("%s", line))
		default:
			r.Exact(report.Faint("%s", line))
		}
	}
}
