package tui

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/config"
	"caliper/engine/embed"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/tui/workbench"
)

// Part is one of the inputs that are watched.
type Part int

// The watched inputs.
const (
	RegistryPart Part = iota
	ConfigPart
	QueriesPart
	ResultPart
	parts
)

// Change is the complete current content of a watched part. Note says how it
// is watched, when that matters to the user.
type Change struct {
	Files []workbench.File
	Note  string
}

// Options is what the explorer starts with.
type Options struct {
	RegistryName string // as the header shows it
	ConfigName   string // file to open and write; empty when there is none
	QueriesName  string // file of labelled queries; empty when there is none
	Changes      [parts]<-chan Change
	Poke         map[Part]func() // makes the watcher of a part read and report at once
	Flags        workbench.Flags
	Embedding    workbench.Embedding // what the embedder of pre-selection may use
	// OpenSimilarity opens the semantic leg; nil: workbench.OpenSimilarity.
	OpenSimilarity func(ctx context.Context, c config.PreSelection, tools []*model.Tool, e workbench.Embedding, progress func(done, total int)) (embed.Similarity, error)

	Look          Look
	AskBackground bool
	Mouse         bool
	StatePath     string // empty: nothing is remembered
	Store         string // folder of rescued results unless the configuration names one; empty: there is none
	Welcome       string // first notice, such as where the demo was written
	Demo          bool   // the files are the demo's, which the header says
	Query         string // to start with, instead of the remembered one

	Getenv   func(string) string
	Lookup   func(string) (string, bool) // environment variable, for the configuration; nil: there are none
	Terminal io.Writer                   // for clipboard and background; nil: neither
	Now      func() time.Time            // the clock
	Suspend  func() bool                 // whether ctrl-z has somewhere to go
	Still    bool                        // no blinking cursor, no timers: for pictures and tests
}

// App is the explorer's model, the only one: panes are plain structs that it
// calls. It holds no lock, because everything it shares with commands is
// immutable or behind the loader.
type App struct {
	opt    Options
	ctx    context.Context // ends with the program
	stop   context.CancelFunc
	theme  *Theme
	keys   *Keys
	layout Layout
	mode   Mode
	width  int // of the terminal
	height int
	focus  Pane

	loader     *loader
	input      workbench.Input
	arrived    [parts]bool      // which parts have been read
	held       [parts]*Change   // what came while watching was paused
	paused     bool             // changes wait
	state      *workbench.State // nil until the first load
	configRead *workbench.File  // that state was made of; nil: none
	gen        int              // of the newest load
	cancel     context.CancelFunc
	phase      *atomic.Int32 // the workbench.Phase of the newest load, which another goroutine sets

	header  header
	query   *field
	hits    hits
	schema  schemaPane
	why     whyPane
	dry     dryRun
	args    *field
	editing bool // the arguments have the keyboard

	pin        pin
	trial      *trial // a description that is typed, over the screen; nil: none
	budget     budgetScreen
	scope      scopeScreen
	strategies strategiesScreen
	queries    queriesScreen
	results    resultsScreen
	activity   activityScreen

	confirm *writeback  // a change that waits for a yes; nil: none
	written []writeback // changes that were written, to take back

	top       *chooser // over the screen; nil: none
	reader    *reader  // help or notices over the screen; nil: none
	notices   notices
	flip      string  // what the last reload flipped, for notices that follow while its own shows
	find      *finder // the / of a pane, while it is typed in
	history   []string
	recall    int // place in history while going through it; -1: not
	clip      clipper
	screen    screenCache
	hints     []hint // that the footer shows
	level     int    // of the tree, that the last key named
	inEditor  bool   // the editor has the terminal
	editorEnd time.Time
	quit      bool
}

// NewApp returns the explorer. Nothing is read or drawn before Init.
func NewApp(ctx context.Context, opt Options) *App {
	a := &App{opt: opt, theme: NewTheme(opt.Look), keys: NewKeys(NewTheme(opt.Look).Glyphs), loader: newLoader(opt.Lookup), recall: -1}
	a.ctx, a.stop = context.WithCancel(ctx)
	a.clip = newClipper(opt.Terminal, opt.StatePath)
	a.query = newField(longestQuery, "what should the tool do?")
	a.args = newField(longestArguments, "arguments as JSON")
	a.notices.quiet = opt.Still
	a.strategies.text = newField(longestQuery, "what the user asks")
	a.input.Flags = opt.Flags
	a.mode.Screen = ScreenExplore
	a.budget.app, a.scope.app, a.strategies.app, a.queries.app, a.results.app, a.activity.app = a, a, a, a, a, a
	a.results.begin()
	saved := loadState(opt.StatePath)
	a.history = saved.History
	a.query.Set(saved.Query)
	if opt.Query != "" {
		a.query.Set(opt.Query)
	}
	a.header.busy = "reading " + a.opt.RegistryName
	a.setFocus(PaneQuery)
	return a
}

// Init waits for the first content of both parts, and asks the terminal for
// its background.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.await(RegistryPart), a.await(ConfigPart), a.await(QueriesPart), a.await(ResultPart)}
	a.arrived[ResultPart] = true // which no state is made of
	if a.opt.ConfigName == "" {
		a.arrived[ConfigPart] = true
	}
	if a.opt.QueriesName == "" {
		a.arrived[QueriesPart] = true
	}
	if a.opt.AskBackground && a.opt.Terminal != nil {
		cmds = append(cmds, askBackground(a.opt.Terminal))
	}
	if a.opt.Welcome != "" {
		cmds = append(cmds, a.notices.show(levelInfo, a.opt.Welcome))
	}
	return tea.Batch(cmds...)
}

// selected returns the tool that all panes are about.
func (a *App) selected() *model.Tool { return a.hits.selected() }

// rankers are all there are, in the order in which knobs and columns have them.
var rankers = config.Rankers

// tokenizers are the methods in the order of their picker.
var tokenizers = []tokens.Method{tokens.Chars4, tokens.O200k, tokens.Cl100k}
