package explore

import (
	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/clip"
	"caliper/tui/keymap"
	"caliper/tui/ui"
)

// The actions that only Explore has.
const (
	History   keymap.Action = "history"
	Digits    keymap.Action = "digits" // which the app handles
	Toggle    keymap.Action = "toggle"
	Expand    keymap.Action = "expand"
	Collapse  keymap.Action = "collapse"
	ExpandAll keymap.Action = "expand all"
	Follow    keymap.Action = "follow"
	Arguments keymap.Action = "arguments" // edited in place
	EditArgs  keymap.Action = "arguments in editor"
	Run       keymap.Action = "run"
	Direct    keymap.Action = "direct" // through the bridge or without it
	Strict    keymap.Action = "strict" // whether wrong arguments are refused
	CopyCall  keymap.Action = "copy call"
	Forget    keymap.Action = "forget"

	KeepDraft     keymap.Action = "apply"
	Propose       keymap.Action = "propose"
	CopyRequest   keymap.Action = "copy a request for a writer"
	CopyDraft     keymap.Action = "copy the open draft"
	DraftLine     keymap.Action = "new line"
	DraftInEditor keymap.Action = "try in the editor"
)

// openDraft says why the keyboard stays in a draft.
const openDraft = "the draft is open: enter keeps it as a trial, esc drops it"

// keys are the keys of Explore and the layers that contain them.
type keys struct {
	groups                                                    []*keymap.Group
	query, blank, hits, beside, schema, why, dry, args, draft *keymap.Layer
}

// bind declares the keys.
func (s *Screen) bind(g ui.Glyphs) {
	bind := keymap.Bind
	query := &keymap.Group{Title: "Query box", Where: "in the query box", Bindings: []keymap.Binding{
		bind(keymap.Up, g.Up, "hit above", "", "up").Runs(func() { s.Move(-1) }),
		bind(keymap.Down, g.Down, "hit below", "", "down").Runs(func() { s.Move(1) }),
		bind(keymap.PageUp, "pgup", "page of hits up", "", "pgup").Runs(func() { s.Move(-s.Page()) }),
		bind(keymap.PageDown, "pgdn", "page of hits down", "", "pgdown").Runs(func() { s.Move(s.Page()) }),
		bind(keymap.Open, "enter", "expand", "", "enter").Runs(s.open),
		bind(Digits, "1..8", "a screen, while the box is empty; after a space it is text", "Screens by digits").
			Unless(func() string { return "a digit goes to its screen while the query box is empty" }),
		bind(History, "ctrl-r", "history", "Search the query history", "ctrl+r").Does(s.pickHistory),
		bind(keymap.Back, "esc", "clear, then leave to the hits", "", "esc").Runs(s.host.Back),
	}}
	hits := &keymap.Group{Title: "Hits", Where: "in the hits", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "expand", "", "enter").Runs(s.open),
		bind(keymap.Find, "/", "filter", "Filter the list, or search the schema", "/").Runs(s.startFind),
	}}
	tree := &keymap.Group{Title: "Schema tree", Where: "in the schema tree", Bindings: []keymap.Binding{
		bind(Toggle, "enter", "open or close", "Open or close the row of the schema", "enter").Runs(func() { s.schema.toggle() }),
		bind(Expand, g.Right+" l", "expand", "Expand the row of the schema", "right", "l").Runs(func() { s.schema.expand(true) }),
		bind(Collapse, g.Left+" h", "collapse", "Collapse the row of the schema", "left", "h").Runs(func() { s.schema.expand(false) }),
		bind(ExpandAll, "*", "expand all, or collapse", "Expand the whole schema, or collapse it", "*").Runs(s.expandAll),
		bind(keymap.Find, "/", "search", "", "/").Runs(s.startFind),
		bind(keymap.NextMatch, "n", "next match", "", "n").Runs(func() { s.nextMatch(1) }),
		bind(keymap.PrevMatch, "N", "previous match", "", "N").Runs(func() { s.nextMatch(-1) }),
		bind(Follow, "ctrl-g", "follow $ref", "Follow the $ref", "ctrl+g").Does(s.follow),
	}}
	edit := bind(EditArgs, "ctrl-o", "arguments in the editor", "Edit the arguments in the editor", "ctrl+o").Does(s.editArgs).Unless(s.noTool)
	why := &keymap.Group{Title: "Why", Where: "in the pane Why", Bindings: []keymap.Binding{
		bind(Take, "enter", "take a change that is proposed for the expected tool", "Take a change that brings the expected tool in", "enter").Does(s.take).Unless(s.nothingProposed),
	}}
	dry := &keymap.Group{Title: "Dry run", Where: "in the dry run", Bindings: []keymap.Binding{
		bind(Arguments, "enter", "edit arguments; ctrl-u there clears them", "", "enter").Does(s.editInPlace).Unless(s.noTool),
		edit,
	}}
	args := &keymap.Group{Title: "Arguments", Where: "in the arguments", Bindings: []keymap.Binding{
		bind(Run, "enter", "record the dry run in Activity, and leave", "", "enter").Does(s.run),
		bind(keymap.Back, "esc", "leave", "", "esc").Runs(s.host.Back),
		edit,
	}}
	draft := &keymap.Group{Title: "Draft of a description", Where: "in the draft of a description", Bindings: []keymap.Binding{
		bind(KeepDraft, "enter", "keep the draft as a trial", "", "enter").Does(s.keepDraft),
		bind(keymap.Back, "esc", "drop the draft", "", "esc").Does(s.dropDraft),
		bind(DraftLine, "ctrl-j", "new line, as alt-enter", "", "ctrl+j", "alt+enter").Runs(func() {
			s.draft.text.Break()
			s.draft.version++
		}),
		bind(DraftInEditor, "ctrl-o", "in the editor", "", "ctrl+o").Does(s.draftInEditor),
		bind(Propose, "ctrl-x", "the doctor proposes", "", "ctrl+x").Does(s.propose).Unless(s.noProposals),
		bind(keymap.Save, "ctrl-s", "save the draft to the file of descriptions", "", "ctrl+s").Does(s.saveDraft),
		bind(keymap.Copy, "ctrl-y", "copy, as y outside text", "", "ctrl+y").Does(func() tea.Cmd { return s.host.Do(keymap.Copy) }),
		bind(keymap.Up, g.Up, "line above", "", "up").Runs(func() { s.Move(-1) }),
		bind(keymap.Down, g.Down, "line below", "", "down").Runs(func() { s.Move(1) }),
		bind(keymap.Next, "tab", "stays in the draft", "", "tab").Unless(func() string { return openDraft }),
		bind(keymap.Prev, "shift-tab", "stays in the draft", "", "shift+tab").Unless(func() string { return openDraft }),
	}}
	own := &keymap.Group{Title: "Explore", Bindings: []keymap.Binding{
		bind(Arguments, "e", "edit the arguments of the dry run", "Edit the arguments in place", "e").Does(s.editInPlace).Unless(s.noTool),
		bind(History, "ctrl-r", "history of queries", "", "ctrl+r").Does(s.pickHistory),
		bind(keymap.Expect, "w", "why not: asks which tool you expect", "Pin the tool you expect, and see why it is not found", "w").Does(s.whyNot).Unless(s.noState).Says(s.pinHint),
		bind(keymap.Compare, "b", "rankers side by side", "Compare the rankers side by side", "b").Does(s.compare),
		bind(keymap.Label, "a", "label: the query wants the pinned or selected tool", "Label the query with the pinned or selected tool", "a").Does(s.label).Unless(s.noLabel),
		bind(Forget, "d", "forget a labelled query that taught the ranker of this tool", "Forget a labelled query of the tool", "d").Does(s.forget).Unless(s.noForget),
		bind(keymap.Try, "t", "try another description", "Try another description of the tool", "t").Does(s.tryDescription).Unless(s.noState),
		bind(Direct, "D", "dry-run with or without the bridge", "Dry-run through the bridge or directly", "D").Does(s.direct).Unless(s.noState),
		bind(Strict, "X", "refuse wrong arguments, or pass them on as the agent does", "Refuse wrong arguments in the dry run (strict), or pass them on", "X").Does(s.strict).Unless(s.noState),
		bind(keymap.Find, "/", "filter the hits", "", "/").Runs(s.startFind),
		bind(keymap.Zoom, "z", "zoom the pane", "Zoom the pane", "z").Runs(func() { s.zoom = !s.zoom }).Unless(s.noZoom),
		bind(keymap.View, "v", "next tab, as }", "Go to the next view of the screen", "v", "}").Runs(func() { s.walkTabs(1) }).Unless(s.noTabs),
		bind(keymap.PrevView, "{", "previous tab", "Go to the previous view of the screen", "{").Runs(func() { s.walkTabs(-1) }).Unless(s.noTabs),
	}}
	copies := &keymap.Group{Title: "Copying, after y", After: "y", Bindings: []keymap.Binding{
		bind(CopyCall, "c", "call JSON", "Copy the call as JSON", "c").Unless(s.noTool).Does(func() tea.Cmd {
			return s.host.Copy("call", clip.JSON, s.callJSON(s.Tool()))
		}),
		bind(keymap.CopyModel, "m", "what the model sees", "Copy what the model sees", "m").Unless(s.noneSeen).Does(s.copySeen),
		bind(CopyRequest, "r", "request for a writer, while a draft is open", "Copy a request for a writer", "r").Unless(s.noDraft).Does(s.copyRequest),
		bind(CopyDraft, "d", "the open draft", "Copy the open draft", "d").Unless(s.noDraft).Does(func() tea.Cmd {
			return s.host.Copy("draft description", clip.Text, s.draft.text.Text())
		}),
	}}
	k := &s.keys
	k.groups = []*keymap.Group{query, hits, tree, why, own, draft, dry, args, copies}
	rows := func(words string) keymap.Hint { return keymap.Down.After(keymap.Up, words) }
	whyNot, tab := keymap.Expect.As("why not"), keymap.View.As("next tab")
	k.query = &keymap.Layer{Groups: []*keymap.Group{query}, Type: s.typeQuery,
		Hints: keymap.Hints(rows("hits"), keymap.Next.As("to the hits"), keymap.Open, keymap.Palette, keymap.Help, History, keymap.Back)}
	blank := *k.query
	blank.Blank = true
	k.blank = &blank
	k.hits = &keymap.Layer{Groups: []*keymap.Group{hits, own},
		Hints: keymap.Hints(rows("hits"), keymap.Next, keymap.Prev.As("query"), tab, keymap.Open, whyNot, keymap.NextRanker.As("ranker"), keymap.Palette, keymap.Help, keymap.Find, keymap.Copy, keymap.Session, keymap.Quit)}
	beside := *k.hits // the dry run is the tab beside them
	beside.Hints = append([]keymap.Hint{Arguments.As("arguments")}, k.hits.Hints...)
	k.beside = &beside
	k.schema = &keymap.Layer{Groups: []*keymap.Group{tree, own},
		Hints: keymap.Hints(rows("rows"), keymap.Next, tab, Toggle, whyNot, ExpandAll.As("expand all"), keymap.Find, keymap.Help, keymap.Copy, keymap.Zoom, keymap.Palette)}
	k.why = &keymap.Layer{Groups: []*keymap.Group{why, own},
		Hints: keymap.Hints(Take.As("take a change"), rows("scroll"), keymap.Next, tab, whyNot, keymap.Try.As("edit the description"), keymap.Zoom, keymap.Copy, keymap.Palette, keymap.Help)}
	k.dry = &keymap.Layer{Groups: []*keymap.Group{dry, own},
		Hints: keymap.Hints(Arguments.As("edit arguments"), keymap.Next, tab, Direct, Strict.As("strict"), EditArgs, whyNot, rows("scroll"), keymap.Copy, keymap.Zoom, keymap.Palette, keymap.Help)}
	k.draft = &keymap.Layer{Groups: []*keymap.Group{draft}, Type: s.typeDraft,
		Hints: keymap.Hints(KeepDraft.As("keep as trial"), keymap.Back.As("drop"), Propose.As("proposals"), keymap.Save.As("save"), DraftInEditor, DraftLine.As("new line"), keymap.Copy, keymap.Palette, keymap.Help)}
	k.args = &keymap.Layer{Groups: []*keymap.Group{args}, Type: s.typeArguments,
		Hints: keymap.Hints(Run.As("record and leave"), keymap.Back, EditArgs, keymap.Palette, keymap.Help)}
}

// Groups returns the keys for the help and the palette.
func (s *Screen) Groups() []*keymap.Group { return s.keys.groups }

// Layer returns the keys of the pane or text field that has the keyboard.
func (s *Screen) Layer() *keymap.Layer {
	switch {
	case s.draft.tool != nil:
		return s.keys.draft
	case s.focus == PaneQuery && (s.query.Value() == "" || s.resumed && s.query.Whole()):
		return s.keys.blank
	case s.focus == PaneQuery:
		return s.keys.query
	case s.focus == PaneHits && len(s.layout.tabbed) > 0 && s.layout.shown == PaneDryRun:
		return s.keys.beside
	case s.focus == PaneHits:
		return s.keys.hits
	case s.focus == PaneSchema:
		return s.keys.schema
	case s.focus == PaneWhy:
		return s.keys.why
	case s.editing:
		return s.keys.args
	}
	return s.keys.dry
}
