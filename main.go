// Command caliper is a terminal workbench for tool search in LLM agents. This
// file starts the process: it looks at the terminal and the environment, which
// no package below it does, and ties the watchers to the explorer.
package main

import (
	"cmp"
	// Before everything that imports bubbletea; see its documentation.

	_ "caliper/tui/background"
	"caliper/tui/screen"
	"caliper/tui/ui"

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
	"strings"

	"caliper/config"
	"caliper/model/jsontree"
	"caliper/tui"
	"caliper/tui/cli"
	"caliper/tui/demo"
	"caliper/tui/labelfile"
	"caliper/tui/offer"
	"caliper/tui/overridefile"
	"caliper/tui/workbench"
	"caliper/watch"

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
	type swept struct{ _ [64]byte }
	percent := 0
	var collected func(struct{})
	collected = func(struct{}) {
		heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
		metrics.Read(heap)
		if p := g.share(heap[0].Value.Uint64(), heap[1].Value.Uint64()); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		runtime.AddCleanup(new(swept), collected, struct{}{}) // the next collection calls it again
	}
	runtime.AddCleanup(new(swept), collected, struct{}{})
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
func surroundings() cli.Env {
	env := cli.Env{
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Lookup:         os.LookupEnv,
		Explore:        explore,
		Watch:          watched,
		Embedding:      embedding(),
		Store:          workbench.StorePath(os.Getenv),
		Supervise:      true,
	}
	env.Home, _ = os.UserHomeDir()
	env.Work, _ = os.Getwd()
	env.Settings, _ = os.UserConfigDir()
	if state := tui.StatePath(os.Getenv); state != "" {
		env.Own = filepath.Join(filepath.Dir(state), "registries")
		env.SignIns, env.Keyring = filepath.Join(filepath.Dir(state), "sign-ins"), hasKeyring()
	}
	env.Browse = browse
	env.Last = func() []offer.Files { return tui.LastFiles(tui.StatePath(os.Getenv)) }
	if env.StdoutTerminal {
		env.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	return env
}

// hasKeyring reports whether the system may have a keyring. On Linux it is asked by the
// session's bus; without one the library would start a bus.
func hasKeyring() bool {
	return runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != ""
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
	e.Build = build()
	return e
}

// build returns what tells this build of the program from another, whose cached
// results may be others. It is empty where the program's file cannot be read.
func build() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return buildOf(path)
}

// buildOf is build for the program in a file: its size, when it was written, and
// the hash of its beginning. Packagers set the same time for all files, and builds
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

// explore watches the files of the options and opens the explorer on them.
func explore(ctx context.Context, o cli.Options) error {
	// The explorer takes signals itself: one that was meant for an editor must
	// not end it.
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	opt, err := explorer(ctx, o, watch.Options{})
	if err != nil {
		return err
	}
	return tui.Run(ctx, opt)
}

// explorer watches the files of the options until the context ends, and returns
// what the explorer needs. The durations of the watchers are those of pace.
func explorer(ctx context.Context, o cli.Options, pace watch.Options) (tui.Options, error) {
	look, ask, err := ui.Appearance(o.Theme, os.Getenv)
	if err != nil {
		return tui.Options{}, err
	}
	if o.Offer != nil {
		return tui.Options{Look: look, AskBackground: ask, Mouse: !o.NoMouse, Terminal: terminal(), Getenv: os.Getenv, Offer: chooser(ctx, o.Offer, pace)}, nil
	}
	var found []string // what was found beside the files of the command line, and what is not read
	if path := newQueries(o); o.Queries == "" && labelfile.Holds(path) {
		o.Queries, found = path, append(found, "labelled queries found beside the registry, in "+path+"; --queries takes others")
	}
	for _, folder := range cli.InnerFolders(o.Registry) {
		found = append(found, cli.InnerUnread(folder))
	}
	found = append(found, cli.SkippedYAML(o.Registry, o.Config)...)
	// What is served has the descriptions of its own start only.
	if path := beside(o, overridefile.Name); o.Flags.Overrides == "" && !o.Tour && o.Serving == nil && overridefile.Holds(path) {
		o.Flags.Overrides = path
		found = append(found, "descriptions found beside the registry, in "+path+"; --overrides takes others")
	}
	dumps := pace
	dumps.Valid = func(_ string, data []byte) bool { return jsontree.Whole(data) }
	dumps.Match = cli.RegistryFile
	registry := watch.Watch(ctx, o.Registry, dumps)
	opt := tui.Options{
		RegistryName:  strings.Join(o.Registry, " "),
		ConfigName:    o.Config,
		Poke:          map[screen.File]func(){screen.RegistryFile: registry.Poke},
		Flags:         o.Flags,
		Look:          look,
		AskBackground: ask,
		Mouse:         !o.NoMouse,
		QueriesName:   o.Queries,
		Terminal:      terminal(),
		Getenv:        os.Getenv,
		Lookup:        os.LookupEnv,
		ReadRegistry:  cli.ReadRegistry,
		Embedding:     o.Embedding,
		Store:         o.Store,
		ReadSessions:  o.ReadSessions,
		Sessions:      o.Replay,
		FoundSessions: o.FoundSessions,
		Prices:        o.Prices,
		Calibrated:    o.Calibrated,
		Serving:       o.Serving,
		NewQueries:    newQueries(o),
		NewOverrides:  beside(o, overridefile.Name),
	}
	opt.Changes[screen.RegistryFile] = relay(ctx, registry, o.Registry...)
	if o.Dumps != nil {
		opt.RegistryName, opt.Changes[screen.RegistryFile] = o.DumpName, dumped(ctx, o.Dumps, o.DumpName)
		delete(opt.Poke, screen.RegistryFile)
	}
	single := pace
	single.FilesOnly = true
	if o.Config != "" {
		valid := single
		valid.Valid = func(path string, data []byte) bool { _, err := config.Parse(path, data); return err == nil }
		file := watch.Watch(ctx, []string{o.Config}, valid)
		opt.Poke[screen.ConfigFile] = file.Poke
		opt.Changes[screen.ConfigFile] = relay(ctx, file)
	}
	opt.Watch = func(path string) (<-chan tui.Change, func()) {
		file := watch.Watch(ctx, []string{path}, single)
		return relay(ctx, file), file.Poke
	}
	if o.Queries != "" {
		opt.Changes[screen.QueriesFile], opt.Poke[screen.QueriesFile] = opt.Watch(o.Queries)
	}
	if len(o.Results) > 0 {
		files := watch.Watch(ctx, o.Results, single)
		opt.Poke[screen.ResultFile] = files.Poke
		opt.Changes[screen.ResultFile] = relay(ctx, files)
	}
	if o.PricesFile != "" {
		valid := single
		valid.Valid = tui.ArePrices
		file := watch.Watch(ctx, []string{o.PricesFile}, valid)
		opt.Changes[screen.PricesFile], opt.Poke[screen.PricesFile] = relay(ctx, file), file.Poke
	}
	if !o.NoState {
		opt.StatePath, opt.Inputs = tui.StatePath(os.Getenv), inputs(o)
	}
	opt.Welcome, opt.Tour = cmp.Or(o.Welcome, strings.Join(found, "; ")), o.Tour
	opt.Start = o.Start
	if o.Demo != "" {
		opt.Demo = true
		opt.Welcome = cmp.Or(o.Welcome, "this is the demo: its files are in "+o.Demo+" and may be edited")
	}
	return opt, nil
}

// inputs returns what the state knows the inputs of an explorer by: the registries
// and the config file. The demo is the same one in any folder.
func inputs(o cli.Options) []string {
	if o.Demo != "" {
		return []string{"demo"}
	}
	var names []string
	for _, name := range append(slices.Clone(o.Registry), o.Config) {
		if path, err := filepath.Abs(name); name != "" && err == nil {
			name = path
		}
		names = append(names, name)
	}
	return names
}

// newQueries returns the path of the file that the first label creates.
func newQueries(o cli.Options) string { return beside(o, demo.QueriesFile) }

// beside returns the path of a file beside the registry, and not in it, because a folder
// of dumps is read whole; without a registry beside the config file. It is empty without
// either.
func beside(o cli.Options, name string) string {
	file := o.Config
	if len(o.Registry) > 0 {
		file = o.Registry[0]
	}
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Clean(file)), name)
}

// chooser returns an offer whose choice is watched as files of the command line
// are.
func chooser(ctx context.Context, o *cli.Offer, pace watch.Options) *tui.Offer {
	return &tui.Offer{
		Options: o.Options,
		Open:    func(a offer.Answer) (tui.Options, error) { return explorer(ctx, o.Open(a), pace) },
		Again:   func(f offer.Files) (tui.Options, error) { return explorer(ctx, o.Again(f), pace) },
		Replay: func() (tui.Options, error) {
			written, err := o.Replay()
			if err != nil {
				return tui.Options{}, err
			}
			return explorer(ctx, written, pace)
		},
		Demo: func() (tui.Options, error) {
			written, err := o.Demo()
			if err != nil {
				return tui.Options{}, err
			}
			return explorer(ctx, written, pace)
		},
	}
}

// terminal returns the file for sequences that are not part of the screen:
// standard error, or standard output when standard error is no terminal.
func terminal() *os.File {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return os.Stderr
	}
	return os.Stdout
}

// watched returns a channel that is signalled when a file of a registry or the
// configuration has changed to something whole.
func watched(ctx context.Context, registry []string, file string) <-chan struct{} {
	out := make(chan struct{}, 1)
	follow := func(w *watch.Watcher) {
		for first := true; ; first = false {
			select {
			case <-w.Changes():
			case <-ctx.Done():
				return
			}
			if first { // what is there already
				continue
			}
			select {
			case out <- struct{}{}:
			default: // it is known already
			}
		}
	}
	if len(registry) > 0 {
		go follow(watch.Watch(ctx, registry, watch.Options{Valid: func(_ string, data []byte) bool { return jsontree.Whole(data) }, Match: cli.RegistryFile}))
	}
	if file != "" {
		go follow(watch.Watch(ctx, []string{file}, watch.Options{FilesOnly: true, Valid: func(path string, data []byte) bool { _, err := config.Parse(path, data); return err == nil }}))
	}
	return out
}

// relay returns a channel of what a watcher reports, as the explorer takes it.
// Files that are not among the named ones are those of a folder.
func relay(ctx context.Context, w *watch.Watcher, named ...string) <-chan tui.Change {
	out := make(chan tui.Change)
	go func() {
		defer close(out)
		for {
			select {
			case c := <-w.Changes():
				select {
				case out <- changeOf(c, named):
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// dumped returns a channel of the registries that servers list, as the explorer takes
// them.
func dumped(ctx context.Context, dumps <-chan []byte, name string) <-chan tui.Change {
	out := make(chan tui.Change)
	go func() {
		defer close(out)
		for {
			select {
			case data := <-dumps:
				select {
				case out <- tui.Change{Files: []workbench.File{{Name: name, Data: data}}}:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// changeOf returns a watcher's report as the explorer takes it. Files that are not among
// the named ones are those of a folder, unless none is named.
func changeOf(c watch.Change, named []string) tui.Change {
	change := tui.Change{Note: c.Note}
	for _, f := range c.Files {
		file := workbench.File{Name: f.Path, Data: f.Data, Err: f.Err}
		if errors.Is(f.Err, watch.ErrNoFiles) {
			file.Err = cli.ErrNoDump // as at a start
		}
		change.Files = append(change.Files, file)
	}
	if len(named) > 0 {
		change.Files = cli.OfFolders(change.Files, named)
	}
	return change
}
