//go:build unix

package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// row is one command of the table.
type row struct {
	name     string
	measures []measure // one a size
}

// unfinished reports whether the command did not finish at the last size.
func (r row) unfinished() bool {
	n := len(r.measures)
	return n > 0 && (r.measures[n-1].unfinished || r.measures[n-1].skipped)
}

// least is the CPU time above that of the start from which on an exponent is
// computed. Below it the two differ by what the machine does at the time.
const least = 5 * time.Millisecond

// exponent returns the power of the number of tools with which the CPU time
// grows between the last two sizes, without the time of a start:
//
//	log((cpu2 - start) / (cpu1 - start)) / log(size2 / size1)
//
// With a start of 10 ms, 110 ms at 10,000 tools and 1,310 ms at 100,000 it is
// log(1300/100) / log(10) = 1.11. It is false when there are no two sizes, one
// was not finished, or the smaller takes hardly longer than a start.
func (r row) exponent(sizes []int, start time.Duration) (float64, bool) {
	n := len(r.measures)
	if n < 2 || r.unfinished() {
		return 0, false
	}
	small, large := r.measures[n-2].cpu-start, r.measures[n-1].cpu-start
	if small < least || large < least {
		return 0, false
	}
	return math.Log(float64(large)/float64(small)) / math.Log(float64(sizes[n-1])/float64(sizes[n-2])), true
}

// cell returns a measure as "CPU seconds / MB".
func (m measure) cell(limit time.Duration) string {
	switch {
	case m.skipped:
		return "not tried"
	case m.unfinished:
		return fmt.Sprintf("over %.0f s", limit.Seconds())
	}
	return fmt.Sprintf("%s/%.0f", seconds(m.cpu), float64(m.memory)/1e6)
}

// seconds returns a time with two digits that count.
func seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.0995:
		return fmt.Sprintf("%.3f", s)
	case s < 9.95:
		return fmt.Sprintf("%.2f", s)
	default:
		return fmt.Sprintf("%.1f", s)
	}
}

// The columns of the table: the commands, the sizes and the exponent.
const (
	nameCells     = 30
	sizeCells     = 12
	exponentCells = 10
)

// table returns the table of the rows, in columns of text.
func table(rows []row, sizes []int, start measure, limit time.Duration) string {
	var out strings.Builder
	line := func(name string, cells []string, power string) {
		text := fmt.Sprintf("%-*s", nameCells, name)
		for _, c := range cells {
			text += fmt.Sprintf("%*s", sizeCells, c)
		}
		out.WriteString(strings.TrimRight(text+fmt.Sprintf("%*s", exponentCells, power), " ") + "\n")
	}
	heads, starts := make([]string, len(sizes)), make([]string, len(sizes))
	for i, n := range sizes {
		heads[i], starts[i] = thousands(n), start.cell(limit)
	}
	line("CPU s/MB", heads, "exponent")
	line("start (version)", starts, "")
	for _, r := range rows {
		cells := make([]string, len(r.measures))
		for i, m := range r.measures {
			cells[i] = m.cell(limit)
		}
		power := ""
		if e, ok := r.exponent(sizes, start.cpu); ok {
			power = fmt.Sprintf("%.2f", e)
		}
		line(r.name, cells, power)
	}
	return out.String()
}

// thousands writes a number with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
