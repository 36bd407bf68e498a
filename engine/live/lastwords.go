package live

import (
	"regexp"
	"slices"
	"strings"
)

// The bounds of what is repeated of a server's last words: lines that tell of a
// fault, as many from the beginning as from the end, because some runtimes put
// the cause first (Node, npm) and some last (Python); and bytes of a line.
const (
	faultLines = 2
	wordBytes  = 240
)

var (
	// tellsFault is a line that tells what is wrong.
	tellsFault = regexp.MustCompile(`(?i)\b(\w*error|\w*exception|fatal|panic|denied|refused|unauthorized|forbidden|invalid|missing|required|cannot|can't|could not|unable|failed|failure|no such|not found|not set|usage)\b`)
	// tellsNothing is a line of a trace, a bracket, or the version of a runtime.
	tellsNothing = regexp.MustCompile(`^(at .*|[\s^~{}()\[\],;.]*|Node\.js v[0-9.]+|node:[\w/:]+|File ".*|Traceback .*|goroutine \d.*|throw .*;|(code|errno|syscall|path|requireStack): .*|note: run with .RUST_BACKTRACE.*|npm (error|ERR!) (A complete log of this run.*)?)$`)
)

// lastWords returns the lines of text that say why a server ended, with " / "
// between them: those that tell of a fault and the last one, or the last lines
// when none does. Text is safe to print.
func lastWords(text string) string {
	var lines, faults []string
	for line := range strings.SplitSeq(text, "\n") {
		line = clip(strings.TrimSpace(line), wordBytes)
		if line == "" || len(lines) > 0 && lines[len(lines)-1] == line {
			continue
		}
		lines = append(lines, line)
	}
	if told := slices.DeleteFunc(slices.Clone(lines), tellsNothing.MatchString); len(told) > 0 {
		lines = told
	}
	for _, line := range lines {
		if tellsFault.MatchString(line) {
			faults = append(faults, line)
		}
	}
	switch n := len(faults); {
	case n == 0:
		lines = lines[max(0, len(lines)-faultLines-1):]
	default:
		last := lines[len(lines)-1]
		if n > 2*faultLines {
			faults = slices.Concat(faults[:faultLines], []string{"…"}, faults[n-faultLines:])
		}
		if faults[len(faults)-1] != last {
			faults = append(faults, last)
		}
		lines = faults
	}
	return strings.Join(lines, " / ")
}
