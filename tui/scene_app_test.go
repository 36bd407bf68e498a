package tui

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/demo"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// This file is all that scenes know of the explorer's inside: how it is opened,
// which key an action has, and where a pane is. When those change, it changes,
// and no scene does.

// The files that an explorer in a scene reads. Every other name belongs to a
// tool's result.
const (
	registryFile = "registry.json"
	configFile   = "config.yaml"
	queriesFile  = demo.QueriesFile
	overrideFile = workbench.OverridesName
)

// fileOf returns which of the inputs a file is.
func fileOf(name string) screen.File {
	switch name {
	case registryFile:
		return screen.RegistryFile
	case configFile:
		return screen.ConfigFile
	case queriesFile:
		return screen.QueriesFile
	case overrideFile:
		return screen.OverridesFile
	}
	return screen.ResultFile
}

// sceneFile is a file as the explorer was last given it.
type sceneFile struct {
	name   string
	data   []byte
	err    error
	untold bool // the explorer has not heard of it yet
}

// sceneApp is the explorer of a scene with the files it reads. Configuration
// and queries are files in a folder, because the explorer writes them; registry
// and results are handed over without one.
type sceneApp struct {
	t        testing.TB
	dir      string
	files    []sceneFile
	look     ui.Look
	query    string
	flags    workbench.Flags
	demo     bool             // the header names the demo
	tour     bool             // the tour begins at once
	home     bool             // there are configurations of clients, which are offered first
	last     []desk.LastFiles // what earlier runs were opened on, which is offered first
	state    bool             // what the explorer remembers is kept in a file
	store    bool             // there is a folder for results
	sessions string           // given, found or hostile: there are sessions to replay; empty: nothing reads any
	copied   copying
	agents   *sceneAgents // what agents do is shown; nil: none are served

	passed atomic.Int64 // of the clock, in nanoseconds
	d      *driver      // nil until start
}

// sceneLooks are the themes of scenes.
var sceneLooks = map[string]ui.Look{
	"dark": dark, "light": {Light: true, Profile: termenv.TrueColor}, "plain": {Plain: true}, "ascii": {Plain: true, ASCII: true},
}

// file returns a file that was opened, nil if none has the name.
func (a *sceneApp) file(name string) *sceneFile {
	i := slices.IndexFunc(a.files, func(f sceneFile) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &a.files[i]
}

// put gives a file a content, on disk where it is there, and opens it if it was
// not open.
func (a *sceneApp) put(name string, data []byte, err error) error {
	f := a.file(name)
	if f == nil {
		if a.d != nil {
			return fmt.Errorf("%s is not open", name)
		}
		a.files = append(a.files, sceneFile{name: name})
		f = &a.files[len(a.files)-1]
	}
	f.data, f.err, f.untold = data, err, a.d != nil
	if a.onDisk(name) && err == nil {
		return os.WriteFile(a.path(name), data, 0o600)
	}
	return nil
}

// onDisk reports whether a file is in the folder of the scene.
func (a *sceneApp) onDisk(name string) bool {
	return name == configFile || name == queriesFile || name == overrideFile
}

// path returns where a file is on disk.
func (a *sceneApp) path(name string) string { return filepath.Join(a.dir, name) }

// changes returns the files of an input as a watcher reports them.
func (a *sceneApp) changes(file screen.File) watch.Change {
	var c watch.Change
	for _, f := range a.files {
		if fileOf(f.name) == file {
			name := f.name
			if a.onDisk(name) {
				name = a.path(name)
			}
			c.Files = append(c.Files, watch.File{Name: name, Data: f.data, Err: f.err})
		}
	}
	return c
}

// start opens the explorer and waits until it has read everything.
func (a *sceneApp) start(w, h int) {
	began := time.Date(2026, 11, 2, 14, 3, 41, 0, time.UTC)
	opt := Options{
		Registry: []string{registryFile}, Look: a.look, Query: a.query, Flags: a.flags, Still: true, Tour: a.tour,
		Terminal: &a.copied,
		Now:      func() time.Time { return began.Add(time.Duration(a.passed.Load())) },
	}
	if a.file(configFile) != nil {
		opt.Config = a.path(configFile)
	}
	if a.file(queriesFile) != nil {
		opt.Queries = a.path(queriesFile)
	}
	opt.NewQueries, opt.NewOverrides, opt.Watch = a.path(queriesFile), a.path(overrideFile), a.watch
	a.replays(&opt)
	a.serves(&opt)
	if a.state {
		opt.StatePath = a.path("state.json")
	}
	if a.store {
		opt.Store = a.path("kept")
	}
	if a.demo {
		opt.Demo = a.dir
	}
	if len(a.changes(screen.ResultFile).Files) > 0 {
		opt.Results = []string{a.dir}
	}
	if len(a.changes(screen.PricesFile).Files) > 0 {
		opt.PricesFile = a.dir
	}
	var model tea.Model
	if a.home {
		opt.Offer = a.offered(opt)
		model = newFront(a.t.Context(), opt)
	} else {
		app := NewApp(a.t.Context(), opt)
		app.clip.Desktop = nil // copied texts go to the terminal alone
		app.knowsDemo(a.changes(screen.RegistryFile).Files)
		a.t.Cleanup(app.stop)
		model = app
	}
	a.d = &driver{t: a.t, model: model, w: w, h: h, late: make(chan tea.Msg, 100)}
	a.d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	a.d.run(model.Init())
	a.settle()
	if app, ok := model.(*App); ok && app.state != nil {
		begun.Store(app.state.Snapshot, app.state)
	}
}

// begun keeps the states that scenes begin with, so that another scene that begins so finds what is known of it.
var begun sync.Map

// watch reports the files of an input once. The file that the first label or description
// creates is read from disk.
func (a *sceneApp) watch(file screen.File, paths []string) (<-chan watch.Change, func()) {
	c := a.changes(file)
	if created := file == screen.LessonsFile || file == screen.OverridesFile || file == screen.QueriesFile && len(c.Files) == 0; created {
		f := watch.Read(paths[0])
		if name := filepath.Base(f.Name); a.file(name) == nil {
			a.files = append(a.files, sceneFile{name: name, data: f.Data, err: f.Err})
		}
		c.Files = []watch.File{f}
	}
	if len(c.Files) == 0 {
		return nil, nil
	}
	changes := make(chan watch.Change, 1)
	changes <- c
	close(changes)
	return changes, func() {}
}

// settle waits for commands that took long.
func (a *sceneApp) settle() {
	for a.d.slow > 0 {
		a.d.slow--
		a.d.Send(<-a.d.late)
	}
}

// tell delivers a file as its watcher does.
func (a *sceneApp) tell(name string) {
	file := fileOf(name)
	for i := range a.files {
		if fileOf(a.files[i].name) == file {
			a.files[i].untold = false
		}
	}
	a.d.changed(file, a.changes(file).Files...)
	a.settle()
}

// noticeEnds ends the notice in the footer, as time does.
func (a *sceneApp) noticeEnds() error {
	n := &a.d.app().notices
	if n.Level == ui.LevelFlip && n.Showing {
		return errors.New("this notice stays until it is hidden")
	}
	a.d.Send(ui.NoticeExpiredMsg(n.Gen))
	return nil
}

// key returns the key that an action has where the keyboard is now.
func (a *sceneApp) key(action string) (tea.KeyMsg, error) {
	var here []string
	for _, g := range a.layer().Groups {
		for _, b := range g.Bindings {
			if b.Action == "" || len(b.Keys()) == 0 {
				continue
			}
			if string(b.Action) == action {
				k, _ := keyNamed(b.Keys()[0])
				return k, nil
			}
			here = append(here, string(b.Action))
		}
	}
	return tea.KeyMsg{}, fmt.Errorf("no key does %q here; there are: %s", action, strings.Join(here, ", "))
}

// focus returns the name of the pane of Explore that has the keyboard.
func (a *sceneApp) focus() string { return a.d.app().explore.Focus().String() }

// scenePlaces are the names of places on the screen, as rect knows them.
var scenePlaces = []string{"header", "tabs", "footer", "body", "list", "below", "knobs", "query", "hits", "schema", "why", "dry run", "draft"}

// rect returns where a place is on the screen, with its border, and without.
func (a *sceneApp) rect(place string) (whole, inner image.Rectangle) {
	app := a.d.app()
	switch place {
	case "header":
		return app.layout.Header, app.layout.Header
	case "tabs":
		return app.layout.Tabs, app.layout.Tabs
	case "footer":
		return app.layout.Footer, app.layout.Footer
	case "body":
		if app.current == 0 {
			return image.Rectangle{}, image.Rectangle{}
		}
		return app.box().Rect, app.box().Inner
	}
	app.View() // which places everything
	if app.current == 0 {
		box := app.explore.Box(place)
		return box.Rect.Add(app.layout.Body.Min), box.Inner.Add(app.layout.Body.Min)
	}
	if s, ok := app.screen().(interface {
		Area(name string) image.Rectangle
	}); ok && !s.Area(place).Empty() {
		r := s.Area(place).Add(app.box().Inner.Min)
		return r, r
	}
	return image.Rectangle{}, image.Rectangle{}
}

// style returns how a style of the theme begins.
func (a *sceneApp) style(name string) (string, error) {
	theme := (*ui.Theme)(nil)
	if f, ok := a.d.model.(*front); ok {
		theme = f.theme
	} else {
		theme = a.d.app().theme
	}
	field := reflect.ValueOf(theme).Elem().FieldByName(name)
	if !field.IsValid() || field.Kind() != reflect.String || field.Len() == 0 {
		return "", fmt.Errorf("no style is called %s in this theme", name)
	}
	return field.String(), nil
}

// wheel turns the wheel over a cell, down for positive steps.
func (a *sceneApp) wheel(at image.Point, steps int) {
	a.d.Send(terminal.WheelMsg{X: at.X, Y: at.Y, DY: steps})
}

// lines returns the rows of a rectangle of the screen as text, without blanks at
// their ends.
func (a *sceneApp) lines(r image.Rectangle) []string {
	var out []string
	for y, line := range strings.Split(a.d.Styled(), "\n") {
		if y >= r.Min.Y && y < r.Max.Y {
			out = append(out, strings.TrimRight(ansi.Cut(ansi.Strip(line), r.Min.X, r.Max.X), " "))
		}
	}
	return out
}

// setFlag sets an argument of the command line.
func (a *sceneApp) setFlag(name string, value func() (string, error)) (err error) {
	f := &a.flags
	switch name {
	case "--strict":
		f.Strict = true
	case "--session":
		f.Session, err = value()
	case "--overrides":
		f.Overrides, err = value()
		f.Overrides = a.path(f.Overrides)
	case "--message":
		f.Message, err = value()
	case "--context":
		var text string
		var n int
		if text, err = value(); err == nil {
			n, err = strconv.Atoi(text)
			f.Context = &n
		}
	default:
		err = fmt.Errorf("no argument %s", name)
	}
	return err
}

// demoFile returns the content that a file has in the demo.
func demoFile(name string) ([]byte, error) {
	switch {
	case name == registryFile:
		return demo.Registry(), nil
	case name == configFile:
		return demo.Config(), nil
	case name == queriesFile:
		return demo.Queries(), nil
	case slices.Contains(demo.ResultFiles, name):
		return demo.Result(name), nil
	}
	return nil, fmt.Errorf("the demo has no %s", name)
}

// notThere is the error of a file that is gone.
func notThere(path string) error { return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist} }
