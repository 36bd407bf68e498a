package screen

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/safetext"
	"caliper/tui/ui"
)

// PathBox is an overlay with a field for a path. The files of the folder that is typed are
// listed below; a job reads their names.
type PathBox struct {
	Box
	host    Host
	home    string // home folder of the user; empty: unknown
	title   string
	folders bool                     // the path may lead to a folder
	names   ui.Job[string, []string] // of the files in a folder
	field   *ui.Field
	found   []string // names in the folder, folders with a separator at the end
	cursor  int      // of the names that match; -1: the typed path
	list    ui.Window
}

// longestPath is the longest path that can be typed, in characters.
const longestPath = 4096

// mostNames is how many names of a folder are kept.
const mostNames = 2000

// CompletePath is the action that completes the path.
const CompletePath ui.Action = "complete the path"

// NewPathBox returns an empty box. Verb tells what enter does with the path, and done gets the
// path; it is empty if the user gives none. With folders the path may lead to a folder. Home
// is the home folder of the user, which ~ means.
func NewPathBox(h Host, home, title, verb string, folders bool, done func(path string) tea.Cmd) *PathBox {
	b := &PathBox{host: h, home: home, title: title, folders: folders, field: ui.NewField(longestPath, "path of a file"), cursor: -1}
	bind := ui.Bind
	keys := &ui.Group{Title: "Path of a file", Where: "while the path of a file is typed", Bindings: []ui.Binding{
		bind(ui.Open, "enter", verb, "", "enter").Does(func() tea.Cmd { return b.take(done) }),
		bind(CompletePath, "tab", "complete", "", "tab").Does(b.complete),
		bind(ui.Up, "↑", "up", "", "up", "shift+tab").Runs(func() { b.Move(-1) }),
		bind(ui.Down, "↓", "down", "", "down").Runs(func() { b.Move(1) }),
		bind(ui.Back, "esc", "close", "", "esc").Does(func() tea.Cmd { return done("") }),
	}}
	b.Keys = &ui.Layer{Groups: []*ui.Group{keys}, Hints: ui.Hints(ui.Open, ui.Back, CompletePath, ui.Down.After(ui.Up, "names"), ui.Help, ui.Palette),
		Type: func(k tea.KeyMsg) tea.Cmd {
			if _, changed := b.field.Key(k); changed {
				b.cursor = -1
				return b.Read()
			}
			return nil
		}}
	return b
}

// Update takes in the names that were read.
func (b *PathBox) Update(msg tea.Msg) tea.Cmd {
	list, cmd, _ := b.names.Update(msg)
	if list != nil {
		slices.Sort(*list)
		b.found = *list
	}
	return cmd
}

// Move moves the cursor among the names; above the first is the typed path.
func (b *PathBox) Move(by int) {
	b.cursor = max(-1, min(b.cursor+by, len(b.matching())-1))
}

// Page returns the names of a page.
func (b *PathBox) Page() int { return shownNames }

// Click selects the name on a line.
func (b *PathBox) Click(line int) tea.Cmd {
	if at := b.list.Top + line - 2; line >= 2 && at < len(b.matching()) {
		b.cursor = at
	}
	return nil
}

// take gives done the path that is chosen. The beginning of a name is enough where one name
// alone begins like that. A folder is entered, or taken where it may be and its whole path is typed.
func (b *PathBox) take(done func(path string) tea.Cmd) tea.Cmd {
	list := b.matching()
	folder, base := filepath.Split(b.field.Value())
	exact := slices.Contains(list, base) || slices.Contains(list, base+string(filepath.Separator))
	if b.cursor < 0 && base != "" && !exact && len(list) > 0 {
		if len(list) > 1 {
			return b.host.Notify(ui.LevelInfo, ui.Count(len(list), "name")+" begin like that: tab completes, ↓ chooses one")
		}
		b.cursor = 0
	}
	entered := "" // the folder
	switch {
	case b.cursor >= 0 && b.cursor < len(list):
		entered = list[b.cursor]
	case !b.folders:
		entered = base + string(filepath.Separator)
	}
	if strings.HasSuffix(entered, string(filepath.Separator)) && slices.Contains(list, entered) {
		b.field.Set(folder + entered)
		b.cursor = -1
		return b.Read()
	}
	path := b.path()
	switch {
	case path == "":
		return b.host.Notify(ui.LevelInfo, "type the path of a file, or choose one below; tab completes it")
	case b.cursor < 0 && base == "" && len(b.found) > 0 && !b.folders:
		return b.host.Notify(ui.LevelInfo, "this is a folder: type the name of a file in it, or choose one below")
	}
	return done(path)
}

// path returns the path that is chosen: the one of the name under the cursor, else the
// typed one.
func (b *PathBox) path() string {
	if list := b.matching(); b.cursor >= 0 && b.cursor < len(list) {
		folder, _ := filepath.Split(b.field.Value())
		return TypedPath(b.home, folder+list[b.cursor])
	}
	return TypedPath(b.home, b.field.Value())
}

// TypedPath returns the path that a user means by a text: without the quotes that a
// terminal puts around a file that is dropped into it, and with the home folder for ~.
func TypedPath(home, text string) string {
	path := strings.TrimSpace(text)
	if n := len(path); n > 1 && (path[0] == '\'' || path[0] == '"') && path[n-1] == path[0] {
		path = path[1 : n-1]
	}
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok && home != "" {
		return home + string(filepath.Separator) + rest
	}
	return path
}

// Read returns the command that reads the names in the folder, nil when they are
// there.
func (b *PathBox) Read() tea.Cmd {
	typed, _ := filepath.Split(b.field.Value())
	folder := cmp.Or(TypedPath(b.home, typed), ".")
	if b.names.Begun && b.names.Of == folder {
		return nil
	}
	b.found = nil
	return b.names.Start(b.host.Context(), folder, func(ctx context.Context, _ ui.Progress) ([]string, error) {
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

// matching returns the names that begin with the typed text; hidden ones only when
// their dot is typed.
func (b *PathBox) matching() []string {
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
func (b *PathBox) complete() tea.Cmd {
	list := b.matching()
	if len(list) == 0 {
		if cmd := b.Read(); cmd != nil {
			return cmd
		}
		return b.host.Notify(ui.LevelInfo, "no file in this folder begins like that")
	}
	folder, base := filepath.Split(b.field.Value())
	word := list[0]
	if b.cursor >= 0 {
		word = list[b.cursor]
	} else {
		for _, name := range list[1:] {
			for !strings.HasPrefix(name, word) {
				_, last := utf8.DecodeLastRuneInString(word)
				word = word[:len(word)-last]
			}
		}
	}
	if word == base {
		b.Move(1)
		return nil
	}
	b.field.Set(folder + word)
	b.cursor = -1
	return b.Read()
}

// shownNames is how many names are drawn at most.
const shownNames = 8

// Draw returns the box for a screen of w×h cells.
func (b *PathBox) Draw(t *ui.Theme, w, h int) []string {
	width := max(20, min(w-4, 80))
	inner := width - 4
	l := ui.StartLine(inner, 0)
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
