package live

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A server may start processes that leave its process group (setsid), which nothing that is sent to
// the group reaches. On Linux a supervisor therefore stands between caliper and the server: this
// program again, started with superviseWord, which inherits the orphans among its descendants
// (prctl(2), PR_SET_CHILD_SUBREAPER). The program itself must not: it would inherit those of an
// editor that it runs.
//
// The supervisor hands on the server's standard input and output, has two pipes, and exits as the
// server did, once nothing is left:
//
//	control  the byte askToEnd; its end, which also comes when caliper is killed, means that
//	         everything is to be killed
//	answer   what came of the start: the number of the error, 0 for none, and a line break
const (
	superviseWord = "supervise-mcp-server"
	controlFile   = 3
	answerFile    = 4
	askToEnd      = 'T'
)

// How long a supervisor may take to start, and to see everything end that it
// has killed: a process that waits for a device cannot be killed.
const (
	startGrace = 20 * time.Second
	killGrace  = 5 * time.Second
)

// errNoSupervisor is the error of a supervisor that has not answered.
var errNoSupervisor = errors.New("the supervisor of the server did not start")

// startAnswer returns what a supervisor says of the start: nil, or why there was none.
func startAnswer(r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, 16))
	number, whole := strings.CutSuffix(string(text), "\n")
	n, err2 := strconv.ParseUint(number, 10, 32)
	switch {
	case err != nil || !whole || err2 != nil:
		return errNoSupervisor
	case n != 0:
		return syscall.Errno(n)
	}
	return nil
}
