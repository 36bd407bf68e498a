package changes

import (
	"caliper/tui/report"
	"fmt"
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
	r.Add(report.Unified(unified))
	r.Blank()
	if dryRun {
		r.Line("dry run: " + file + " is as it was")
	} else {
		r.Line(file + " is written")
	}
	return r
}
