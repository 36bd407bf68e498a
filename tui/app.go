package tui

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/hosts"
	"caliper/engine/reach"
	"caliper/engine/replay"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/tui/activity"
	"caliper/tui/desk"
	"caliper/tui/explore"
	"caliper/tui/screen"
	"caliper/tui/serving"
	"caliper/tui/sides"
	"caliper/tui/terminal"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// Options are the inputs and the environment of the explorer.
type Options struct {
	Registry     []string            // files and folders; empty: no tools
	Dumps        <-chan watch.Change // the registry, each time it changes, where servers list it; nil: Registry
	RegistryName string              // of Dumps, as the header shows it; empty: the paths of Registry
	Config       string              // file to read and write; empty: the defaults
	Queries      string              // file of labelled queries; empty: none
	Results      []string            // files of tool results; empty: none
	ConfigFound  bool                // Config is the file beside the registry that nobody named
	NewOverrides string              // file that the first description is saved in where Flags.Overrides is empty; empty: none is saved
	NewQueries   string              // file that the first label creates where Queries is empty; empty: none is created
	Flags        workbench.Flags
	Embedding    workbench.Embedding // cache and key for the embedder of pre-selection
	// OpenSimilarity opens the semantic ranking; nil for
	// workbench.OpenSimilarity.
	OpenSimilarity func(ctx context.Context, c config.PreSelection, tools []*model.Tool, e workbench.Embedding, progress func(done, total int)) (embed.Similarity, error)

	// ReadSessions reads the logs of agents, as replay.Options.Read does; nil where
	// nothing reads them: there is then no screen for them. Sessions are read when that
	// screen is first shown; without any, FoundSessions when the user asks for it.
	ReadSessions            func(ctx context.Context, paths []string, agent transcript.Agent, o transcript.Options) (transcript.Log, error)
	Sessions, FoundSessions []string
	Prices                  replay.PriceList // of models, for replay; the zero value means those that come with caliper
	PricesFile              string           // the file of Prices, which is watched; empty for those that come with caliper
	Calibrated              string           // by which fitted tokenizers replay counts at first: "calibrated", or that with a colon and a model; empty for the header's

	// Serving is the source of what happens to the agents that are served, by this process
	// or another; nil where none are.
	Serving *serving.Source

	Theme     string // auto, light, dark or plain
	NoMouse   bool
	StatePath string // state file; empty to remember nothing
	Store     string // folder of rescued results unless the configuration names one; empty for none
	Welcome   string // first notice; empty for none
	Demo      string // folder of the demo, whose files the fields above name; empty: there is no demo
	Start     string // the screen to begin with; empty: the last one of the run before, or the first
	Tour      bool   // begin with the tour, of the demo
	Offer     *Offer // the choice that comes first, in place of the inputs; nil: the inputs are there
	Query     string // query to start with; empty for the remembered one

	// AgentFiles returns what the files of an agent say; nil where none are looked for.
	AgentFiles func(ctx context.Context, of *hosts.Host) reach.Files

	Lookup func(string) (string, bool) // environment variables; nil for none

	// Run sets these fields, which tests set themselves.
	Look          ui.Look
	AskBackground bool
	Terminal      io.Writer        // for the clipboard and the background colour; nil for neither
	Now           func() time.Time // the clock
	Suspend       func() bool      // reports whether a shell can resume the program after ctrl-z
	Still         bool             // no timers, for pictures and tests

	Pace watch.Options // durations of the watchers
	// Watch watches an input; poke makes it read and report at once. nil: package watch does.
	Watch func(file screen.File, paths []string) (changes <-chan watch.Change, poke func())
}

// App is bubbletea's model of the whole explorer: screens are plain structs
// that it calls. It needs no lock, because everything that it shares with
// commands is immutable or belongs to the loader.
type App struct {
	opt    Options
	ctx    context.Context // cancelled when the program ends
	stop   context.CancelFunc
	theme  *ui.Theme
	layout Layout

	screens                 []screen.Screen
	views                   [][]string       // the names of the views of each screen, at a size at which each has a tab
	explore                 *explore.Screen  // the first screen, which has the query and the selected tool
	activity                *activity.Screen // the screen that records events
	sides                   *sides.Screen    // the comparison of two states, which lies over a screen
	paths                   *screen.PathBox  // the last box for a path; nil before the first
	current                 int              // index of the visible screen
	over                    []screen.Overlay // boxes over the screen, the topmost last
	find                    *ui.Field        // the search line of the screen; nil while it is closed
	findLayer               *ui.Layer        // of the search line
	keys                    bindings
	readerLayer, chainLayer *ui.Layer
	questionBox             screen.Box              // of every question
	layers                  map[*ui.Layer]*ui.Layer // layers of screens and boxes with the global keys added
	named                   map[string]bool         // every key that has a binding
	hints                   []ui.Shown              // of the footer, with their cells
	asked                   *ui.Binding             // binding that waits for its key to be pressed again; nil for none
	shown                   string                  // last picture of the terminal, before signs are replaced
	answered                int                     // number of the newest notice that answers a key: the next key ends it
	pressed                 *tea.KeyMsg             // the key of the message that is handled, unless it began work or showed a notice; nil for none
	pressedBinding          *ui.Binding             // of pressed; nil for a key that edits text
	inBurst                 bool                    // several messages are handled before the next picture
	picture                 string                  // of the last message, with the notice; empty: not drawn yet
	fresh                   string                  // the same without the notice, where Update has drawn it

	bench      *workbench.Workbench
	loading    sync.Mutex // held while bench loads
	input      workbench.Input
	prepare    func(*workbench.Input) // completes the input of every load
	arrived    [screen.Files]bool     // files that have been read
	followed   [screen.Files]string   // the paths of LessonsFile and OverridesFile that are watched
	changes    [screen.Files]<-chan watch.Change
	poke       [screen.Files]func()        // makes the watcher of a file read and report at once; nil for none
	held       [screen.Files]*watch.Change // changes that arrived while watching was paused
	paused     bool                        // changes are held back
	state      *workbench.State            // nil until the first load
	configRead *watch.File                 // config file of state; nil for none
	gen        int                         // number of the newest load
	quiet      int                         // number of the load that shows no notice
	cancel     context.CancelFunc
	phase      *atomic.Int32 // workbench.Phase of the newest load, set by its goroutine

	knobs   *desk.KnobSet
	confirm *writeback  // change of the config file that waits for confirmation; nil for none
	written []writeback // changes that were written and can be reverted
	ours    []byte      // content of the config file as the explorer last wrote it
	saved   *writeback  // the save that wrote it; nil where a save was undone

	overridden string // what was last written to the overrides file, in words, until a load has read it; empty for nothing

	keeper     desk.Keeper      // of the state file
	resume     *desk.SavedInput // of the run before, until the first load without errors; nil for none
	resuming   []string         // names of what was kept and is no value any more
	resumeView string           // view that the screen of the run before had; empty once it is shown
	visitor    *visitor         // nil unless a screen has shown a query, or the dry run of a tool, in Explore
	tour       *guide           // nil outside the tour
	header     desk.HeaderLines
	notices    ui.Notices
	flip       string // decision that the last reload changed, repeated in later notices until it is dismissed
	clip       *desk.Clipper
	texts      *terminal.EditedTexts
	inEditor   bool // the editor has the terminal
	editorEnd  time.Time
}

// NewApp returns the explorer. It reads and draws nothing before Init.
func NewApp(ctx context.Context, opt Options) *App {
	a := &App{
		opt: opt, theme: ui.NewTheme(opt.Look), bench: workbench.New(), knobs: desk.NewKnobs(),
		layers: map[*ui.Layer]*ui.Layer{}, named: map[string]bool{},
	}
	a.bench.Lookup, a.bench.Files = opt.Lookup, opt.AgentFiles
	a.ctx, a.stop = context.WithCancel(ctx)
	a.texts = terminal.NewEditedTexts(opt.getenv)
	context.AfterFunc(a.ctx, a.texts.Remove) // however the program ends
	a.clip = desk.NewClipper(opt.Terminal, opt.StatePath, opt.getenv)
	a.notices.Quiet, a.notices.Now = opt.Still, opt.Now
	a.input.Flags = opt.Flags
	saved := desk.LoadState(opt.StatePath)
	a.keeper.Path = opt.StatePath
	if !opt.Tour { // which begins without what the run before has left, and leaves nothing
		a.resume = saved.Input(a.opt.inputs())
	}
	query, in := opt.Query, a.resume
	if query == "" && in != nil {
		query = in.Query
	}
	a.addScreens(query, saved.History)
	if in != nil {
		if opt.Query == "" {
			a.current = max(0, slices.IndexFunc(a.screens, nameIs(in.Screen)))
			a.resumeView = in.View
			a.explore.Resume()
		}
		a.resuming = a.knobs.Restore(in.Trials)
		a.keeper.Trials = in.Trials
		a.explore.RestoreArguments(in.Arguments)
		for _, s := range a.screens {
			paths := in.Opened[s.Name()]
			s.Reopen(paths[:min(len(paths), desk.MaxOpened)])
		}
		a.input.Flags.Message = cmp.Or(a.input.Flags.Message, in.Message)
		a.input.Flags.Session = cmp.Or(a.input.Flags.Session, in.Session)
	}
	a.bind(a.theme.Glyphs)
	a.header.Demo = opt.Demo != ""
	a.header.Busy = "reading " + cmp.Or(opt.RegistryName, strings.Join(opt.Registry, " "))
	return a
}

// Init watches the inputs, returns the commands that wait for their first content, and
// asks the terminal for its background colour.
func (a *App) Init() tea.Cmd {
	named := func(path string) []string {
		return slices.DeleteFunc([]string{path}, func(p string) bool { return p == "" })
	}
	var cmds []tea.Cmd // a load waits for the registry, the configuration and the labelled queries
	for file, paths := range [screen.Files][]string{
		screen.RegistryFile: a.opt.Registry, screen.ConfigFile: named(a.opt.Config), screen.QueriesFile: named(a.opt.Queries),
		screen.ResultFile: a.opt.Results, screen.PricesFile: named(a.opt.PricesFile),
	} {
		file := screen.File(file)
		a.arrived[file] = file > screen.QueriesFile || file != screen.RegistryFile && len(paths) == 0
		switch {
		case file == screen.RegistryFile && a.opt.Dumps != nil:
			a.changes[file] = a.opt.Dumps
			cmds = append(cmds, a.await(file))
		case file == screen.RegistryFile || len(paths) > 0:
			cmds = append(cmds, a.watch(file, paths...))
		}
	}
	if a.opt.AskBackground && a.opt.Terminal != nil {
		cmds = append(cmds, terminal.AskBackground(a.opt.Terminal))
	}
	if at := slices.IndexFunc(a.screens, nameIs(a.opt.Start)); at >= 0 {
		a.goTo(at)
	}
	if a.opt.Tour {
		cmds = append(cmds, a.startTour())
	} else if a.opt.Welcome != "" {
		cmds = append(cmds, a.Notify(ui.LevelInfo, a.opt.Welcome))
	}
	return tea.Batch(cmds...)
}
