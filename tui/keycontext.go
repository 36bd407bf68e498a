package tui

import (
	"reflect"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Context is where a key is pressed: what has the keyboard.
type Context int

const (
	CtxQuery Context = iota
	CtxHits
	CtxSchema
	CtxWhy
	CtxDryRun
	CtxArgs
	CtxFilter // the line of a / in a list or tree
	CtxBudget
	CtxScope
	CtxStrategies
	CtxMessage // of the strategies
	CtxQueries
	CtxResults
	CtxRequest // of a slice of a result
	CtxPaste   // of a result
	CtxActivity
	CtxTry
	CtxChooser
	CtxCopy
	CtxHelp
	CtxConfirm
	contextCount
)

// groups returns the groups of keys that work in a context. No key is in two
// of them.
func (k *Keys) groups(c Context) []any {
	program, places, typing := &k.Program, &k.Go, &k.Edit
	browse, move := &k.Browse, &k.Move
	switch c {
	case CtxQuery:
		return []any{program, places, &k.Query, typing}
	case CtxHits:
		return []any{program, places, browse, move, &k.Hits, &k.Explore}
	case CtxSchema:
		return []any{program, places, browse, move, &k.Tree, &k.Explore}
	case CtxWhy:
		return []any{program, places, browse, move, &k.Explore}
	case CtxDryRun:
		return []any{program, places, browse, move, &k.DryRun, &k.Explore}
	case CtxArgs:
		return []any{program, places, &k.Args, typing}
	case CtxFilter:
		return []any{program, places, &k.Filter, typing}
	case CtxBudget:
		return []any{program, places, browse, move, &k.Screens, &k.Budget}
	case CtxStrategies:
		return []any{program, places, browse, move, &k.Screens, &k.Budget, &k.Strategies}
	case CtxMessage:
		return []any{program, places, &k.Message, typing}
	case CtxQueries:
		return []any{program, places, browse, move, &k.Screens, &k.Labels}
	case CtxResults:
		return []any{program, places, browse, move, &k.Screens, &k.Budget, &k.Results}
	case CtxRequest:
		return []any{program, places, &k.Request, typing}
	case CtxPaste:
		return []any{program, places, &k.Paste, typing}
	case CtxTry:
		return []any{program, &k.Try, typing}
	case CtxScope:
		return []any{program, places, browse, move, &k.Screens, &k.Scope}
	case CtxActivity:
		return []any{program, places, browse, move, &k.Screens}
	case CtxChooser:
		return []any{program, &k.Chooser, typing}
	case CtxCopy:
		return []any{program, &k.Copy, &k.Chooser}
	case CtxHelp:
		return []any{program, move, &k.Reader}
	case CtxConfirm:
		return []any{program, &k.Confirm}
	}
	return nil
}

// Action returns what a key does in a context. In text, a key that only types
// or edits does nothing: it belongs to the field. Pasted text is no key.
func (k *Keys) Action(c Context, msg tea.KeyMsg) (Action, bool) {
	if msg.Paste {
		return "", false
	}
	a, ok := k.byKey[c][msg.String()]
	return a, ok
}

// index prepares Action.
func (k *Keys) index() {
	k.named = map[string]bool{}
	for c := range contextCount {
		k.byKey[c] = map[string]Action{}
		for _, b := range k.in(c) {
			for _, name := range b.Keys() {
				k.named[name] = true
				if b.Action != "" {
					k.byKey[c][name] = b.Action
				}
			}
		}
	}
}

// in returns the bindings that work in a context.
func (k *Keys) in(c Context) []Bind {
	var all []Bind
	for _, g := range k.groups(c) {
		all = append(all, binds(g)...)
	}
	return all
}

// binds returns the bindings of a group in the order of its fields.
func binds(group any) []Bind {
	v := reflect.Indirect(reflect.ValueOf(group))
	all := make([]Bind, v.NumField())
	for i := range all {
		all[i] = v.Field(i).Interface().(Bind)
	}
	return all
}

// section is a group of keys with its heading.
type section struct {
	title string
	after string // the key that must come first, if any
	binds []Bind
}

// sections returns all groups, in the order of the help.
func (k *Keys) sections() []section {
	var all []section
	v := reflect.ValueOf(*k)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if title := f.Tag.Get("title"); title != "" {
			all = append(all, section{title, f.Tag.Get("after"), binds(v.Field(i).Interface())})
		}
	}
	return all
}

// Command is an action as the palette lists it.
type Command struct {
	Action Action
	Name   string
	Key    string // as help shows it; empty if there is none
}

// Commands returns every action that has a name, once, in the order of the
// help.
func (k *Keys) Commands() []Command {
	var all []Command
	seen := map[Action]bool{}
	for _, s := range k.sections() {
		for _, b := range s.binds {
			if b.Name == "" || seen[b.Action] {
				continue
			}
			seen[b.Action] = true
			all = append(all, Command{b.Action, b.Name, strings.TrimSpace(s.after + " " + b.Help().Key)})
		}
	}
	return all
}

// Hints returns the bindings that the footer shows in a context, the most
// useful first: where there is little room only the first are seen.
func (k *Keys) Hints(c Context) []Bind {
	switch c {
	case CtxQuery:
		return []Bind{k.Pair(k.Query.Up, k.Query.Down, "hits"), k.Go.Next, k.Query.Open, k.Go.Palette, k.Go.Help, k.Query.History, k.Query.Clear}
	case CtxHits:
		return []Bind{k.updown("hits"), k.Go.Next, k.Hits.Open, reworded(k.Explore.Pin, "why not"), k.Go.Palette, k.Browse.Help, k.Hits.Filter, k.Browse.Copy, k.Browse.Session, k.Browse.Quit}
	case CtxSchema:
		return []Bind{k.updown("rows"), k.Go.Next, k.Tree.Toggle, k.Tree.All, reworded(k.Explore.Pin, "why not"), k.Tree.Search, k.Browse.Help, k.Browse.Copy, k.Browse.Zoom, k.Go.Palette}
	case CtxWhy:
		return []Bind{k.updown("scroll"), k.Go.Next, reworded(k.Explore.Pin, "why not"), k.Browse.Zoom, k.Browse.Copy, k.Go.Palette, k.Browse.Help}
	case CtxDryRun:
		return []Bind{k.DryRun.Edit, k.Go.Next, k.Explore.Direct, k.Explore.EditArgs, reworded(k.Explore.Pin, "why not"), k.updown("scroll"), k.Browse.Copy, k.Browse.Zoom, k.Go.Palette, k.Browse.Help}
	case CtxArgs:
		return []Bind{k.Args.Run, k.Args.Leave, k.Args.Editor, k.Go.Palette, k.Go.Help}
	case CtxFilter:
		return []Bind{k.Filter.Keep, k.Filter.Clear, k.Filter.Up, k.Filter.Down}
	case CtxBudget:
		return []Bind{
			k.Pair(k.Budget.Less, k.Budget.More, "turn or fold"), reworded(k.Screens.Part, "part"), reworded(k.Budget.Undo, "undo"),
			reworded(k.Budget.Save, "save"), reworded(k.Budget.Reset, "reset"), reworded(k.Budget.Unwrite, "take back"),
			k.updown("rows"), k.Browse.Help, k.Screens.Filter, k.Go.Palette, k.Browse.Session,
		}
	case CtxScope:
		return []Bind{k.updown("rows"), reworded(k.Go.Next, "list below"), reworded(k.Screens.Open, "switch to it"), reworded(k.Screens.Part, "compare or who"), reworded(k.Scope.Gates, "without a gate"), k.Screens.Filter, k.Browse.Session, k.Go.Palette, k.Browse.Help, k.Browse.Quit}
	case CtxQueries:
		return []Bind{
			k.updown("rows"), reworded(k.Go.Next, "below"), reworded(k.Screens.Open, "in Explore"), reworded(k.Screens.Part, "dark, findings"),
			reworded(k.Labels.Compare, "rankers"), reworded(k.Labels.Try, "try text"), k.Screens.Filter, reworded(k.Labels.Label, "add"),
			reworded(k.Labels.Unlabel, "take away"), reworded(k.Labels.Undo, "undo"), k.Go.Palette, k.Browse.Help, k.Browse.Quit,
		}
	case CtxStrategies:
		return []Bind{
			k.updown("rows"), reworded(k.Go.Next, "below"), reworded(k.Screens.Open, "bytes"), reworded(k.Strategies.Message, "message"), reworded(k.Screens.Part, "view"),
			k.Pair(k.Budget.Less, k.Budget.More, "value"), reworded(k.Budget.Save, "save"), reworded(k.Strategies.Core, "core"), reworded(k.Strategies.Add, "add turn"), reworded(k.Strategies.Drop, "drop turn"),
			reworded(k.Budget.Undo, "undo"), k.Go.Palette, k.Browse.Help, k.Screens.Filter, reworded(k.Budget.Reset, "reset"), k.Browse.Session, k.Browse.Quit,
		}
	case CtxMessage:
		return []Bind{k.Message.Keep, k.Message.Leave, reworded(k.Go.Next, "leave"), k.Go.Palette, k.Go.Help}
	case CtxResults:
		return []Bind{
			k.updown("rows"), reworded(k.Go.Next, "below"), reworded(k.Results.Request, "request"), reworded(k.Screens.Part, "view"), reworded(k.Results.Continue, "go on"),
			k.Pair(k.Budget.Less, k.Budget.More, "value"), reworded(k.Results.File, "file"), reworded(k.Results.Tool, "tool"), reworded(k.Results.Paste, "paste"),
			reworded(k.Results.Gap, "next gap"), reworded(k.Results.Keep, "keep"), reworded(k.Budget.Save, "save"), reworded(k.Budget.Undo, "undo"), reworded(k.Results.Clear, "clear"), k.Go.Palette, k.Browse.Help, k.Screens.Filter, reworded(k.Budget.Reset, "reset"), k.Browse.Quit,
		}
	case CtxRequest:
		return []Bind{reworded(k.Request.Send, "ask"), k.Request.Leave, reworded(k.Request.PageDown, "answer"), k.Pair(k.Request.Up, k.Request.Down, "requests"), k.Go.Palette, k.Go.Help}
	case CtxPaste:
		return []Bind{k.Paste.Use, k.Paste.Leave, k.Go.Palette, k.Go.Help}
	case CtxTry:
		return binds(&k.Try)
	case CtxActivity:
		return []Bind{k.updown("rows"), k.Screens.Open, reworded(k.Screens.Part, "open all"), k.Screens.Filter, k.Browse.Session, k.Go.Palette, k.Browse.Help, k.Browse.Quit}
	case CtxChooser:
		return []Bind{k.Pair(k.Chooser.Up, k.Chooser.Down, "move"), k.Chooser.Choose, k.Chooser.Close}
	case CtxCopy:
		return append([]Bind{k.Pair(k.Chooser.Up, k.Chooser.Down, "move"), k.Chooser.Choose, k.Chooser.Close}, binds(&k.Copy)...)
	case CtxConfirm:
		return []Bind{k.Confirm.Yes, k.Confirm.No, k.Pair(k.Confirm.Up, k.Confirm.Down, "scroll")}
	case CtxHelp:
		return []Bind{k.updown("scroll"), k.Reader.Close}
	}
	return nil
}

// reworded returns a hint whose key means something narrower here.
func reworded(b Bind, what string) Bind {
	b.SetHelp(b.Help().Key, what)
	return b
}

func (k *Keys) updown(what string) Bind { return k.Pair(k.Move.Up, k.Move.Down, what) }

// Pair returns one hint for two keys that do opposite things; it does what the
// second does.
func (k *Keys) Pair(a, b Bind, what string) Bind {
	first, _, _ := strings.Cut(a.Help().Key, " ")
	second, _, _ := strings.Cut(b.Help().Key, " ")
	b.SetHelp(first+second, what)
	return b
}
