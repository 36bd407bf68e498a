package screen

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/retrieval/learned"
	"caliper/model"
	"caliper/tui/knob"
	"caliper/tui/report"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// Host is what a screen may ask of the app around it.
type Host interface {
	// Context is cancelled when the program ends. Now returns the time. Getenv
	// returns an environment variable.
	Context() context.Context
	Now() time.Time
	Getenv(name string) string

	// Notify shows a notice in the footer. The command removes it after its
	// time.
	Notify(level ui.Level, text string) tea.Cmd
	// Record adds an event to Activity.
	Record(title report.Line, details ...report.Line)
	// Copy returns a command that copies text. What is the name of the text in
	// the notice: "schema".
	Copy(what string, form CopyForm, text string) tea.Cmd
	// CopyReport copies a report as Markdown.
	CopyReport(what string, r *report.Report) tea.Cmd

	// Choose opens a list over the screen and calls take with the ID of the
	// chosen row. With stays the list stays open, so that several rows can be
	// chosen.
	Choose(title string, choices []ui.Choice, stays bool, take func(id string) tea.Cmd) *ui.Chooser
	// AskPath opens the box in which the path of a file is typed, with folders also that of a
	// folder, and calls take with the path. Verb says what enter does with it.
	AskPath(title, verb string, folders bool, take func(path string) tea.Cmd) tea.Cmd
	// AskText asks for a line of text in a box, and returns what closes the box.
	AskText(q TextQuestion) (closed func())
	// Open puts a box over the screen and over all boxes, and returns what takes it away.
	Open(Overlay) (closed func())
	// Find opens the search line of the screen with the text of its filter.
	// Finding returns the text in it as it is drawn; ok is false while it is
	// closed.
	Find(text string)
	Finding() (shown string, ok bool)
	// Back goes one level back, as esc does.
	Back()
	// Way returns the keys that lead to a view of another screen outside text and in the
	// empty query box; with an empty view, to the screen as it is.
	Way(screen, view string) string
	// Do runs the binding that the app has for an action outside text, otherwise that of
	// another screen.
	Do(ui.Action) tea.Cmd

	// Case returns what Explore shows. Explore shows a query there, with the
	// tool that it is expected to find; nil for none.
	Case() Case
	Explore(query string, expected *model.Tool) tea.Cmd
	// Relive switches to a session and shows a query there, as an agent of that session
	// asked it.
	Relive(session, query string) tea.Cmd
	// DryRun switches to a session and shows the dry run of a tool in Explore, with
	// an empty query, until esc goes back.
	DryRun(session string, t *model.Tool) tea.Cmd
	// DrawHits draws the best hits for Explore's query in at most h lines, and
	// returns their heading.
	DrawHits(t *ui.Theme, w, h int) (heading, note string, lines []string)
	// Remember adds a query to the history.
	Remember(query string)
	// Try edits another description of a tool in Explore, which shows what it does to a
	// query; an empty one leaves that of Explore. When the edit ends, the screen that
	// asked shows again. Keep makes it one of the trials. SaveDescription shows the change of
	// the overrides file that gives it to the tool, and writes it when the user agrees.
	// EditDescription edits it in the editor.
	Try(query string, t *model.Tool, description string) tea.Cmd
	Keep(tool, description string) tea.Cmd
	SaveDescription(tool, description string) tea.Cmd
	EditDescription(tool, description string) tea.Cmd
	// EditText edits a text in the editor, as terminal.EditedTexts does.
	EditText(pattern, text string, edited func(text string, err error) tea.Msg) tea.Cmd
	// Write shows the change of the config file that gives a setting a value, and
	// writes it when the user agrees.
	Write(key string, value any) tea.Cmd
	// Labels returns the path of the labelled queries, empty for none. Label labels a
	// query with a tool that answers it, and offers to create the file for that.
	Labels() string
	Label(query string, t *model.Tool) tea.Cmd
	// Forget asks whether to delete a labelled query from the file that the ranker learned
	// learns from, and shows its line.
	Forget(learned.Lesson) tea.Cmd

	// Input returns the input of the next load. Load loads it; with quietly it
	// shows no notice about the changes. BeforeLoad registers a function that
	// completes the input of every load.
	Input() *workbench.Input
	Load(quietly bool) tea.Cmd
	BeforeLoad(func(*workbench.Input))
	Bench() *workbench.Workbench
	// Knobs returns the settings and descriptions that are tried. Turn turns a
	// knob by steps and loads the result.
	Knobs() *knob.Set
	Turn(k *knob.Knob, by int) tea.Cmd
	// TypeKnob opens the box in which the value of a knob is typed.
	TypeKnob(k *knob.Knob) tea.Cmd
	// Reread makes the watcher of a file read it and report at once.
	Reread(File) tea.Cmd
	// Header returns the facts that screens contribute to the header.
	Header() *Header
}

// Case is what Explore shows: the query in its box, the selected tool (nil for
// none) and the qualified name of the tool that is expected of the query (empty for none).
type Case struct {
	Query    string
	Tool     *model.Tool
	Expected string
}

// End is more rows than any list has: Move(End) goes to the last row.
const End = 1 << 30

// Overlay is a box over the screen. It has the keyboard until it is closed.
type Overlay interface {
	// Layer returns the keys that work in the box.
	Layer() *ui.Layer
	// Draw returns the lines of the box for a screen of w×h cells.
	Draw(t *ui.Theme, w, h int) []string
	// Move moves by rows. Page returns the rows of a page.
	Move(rows int)
	Page() int
	// Click handles a click on a line of the box; line is -1 for a click outside
	// it.
	Click(line int) tea.Cmd
}

// Filling is an Overlay that takes the place of the screen between header and footer.
// The keys that work on every screen work in it too, and Draw gets its size.
type Filling interface {
	Overlay
	// Press handles a click in a cell of it.
	Press(x, y int) tea.Cmd
	// Closed is called when it is no longer over the screen.
	Closed()
}

// File identifies one of the watched inputs.
type File int

// The watched inputs.
const (
	RegistryFile File = iota
	ConfigFile
	QueriesFile
	ResultFile
	PricesFile
	LessonsFile   // labelled queries to learn from, which the configuration names
	OverridesFile // descriptions that are used in place of the registry's
	Files         // how many there are
)

// FilesMsg reports the new content of a watched file that is not loaded into
// the state.
type FilesMsg struct {
	File  File
	Files []watch.File
}

// RereadMsg reports that the user asked to read all inputs again.
type RereadMsg struct{}
