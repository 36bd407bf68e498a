package explore

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine"
	"caliper/tui/desk"
	"caliper/tui/screen"
	"caliper/tui/topics"
	"caliper/tui/ui"
)

// The actions that only Explore has.
const (
	History   ui.Action = "history"
	Toggle    ui.Action = "toggle"
	Expand    ui.Action = "expand"
	Collapse  ui.Action = "collapse"
	ExpandAll ui.Action = "expand all"
	Follow    ui.Action = "follow"
	Arguments ui.Action = "arguments" // edited in place
	EditArgs  ui.Action = "arguments in editor"
	Run       ui.Action = "run"
	Direct    ui.Action = "direct" // through the bridge or without it
	Strict    ui.Action = "strict" // whether wrong arguments are refused
	CopyCall  ui.Action = "copy call"
	Forget    ui.Action = "forget"

	KeepDraft     ui.Action = "apply"
	Propose       ui.Action = "propose"
	CopyRequest   ui.Action = "copy a request for a writer"
	CopyDraft     ui.Action = "copy the open draft"
	DraftLine     ui.Action = "new line"
	DraftInEditor ui.Action = "try in the editor"
)

// openDraft is why the keyboard stays in a draft.
const openDraft = "the draft is open: enter keeps it as a trial, esc drops it"

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	bind := ui.Bind
	query := &ui.Group{Title: "Query box", Where: "in the query box", Bindings: []ui.Binding{
		bind(ui.Up, g.Up, "hit above", "", "up").Runs(func() { s.Move(-1) }),
		bind(ui.Down, g.Down, "hit below", "", "down").Runs(func() { s.Move(1) }),
		bind(ui.PageUp, "pgup", "page of hits up", "", "pgup").Runs(func() { s.Move(-s.Page()) }),
		bind(ui.PageDown, "pgdn", "page of hits down", "", "pgdown").Runs(func() { s.Move(s.Page()) }),
		bind(ui.Open, "enter", "expand", "", "enter").Runs(s.open),
		bind(History, "ctrl-r", "history", "Search the query history", "ctrl+r").Does(s.pickHistory),
		bind(ui.Back, "esc", "clear, then leave to the hits", "", "esc").Does(s.host.Back),
	}}
	hits := &ui.Group{Title: "Hits", Where: "in the hits", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "expand", "", "enter").Runs(s.open),
		bind(ui.Find, "/", "filter", "Filter the list, or search the schema", "/").Runs(s.startFind),
	}}
	tree := &ui.Group{Title: "Schema tree", Where: "in the schema tree", Bindings: []ui.Binding{
		bind(Toggle, "enter", "open or close", "Open or close the row of the schema", "enter").Runs(func() { s.schema.toggle() }),
		bind(Expand, g.Right+" l", "expand", "Expand the row of the schema", "right", "l").Runs(func() { s.schema.expand(true) }),
		bind(Collapse, g.Left+" h", "collapse", "Collapse the row of the schema", "left", "h").Runs(func() { s.schema.expand(false) }),
		bind(ExpandAll, "*", "expand all, or collapse", "Expand the whole schema, or collapse it", "*").Runs(func() {
			s.setFocus(PaneSchema)
			s.schema.expandAll()
		}),
		bind(ui.Find, "/", "search", "", "/").Runs(s.startFind),
		bind(ui.NextMatch, "n", "next match", "", "n").Runs(func() { s.nextMatch(1) }),
		bind(ui.PrevMatch, "N", "previous match", "", "N").Runs(func() { s.nextMatch(-1) }),
		bind(Follow, "ctrl-g", "follow $ref", "Follow the $ref", "ctrl+g").Does(s.follow),
	}}
	edit := bind(EditArgs, "ctrl-o", "arguments in the editor", "Edit the arguments in the editor", "ctrl+o").Does(s.editArgs).Unless(s.noTool)
	why := &ui.Group{Title: "Why", Where: "in the pane Why", Bindings: []ui.Binding{
		bind(Take, "enter", "take a change that is proposed for the expected tool", "Take a change that brings the expected tool in", "enter").Does(s.take).Unless(s.nothingProposed),
	}}
	overview := &ui.Group{Title: "Overview", Where: "in the overview", Bindings: []ui.Binding{
		bind(ui.Open, "enter", "go there", "", "enter").Does(s.enterFact).Unless(s.noState),
	}}
	dry := &ui.Group{Title: "Dry run", Where: "in the dry run", Bindings: []ui.Binding{
		bind(Arguments, "enter", "edit arguments; ctrl-u there clears them", "", "enter").Does(s.editInPlace).Unless(s.noTool),
		edit,
	}}
	args := &ui.Group{Title: "Arguments", Where: "in the arguments", Bindings: []ui.Binding{
		bind(Run, "enter", "record the dry run in Activity, and leave", "", "enter").Does(s.run),
		bind(ui.Back, "esc", "leave", "", "esc").Does(s.host.Back),
		edit,
	}}
	draft := &ui.Group{Title: "Draft of a description", Where: "in the draft of a description", Bindings: []ui.Binding{
		bind(KeepDraft, "enter", "keep the draft as a trial", "", "enter").Does(func() tea.Cmd {
			name, text := s.draft.tool.Qualified, s.draft.text.Text()
			s.endDraft()
			s.hits.wanted = name
			return s.host.Send(KeepMsg{name, text})
		}),
		bind(ui.Back, "esc", "drop the draft", "", "esc").Does(s.dropDraft),
		bind(DraftLine, "ctrl-j", "new line, as alt-enter", "", "ctrl+j", "alt+enter").Runs(func() {
			s.draft.text.Break()
		}),
		bind(DraftInEditor, "ctrl-o", "in the editor", "", "ctrl+o").Does(func() tea.Cmd { return s.inEditor(s.draft.tool.Qualified, s.draft.text.Text()) }),
		bind(Propose, "ctrl-x", "the doctor proposes", "", "ctrl+x").Does(s.propose).Unless(func() string {
			if why := s.noDraft(); why != "" || !s.proposing.Running {
				return why
			}
			return "the doctor is at work"
		}),
		bind(ui.Save, "ctrl-s", "save the draft to the file of descriptions", "", "ctrl+s").Does(func() tea.Cmd { // the editing goes on until it is saved
			return s.host.Send(SaveMsg{s.draft.tool.Qualified, s.draft.text.Text()})
		}),
		bind(ui.Copy, "ctrl-y", "copy, as y outside text", "", "ctrl+y").Does(func() tea.Cmd { return s.host.Do(ui.Copy) }),
		bind(ui.Up, g.Up, "line above", "", "up").Runs(func() { s.Move(-1) }),
		bind(ui.Down, g.Down, "line below", "", "down").Runs(func() { s.Move(1) }),
		bind(ui.Next, "tab", "stays in the draft", "", "tab").Unless(func() string { return openDraft }),
		bind(ui.Prev, "shift-tab", "stays in the draft", "", "shift+tab").Unless(func() string { return openDraft }),
	}}
	own := &ui.Group{Title: "Explore", Bindings: []ui.Binding{
		bind(Arguments, "e", "edit the arguments of the dry run", "Edit the arguments in place", "e").Does(s.editInPlace).Unless(s.noTool),
		bind(History, "ctrl-r", "history of queries", "", "ctrl+r").Does(s.pickHistory),
		bind(ui.Expect, "w", "why not: asks which tool you expect", "Pin the tool you expect, and see why it is not found", "w").Does(s.whyNot).Unless(s.noState).Says(s.pinHint),
		bind(ui.Compare, "b", "rankers side by side", "Compare the rankers side by side", "b").Does(s.compare),
		bind(ui.Label, "a", "label: the query wants the expected tool, else the selected one", "Label the query with the expected tool, else the selected one", "a").Does(func() tea.Cmd {
			return s.host.Send(screen.Label{Query: s.hits.results.Query, Tool: cmp.Or(s.pinned(), s.Tool())})
		}).Unless(s.noLabel),
		bind(Forget, "d", "forget a labelled query that taught the ranker of this tool", "Forget a labelled query of the tool", "d").Does(s.forget).Unless(s.noForget),
		bind(ui.Grant, "O", "grant the session the toolset of the pinned or selected tool", "Grant the session the toolset of the pinned or selected tool", "O").Does(s.grant).Unless(s.noGrant),
		bind(ui.Try, "t", "try another description", "Try another description of the tool", "t").Does(s.tryDescription).Unless(s.noState),
		bind(Direct, "D", "dry-run with or without the bridge", "Dry-run through the bridge or directly", "D").Does(func() tea.Cmd {
			s.dry.other = !s.dry.other
			s.argumentsChanged()
			_, as := s.dry.title(s.state.Snapshot)
			return s.host.Notify(ui.LevelInfo, "the dry run is of a "+as)
		}).Unless(s.noState),
		bind(Strict, "X", "refuse wrong arguments, or pass them on as the agent does", "Refuse wrong arguments in the dry run (strict), or pass them on", "X").Does(s.strict).Unless(s.noState),
		bind(ui.Find, "/", "filter the hits", "", "/").Runs(s.startFind),
		bind(ui.Zoom, "z", "zoom the pane", "Zoom the pane", "z").Runs(func() { s.zoom = !s.zoom }).Unless(func() string {
			if !s.zoom && (s.layout.w < mediumWidth || s.layout.h < mediumHeight) {
				return "one pane is shown at this size; tab goes to the next"
			}
			return ""
		}),
		bind(ui.View, "v", "next tab, as }", "Go to the next view of the screen", "v", "}").Runs(func() { s.walkTabs(1) }).Unless(s.noTabs),
		bind(ui.PrevView, "{", "previous tab", "Go to the previous view of the screen", "{").Runs(func() { s.walkTabs(-1) }).Unless(s.noTabs),
	}}
	copies := &ui.Group{Title: "Copying, after y", After: "y", Bindings: []ui.Binding{
		bind(CopyCall, "c", "call JSON", "Copy the call as JSON", "c").Unless(s.noTool).Does(func() tea.Cmd {
			return s.host.Clip.Copy("call", desk.CopyJSON, s.callJSON(s.Tool()))
		}),
		bind(ui.CopyModel, "m", "what the model sees", "Copy what the model sees", "m").Unless(s.noneSeen).Does(s.copySeen),
		bind(CopyRequest, "r", "request for a writer, while a draft is open", "Copy a request for a writer", "r").Unless(s.noDraft).Does(s.copyRequest),
		bind(CopyDraft, "d", "the open draft", "Copy the open draft", "d").Unless(s.noDraft).Does(func() tea.Cmd {
			return s.host.Clip.Copy("draft description", desk.CopyText, s.draft.text.Text())
		}),
	}}
	s.All = []*ui.Group{query, hits, tree, overview, why, own, draft, dry, args, copies}
	rows := func(words string) ui.Hint { return ui.Down.After(ui.Up, words) }
	whyNot, tab := ui.Expect.As("why not"), ui.View.As("next tab")
	typing := &ui.Layer{Groups: []*ui.Group{query}, Type: s.typeQuery,
		Hints: ui.Hints(rows("hits"), ui.Next.As("to the hits"), ui.Open, ui.Palette, ui.Help, History, ui.Back)}
	open := *typing
	open.Hints = ui.Hints(ui.Next, rows("tools"), ui.Palette, ui.Help, History, ui.Back)
	inOverview := &ui.Layer{Groups: []*ui.Group{overview, own},
		Hints: ui.Hints(rows("lines"), ui.Open, ui.Next, tab, ui.Query.As("query"), ui.Palette, ui.Help, ui.Zoom, ui.Quit)}
	inHits := &ui.Layer{Groups: []*ui.Group{hits, own},
		Hints: ui.Hints(rows("hits"), ui.Next, whyNot, ui.Label.As("label"), ui.Open, ui.View.As("tab"), ui.CompareStates.As("compare"), ui.Help, ui.NextRanker.As("ranker"), ui.Try.As("edit text"), ui.Reach.As("chain"), ui.Palette, ui.Find, ui.Copy, ui.Session, ui.Quit)}
	first := *inHits // the overview is before them
	first.Hints = slices.Insert(slices.Clone(inHits.Hints), 1, ui.Prev.As("back"))
	beside := *inHits // the dry run is the tab beside them
	beside.Hints = append([]ui.Hint{Arguments.As("arguments")}, inHits.Hints...)
	inSchema := &ui.Layer{Groups: []*ui.Group{tree, own},
		Hints: ui.Hints(rows("rows"), ui.Next, tab, Toggle, whyNot, ExpandAll.As("expand all"), ui.Find, ui.Help, ui.Copy, ui.Zoom, ui.Palette)}
	inWhy := &ui.Layer{Groups: []*ui.Group{why, own},
		Hints: ui.Hints(Take.As("take a change"), rows("scroll"), ui.Next, tab, whyNot, ui.Try.As("edit the description"), ui.Reach.As("chain"), ui.Zoom, ui.Copy, ui.Palette, ui.Help)}
	inDry := &ui.Layer{Groups: []*ui.Group{dry, own},
		Hints: ui.Hints(Arguments.As("edit arguments"), ui.Next, tab, Direct, Strict.As("strict"), EditArgs, whyNot, rows("scroll"), ui.Copy, ui.Zoom, ui.Palette, ui.Help)}
	panes := [...]*ui.Layer{inSchema, inWhy, inDry}
	alone := panes // where the hits are out of sight
	for i, l := range panes {
		back := *l
		back.Hints = slices.Insert(slices.Clone(l.Hints), 1, ui.Back.As("hits"))
		alone[i] = &back
	}
	inDraft := &ui.Layer{Groups: []*ui.Group{draft}, Type: func(k tea.KeyMsg) tea.Cmd {
		s.draft.text.Key(k)
		return nil
	},
		Hints: ui.Hints(KeepDraft.As("keep as trial"), ui.Back.As("drop"), Propose.As("proposals"), ui.Save.As("save"), DraftInEditor, DraftLine.As("new line"), ui.Copy, ui.Palette, ui.Help)}
	inArgs := &ui.Layer{Groups: []*ui.Group{args}, Type: s.typeArguments,
		Hints: ui.Hints(Run.As("record and leave"), ui.Back, EditArgs, ui.Palette, ui.Help)}
	s.Pick = func() *ui.Layer {
		switch {
		case s.draft.tool != nil:
			return inDraft
		case s.focus == PaneQuery && s.showsOverview():
			return &open
		case s.focus == PaneQuery:
			return typing
		case s.focus == PaneWhy && s.showsOverview():
			return inOverview
		case s.focus == PaneHits && s.untouched():
			return &first
		case s.focus == PaneHits && len(s.layout.tabbed) > 0 && s.layout.shown == PaneDryRun:
			return &beside
		case s.focus == PaneHits:
			return inHits
		case s.editing && s.focus >= PaneDryRun:
			return inArgs
		}
		pane := min(s.focus, PaneDryRun) - PaneSchema
		if slices.Contains(s.layout.tabbed, PaneHits) && s.hits.filter == "" && !s.zoom && (s.focus != PaneSchema || s.schema.find == "") {
			return alone[pane]
		}
		return panes[pane]
	}
}

// Asked returns the query with the pinned tool, else the selected one.
func (s *Screen) Asked() (screen.Question, bool) {
	if s.state == nil {
		return screen.Question{}, false
	}
	return screen.Question{Query: s.query.Value(), Tool: cmp.Or(s.pinned(), s.Tool())}, true
}

// glossed are the words of the glossary that the panes print.
var glossed = [paneCount][]string{
	PaneQuery:  {"hit", "tool search", "catalog", "scored", "limit", "ranker", "labelled query"},
	PaneHits:   {"hit", "score", "rank", "scored", "limit", "tied", "ranker", "fallback", "catalog", "expected tool", "WHAT IF", "confidence"},
	PaneSchema: {"tool", "qualified name", "toolset", "source", "deferred", "deferrable", "core tool", "token", "chars4"},
	PaneWhy:    {"score", "idf", "tf", "df", "dl", "k1", "b", "ranker", "why not", "expected tool", "gap", "no match", "out of scope", "remedy", "learned", "weight"},
	PaneDryRun: slices.Concat([]string{"dry run", "gate", "verdict", "trace", "granted", "policy", "hook", "bridge", "direct", "partial", "coerced", "strict", "next call", "leak"}, gateWords()),
	PaneDraft:  {"draft", "rank", "score", "pushed out", "recall", "labelled query", "hurt", "token", "WHAT IF", "doctor", "net harm"},
}

// overviewWords are the words of the glossary that the overview prints.
var overviewWords = []string{"eager", "token", "tool search", "saved", "labelled query", "miss", "finding"}

// gateWords returns the words of the gates of a call.
func gateWords() []string {
	names := engine.GateNames()
	for i := range names {
		names[i] = topics.GatePrefix + names[i]
	}
	return names
}

// Words returns the labels of the focused pane.
func (s *Screen) Words() (here, pane []string) {
	if s.focus == PaneWhy && s.showsOverview() {
		return nil, overviewWords
	}
	return nil, glossed[s.focus]
}
