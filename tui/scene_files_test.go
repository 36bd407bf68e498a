package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caliper/tui/demo"
)

// open opens the explorer on a registry and a configuration, which are the
// demo's unless the scene has written them, and on what else it has opened.
func (p *player) open() error {
	if err := p.openDemo(registryFile, configFile); err != nil {
		return err
	}
	p.start(p.w, p.h)
	return nil
}

// openDemo opens files of the demo that are not open yet.
func (p *player) openDemo(names ...string) error {
	for _, name := range names {
		if p.file(name) != nil {
			continue
		}
		if name == "results" {
			if err := p.openDemo(demo.ResultFiles...); err != nil {
				return err
			}
			continue
		}
		data, err := demoFile(name)
		if err != nil {
			return err
		}
		if err := p.put(name, data, nil); err != nil {
			return err
		}
	}
	return nil
}

// content returns what write and edit give a file.
func (p *player) content(name string, edit func(string) (string, error)) error {
	f := p.file(name)
	if f == nil {
		if err := p.openDemo(name); err != nil {
			return err
		}
		f = p.file(name)
	}
	text, err := edit(string(f.data))
	if err != nil {
		return err
	}
	return p.change(name, []byte(text), nil)
}

// change gives a file a content or an error, and tells the explorer.
func (p *player) change(name string, data []byte, err error) error {
	if err := p.put(name, data, err); err != nil {
		return err
	}
	if p.d != nil && !p.quietly {
		p.tell(name)
	}
	return nil
}

// write gives a file the lines below as its content: write FILE. Behind the
// name may stand the content itself, with Go's escapes, "demo" for what the demo
// has, or "from NAME" for what a file of testdata/scenes/files has.
func (p *player) write(line sceneLine) error {
	name, rest, _ := strings.Cut(line.Rest, " ")
	rest = strings.TrimSpace(rest)
	from, isFrom := strings.CutPrefix(rest, "from ")
	switch {
	case rest == "demo" || isFrom:
		data, err := demoFile(name)
		if isFrom {
			data, err = os.ReadFile(filepath.Join("testdata", "scenes", "files", from))
		}
		if err != nil {
			return err
		}
		return p.change(name, data, nil)
	case rest != "":
		text, err := sceneText(rest)
		if err != nil {
			return err
		}
		return p.change(name, []byte(text), nil)
	case len(line.Block) == 0:
		return p.change(name, nil, nil)
	}
	return p.change(name, []byte(strings.Join(line.Block, "\n")+"\n"), nil)
}

// edit replaces texts of a file, which must be there: edit FILE OLD NEW..., and
// further pairs in the lines below.
func (p *player) edit(line sceneLine) error {
	name, rest, _ := strings.Cut(line.Rest, " ")
	pairs, err := editPairs(append([]string{rest}, line.Block...))
	if err != nil {
		return err
	}
	return p.content(name, func(text string) (string, error) { return edited(text, pairs) })
}

// editPairs reads pairs of an old text and a new one.
func editPairs(texts []string) ([]string, error) {
	var pairs []string
	for _, text := range texts {
		fields, err := sceneFields(text)
		if err != nil {
			return nil, err
		}
		for _, field := range fields {
			if unquoted, err := sceneText(field); err == nil {
				field = unquoted
			}
			pairs = append(pairs, field)
		}
	}
	if len(pairs)%2 != 0 {
		return nil, errors.New("want pairs of an old text and a new one")
	}
	return pairs, nil
}

// edited returns a text with the first of each old text replaced.
func edited(text string, pairs []string) (string, error) {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			return "", fmt.Errorf("it does not hold %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text, nil
}

// breakFile makes a file unreadable: break FILE REASON, or "gone".
func (p *player) breakFile(line sceneLine) error {
	name, reason, _ := strings.Cut(line.Rest, " ")
	if reason == "gone" {
		return p.change(name, nil, notThere("/far/away/"+name))
	}
	text, err := sceneText(reason)
	if err != nil {
		return err
	}
	return p.change(name, nil, errors.New(text))
}

// watch tells the explorer of every file that is not as it was last told.
func (p *player) watch(sceneLine) error {
	told := 0
	for i := range p.files {
		f := &p.files[i]
		if !p.onDisk(f.name) {
			continue
		}
		data, err := os.ReadFile(p.path(f.name))
		if err == nil && string(data) == string(f.data) && !f.untold {
			continue
		}
		f.data, f.err = data, err
		p.tell(f.name)
		told++
	}
	return expect(told > 0, "no file has changed")
}
