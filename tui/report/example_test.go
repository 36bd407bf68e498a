package report_test

import (
	"fmt"
	"os"

	"caliper/tui/report"
)

// One report is printed for a terminal and as Markdown. What comes from outside
// is a Name: in Markdown it is code, so that it cannot be markup.
func Example() {
	r := new(report.Report)
	r.Say("%s finds %s.", report.Name("open a | change"), report.Count(1200, "tool"))
	t := report.Columns(">rank", "tool")
	t.Row(1, report.Name("open_change"))
	r.Table(t)

	report.Page{Out: os.Stdout, Width: 80}.Print(r)
	text, _ := r.Markdown()
	fmt.Print(text)
	// Output:
	// open a | change finds 1,200 tools.
	//   rank  tool
	//      1  open_change
	// `open a | change` finds 1200 tools.
	//
	// | rank | tool |
	// | --- | --- |
	// | 1 | `open_change` |
}
