package sides

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/cells"
	"caliper/tui/job"
	"caliper/tui/keymap"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// pathBox is the box in which the path of a file is typed. The files of the folder that
// is typed are listed below; a job reads their names.
type pathBox struct {
	screen *Screen
	title  string
	field  *ui.Field
	layer  *keymap.Layer
	found  []string // names in the folder, folders with a separator at the end
	cursor int      // of the names that match; -1: the typed path
	list   ui.Window
}

// longestPath is the longest path that can be typed, in characters.
const longestPath = 4096

// mostNames is how many names of a folder are kept.
const mostNames = 2000

// Complete is the action that completes the path.
const Complete keymap.Action = "complete the path"

// PathBox returns the box for a choice that needs a path. Done is called with the
// path, which is empty if the user gives none. The command reads the names of the files.
func (s *Screen) PathBox(id string, done func(path string) tea.Cmd) (screen.Overlay, tea.Cmd) {
	b := &pathBox{screen: s, title: map[string]string{idRegistry: "registry to compare with", idConfig: "configuration to compare with"}[id],
		field: ui.NewField(longestPath, "path of a file"), cursor: -1}
	bind := keymap.Bind
	keys := &keymap.Group{Title: "Path of a file", Bindings: []keymap.Binding{
		bind(keymap.Open, "enter", "compare", "", "enter").Does(func() tea.Cmd {
			path := b.path()
			if path == "" {
				return s.host.Notify(ui.LevelInfo, "type the path of a file, or choose one below; tab completes it")
			}
			return done(path)
		}),
		bind(Complete, "tab", "complete", "", "tab").Does(b.complete),
		bind(keymap.Up, "↑", "up", "", "up", "shift+tab").Runs(func() { b.Move(-1) }),
		bind(keymap.Down, "↓", "down", "", "down").Runs(func() { b.Move(1) }),
		bind(keymap.Back, "esc", "close", "", "esc").Does(func() tea.Cmd { return done("") }),
	}}
	b.layer = &keymap.Layer{Groups: []*keymap.Group{keys}, Hints: keymap.Hints(keymap.Open, Complete, keymap.Down.After(keymap.Up, "names"), keymap.Back),
		Type: func(k tea.KeyMsg) tea.Cmd {
			if _, changed := b.field.Key(k); changed {
				b.cursor = -1
				return b.read()
			}
			return nil
		}}
	s.path = b
	s.names.Reset()
	return b, b.read()
}

// Layer returns the keys of the box.
func (b *pathBox) Layer() *keymap.Layer { return b.layer }

// Move moves the cursor among the names; above the first is the typed path.
func (b *pathBox) Move(by int) {
	b.cursor = max(-1, min(b.cursor+by, len(b.matching())-1))
}

// Page returns the names of a page.
func (b *pathBox) Page() int { return shownNames }

// Click selects the name on a line.
func (b *pathBox) Click(line int) tea.Cmd {
	if at := b.list.Top + line - 2; line >= 2 && at < len(b.matching()) {
		b.cursor = at
	}
	return nil
}

// path returns the path that is chosen: that of the name under the cursor, else the
// typed one.
func (b *pathBox) path() string {
	if list := b.matching(); b.cursor >= 0 && b.cursor < len(list) {
		folder, _ := filepath.Split(b.field.Value())
		return folder + list[b.cursor]
	}
	return strings.TrimSpace(b.field.Value())
}

// folder returns the folder whose names are listed.
func (b *pathBox) folder() string {
	folder, _ := filepath.Split(b.field.Value())
	if folder == "" {
		return "."
	}
	return folder
}

// read returns the command that reads the names in the folder, nil when they are
// there.
func (b *pathBox) read() tea.Cmd {
	folder := b.folder()
	if names := &b.screen.names; names.Begun && names.Of == folder {
		return nil
	}
	b.found = nil
	return b.screen.names.Start(b.screen.host.Context(), folder, func(ctx context.Context, _ job.Progress) ([]string, error) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, nil // a folder that is not there has no names
		}
		var list []string
		for _, e := range entries[:min(len(entries), mostNames)] {
			name := e.Name()
			if e.IsDir() {
				name += string(filepath.Separator)
			}
			list = append(list, name)
		}
		return list, ctx.Err()
	})
}

// matching returns the names that begin with what is typed; hidden ones only when
// their dot is typed.
func (b *pathBox) matching() []string {
	_, base := filepath.Split(b.field.Value())
	var list []string
	for _, name := range b.found {
		if strings.HasPrefix(name, base) && (base != "" || !strings.HasPrefix(name, ".")) {
			list = append(list, name)
		}
	}
	return list
}

// complete types as much as all matching names share, or the name under the cursor.
func (b *pathBox) complete() tea.Cmd {
	list := b.matching()
	if len(list) == 0 {
		if cmd := b.read(); cmd != nil {
			return cmd
		}
		return b.screen.host.Notify(ui.LevelInfo, "no file in this folder begins like that")
	}
	folder, base := filepath.Split(b.field.Value())
	word := list[0]
	if b.cursor >= 0 {
		word = list[b.cursor]
	} else {
		for _, name := range list[1:] {
			word = common(word, name)
		}
	}
	if word == base {
		b.Move(1)
		return nil
	}
	b.field.Set(folder + word)
	b.cursor = -1
	return b.read()
}

// common returns the beginning that two names share.
func common(a, b string) string {
	n := 0
	for x, y := []rune(a), []rune(b); n < len(x) && n < len(y) && x[n] == y[n]; {
		n++
	}
	return string([]rune(a)[:n])
}

// shownNames is how many names are drawn at most.
const shownNames = 8

// Draw returns the box for a screen of w×h cells.
func (b *pathBox) Draw(t *ui.Theme, w, h int) []string {
	width := max(20, min(w-4, 80))
	inner := width - 4
	var l cells.Line
	l.Start(inner)
	l.Text(t.Accent, t.Prompt+" ")
	b.field.Draw(&l, t, l.Room(), true)
	content := []string{l.End()}
	list := b.matching()
	rows := max(1, min(shownNames, h-5))
	b.list.Follow(max(0, b.cursor), rows, len(list))
	for i := b.list.Top; i < b.list.Top+rows; i++ {
		l.Start(inner)
		if i < len(list) {
			ui.DrawGutter(&l, t, i == b.cursor, true)
			l.Text(t.Text, safetext.Line(list[i]))
		}
		content = append(content, l.End())
	}
	return ui.Dialog(t, b.title, content, width)
}

// named takes the names that were read.
func (b *pathBox) named(list []string) {
	slices.Sort(list)
	b.found = list
}
