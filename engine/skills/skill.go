// Package skills reads the skills of an agent, folders with a SKILL.md file, and tells what of
// them each agent lists to its model.
//
// A skill is loaded by the model, not called: the list of skills is all that the model knows of
// them before. Agents give that list a budget and cut it in ways of their own, so that the
// description by which a skill would be found may never reach the model.
//
// Goals: the list as the real agent sends it, for the same files (testdata has what three
// agents sent). Non-goals: the body of a skill, plugins, reading from the disk.
//
// Source of the format: agentskills.io, as of November 2026. Sources of the lists: the packages
// and versions of testdata/README.md.
package skills

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// File is the name of the file that makes a folder a skill.
const File = "SKILL.md"

// The most characters that the format allows.
const (
	MaxName        = 64
	MaxDescription = 1024
)

// MaxSize is the largest file that is taken for a skill, in bytes.
const MaxSize = 1 << 20

// Skill is one skill. Its texts are as the file has them, unsafe for a terminal.
type Skill struct {
	Name        string
	Description string
	When        string // when_to_use, which Claude Code adds to the description
	Path        string // of SKILL.md, as the user named it
	Folder      string // name of the folder that SKILL.md is in

	Place  string // where an agent looks, such as .claude or .agents; empty: in none of these
	Home   bool   // Place is the user's own, not a project's
	Manual bool   // disable-model-invocation
	Loose  bool   // the front matter is no YAML, and read line by line
}

// ShownName returns the name, safe for a terminal.
func (s *Skill) ShownName() string { return safetext.Line(s.Name) }

// Locate sets Place and Home of a skill by the absolute path of its file and the user's home
// folder, which may be empty.
func (s *Skill) Locate(path, home string) {
	skill := filepath.Dir(path)
	place := filepath.Dir(filepath.Dir(skill))
	s.Folder = filepath.Base(skill)
	if filepath.Base(filepath.Dir(skill)) == "skills" && strings.HasPrefix(filepath.Base(place), ".") {
		s.Place, s.Home = filepath.Base(place), home != "" && filepath.Dir(place) == filepath.Clean(home)
	}
}

// Parse reads a SKILL.md file. Warnings are breaches of the format that agents pass over. The
// error is a model.Diagnostic: there is no front matter, it is not YAML even if its values are
// taken for text, or it has no name or no description.
func Parse(file string, data []byte) (s *Skill, warnings []model.Diagnostic, err error) {
	front, ok := yamltext.FrontMatter(data)
	if !ok {
		return nil, nil, model.Diagnostic{File: safetext.Line(file), Line: 1, Col: 1, Code: "no_front_matter",
			Message: words.Message("a skill begins with a line of three hyphens, its name and description in YAML, and three hyphens again")}
	}
	s = &Skill{Path: file, Folder: filepath.Base(filepath.Dir(file))}
	doc, err := yamltext.Load(safetext.Line(file), front)
	if err != nil {
		// Plain values of one line in quotes, as Claude Code and Codex read it then: a value may have a colon.
		front = keyAndText().ReplaceAllFunc(front, func(line []byte) []byte {
			parts := keyAndText().FindSubmatch(line)
			return fmt.Appendf(nil, `%s"%s"`, parts[1], strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(parts[2])))
		})
		if doc, _ = yamltext.Load(safetext.Line(file), front); doc == nil {
			return nil, nil, err
		}
		var d model.Diagnostic
		if s.Loose = errors.As(err, &d) && d.Code != "unloadable"; s.Loose { // else the stricter loader of an agent in Python refuses it
			d.Code, d.Message = "loose_yaml", words.Message("not YAML ("+d.Message+"): put the value in quotes, for Copilot CLI leaves the skill out")
			warnings = append(warnings, d)
		}
	}
	at := map[string]model.Diagnostic{}
	var entries []yamltext.Entry
	if doc.Root != nil {
		entries = yamltext.Entries(doc.Root)
	}
	for _, e := range entries {
		v, _ := yamltext.Resolve(e.Val)
		text := strings.TrimSpace(v.Text)
		to := map[string]*string{"name": &s.Name, "description": &s.Description, "when_to_use": &s.When}[e.Name]
		here := doc.Fault(doc.At(e.Place()), "", "")
		switch {
		case to != nil && v.Kind != yamltext.Text && v.Kind != yamltext.Null:
			here.Code, here.Path, here.Message = "not_text", e.Name, words.Message("want text, in quotes where YAML reads it as something else")
			return nil, nil, here
		case to != nil:
			*to, at[e.Name] = text, here
		case e.Name == "disable-model-invocation":
			s.Manual = v.Kind == yamltext.Boolean && v.Yes
		}
	}
	if s.Name == "" || s.Description == "" {
		key := "name"
		if s.Name != "" {
			key = "description"
		}
		where := cmp.Or(at[key], model.Diagnostic{File: safetext.Line(file), Line: 1, Col: 1})
		where.Code, where.Path, where.Message = "missing", key, words.Message("missing")
		return nil, nil, where
	}
	return s, append(warnings, s.breaches(at)...), nil
}

var validName = words.LazyRegexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// breaches returns the rules of the format that a skill breaks, at the keys.
func (s *Skill) breaches(at map[string]model.Diagnostic) (found []model.Diagnostic) {
	add := func(key, code, format string, args ...any) {
		d := at[key]
		d.Code, d.Path, d.Message = code, key, words.Message(safetext.Line(fmt.Sprintf(format, args...)))
		found = append(found, d)
	}
	if n := utf8.RuneCountInString(s.Name); n > MaxName {
		add("name", "skill_name", "%d characters, more than the %d of the format", n, MaxName)
	} else if !validName().MatchString(s.Name) {
		add("name", "skill_name", "%q is not small letters, digits and single hyphens", s.Name)
	} else if s.Name != s.Folder {
		add("name", "skill_folder", "%q is in the folder %q, which must have the same name", s.Name, s.Folder)
	}
	if n := utf8.RuneCountInString(s.Description); n > MaxDescription {
		add("description", "skill_description", "%s characters, more than the %s of the format", words.Thousands(n), words.Thousands(MaxDescription))
	}
	return found
}

var keyAndText = words.LazyRegexp(`(?m)^([a-zA-Z_-]+:[ \t]+)([^\s"'\[|>].*?)[ \t\r]*$`)

// Toolset is the toolset of the tools of Registry.
const Toolset = "skills"

// Registry returns a registry with a tool for each skill, in their order, whose name and
// description are the skill's: for rankers, which rank tools. No such tool can be called.
func Registry(all []*Skill) *model.Registry {
	tools := make([]*model.Tool, len(all))
	for i, s := range all {
		text := s.Description
		if s.When != "" {
			text += " - " + s.When
		}
		function := append(append(append([]byte(`{"name":`), jsontree.Encode(s.Name)...), `,"description":`...), append(jsontree.Encode(text), '}')...)
		tools[i] = &model.Tool{Name: s.Name, Description: text, ShownName: s.ShownName(), Function: function, Toolset: Toolset, Available: true}
	}
	return model.NewRegistry(tools, []*model.Toolset{{Name: Toolset, ShownName: Toolset}})
}
