// Command caliper is a terminal workbench for tool search in LLM agents. This
// file starts the process: it finds the folders of the user, the terminal's width and
// the limits of the garbage collector, which no package below it does.
package main

import (
	// Before everything that imports bubbletea; see its documentation.
	_ "caliper/tui/background"

	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"

	"caliper/tui"
	"caliper/tui/cli"
	"caliper/tui/cli/runner"
	"caliper/tui/workbench"

	"github.com/cli/browser"
	"golang.org/x/term"
)

func main() {
	if code, ok := cli.Supervise(os.Args[1:], os.Environ()); ok {
		os.Exit(code)
	}
	os.Exit(run())
}

// run runs the command line until it ends or is interrupted, and returns the
// exit code. A second interrupt ends the process at once.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop)
	log.SetOutput(io.Discard) // of net/http, which would write over the screen
	if os.Getenv("GOGC") == "" {
		limitGarbage(garbageOf(os.Args[1:]))
	}
	return cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, surroundings())
}

// limitGarbage sets how much garbage may pile up, from the first collection on. Most of the
// memory of most commands is then the text of a registry, of which nothing becomes garbage,
// and which costs a collector nothing to look at; the default, 100 percent, lets as much
// garbage pile up beside it. Before the first one, a lower share would only make a process
// that takes few megabytes collect for nothing.
func limitGarbage(g garbage) {
	percent := 0
	var collected func(struct{})
	collected = func(struct{}) {
		heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
		metrics.Read(heap)
		if p := g.share(heap[0].Value.Uint64(), heap[1].Value.Uint64()); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		runtime.AddCleanup(new([64]byte), collected, struct{}{}) // the next collection calls it again
	}
	runtime.AddCleanup(new([64]byte), collected, struct{}{})
}

// garbage is how much may pile up until it is collected.
type garbage struct {
	bytes uint64 // beside any heap
	most  int    // percent of what lives
	fixed bool   // no more where a collection scans more: nearly all that lint keeps is scanned
}

// share returns how much garbage may pile up beside a number of live bytes, in percent of
// them: bytes, or what a collection scans where that is more, so that collecting costs no
// larger part of the work when there is more to scan. It is between 12 percent and most.
func (g garbage) share(live, scanned uint64) int {
	if g.fixed {
		scanned = 0
	}
	return int(max(12, min(uint64(g.most), 100*max(g.bytes, scanned)/max(live, 1))))
}

// garbageOf returns how much garbage a command may have. Replay may have the most: all
// records of the logs go through a heap that is small, so that collecting it more often
// would cost more than the memory is worth.
func garbageOf(args []string) garbage {
	if slices.Contains(args, "replay") { // flags may stand before it
		return garbage{bytes: 64 << 20, most: 200}
	}
	return garbage{bytes: 40 << 20, most: 40, fixed: slices.Contains(args, "lint")}
}

// surroundings returns what the process knows of its terminal and environment.
func surroundings() runner.Env {
	env := runner.Env{
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Lookup:         os.LookupEnv,
		Explore:        tui.Run,
		Embedding:      embedding(),
		Store:          workbench.StatePath(os.Getenv, "rescue"),
		Supervise:      true,
	}
	env.Home, _ = os.UserHomeDir()
	env.Work, _ = os.Getwd()
	env.Settings, _ = os.UserConfigDir()
	if state := workbench.StatePath(os.Getenv, "state.json"); state != "" {
		env.State, env.Own = state, filepath.Join(filepath.Dir(state), "registries")
		env.SignIns = filepath.Join(filepath.Dir(state), "sign-ins")
		// On Linux a keyring is asked by the session's bus; without one the library would start a bus.
		env.Keyring = runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != ""
	}
	env.Browse = browse
	if env.StdoutTerminal {
		env.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	return env
}

// browse opens an address in the user's browser. On Linux there is one only beside a
// display.
func browse(address string) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("no display")
	}
	browser.Stdout, browser.Stderr = io.Discard, io.Discard // the output is ours
	return browser.OpenURL(address)
}

// embedding returns what embedders may use: the user's cache folder, the proxy
// that the environment names, and the key that is only taken from there.
func embedding() workbench.Embedding {
	e := workbench.Embedding{Key: os.Getenv("CALIPER_EMBED_API_KEY"), HTTP: &http.Client{Transport: http.DefaultTransport}}
	if folder, err := os.UserCacheDir(); err == nil {
		e.Cache = filepath.Join(folder, "caliper")
	}
	if path, err := os.Executable(); err == nil {
		e.Build = buildOf(path)
	}
	return e
}

// buildOf returns what tells the build of the program in a file from another, whose cached
// results may be others: its size, when it was written, and the hash of its beginning. It is
// empty where the file cannot be read. Packagers set the same time for all files, and builds
// of one size are not rare; the beginning has the linker's hash of the content.
func buildOf(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	beginning := sha256.New()
	if _, err := io.CopyN(beginning, file, 32<<10); err != nil && err != io.EOF {
		return ""
	}
	return fmt.Sprintf("%d %d %x", info.Size(), info.ModTime().UnixNano(), beginning.Sum(nil))
}
