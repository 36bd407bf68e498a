package skills

import (
	"strings"
	"testing"

	"caliper/model/yamltext"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "---\nname: x\ndescription: Does it.\n---\nBody: of it\n", "x|Does it.|"},
		{"other keys, quotes, comments", "---\n# who\nname: \"x\"\nlicense: MIT\nmetadata:\n  a: [1, 2]\ndescription: 'A: b'\nwhen_to_use: now\n---\n", "x|A: b|now"},
		{"folded", "---\nname: x\ndescription: >\n  One\n  two.\n\n  Three.\n---\n", "x|One two.\nThree.|"},
		{"Windows lines and a byte order mark", "\ufeff---\r\nname: x\r\ndescription: D\r\n---\r\n", "x|D|"},
		{"only by hand", "---\nname: x\ndescription: D\ndisable-model-invocation: true\n---\n", "x|D|manual"},
		{"a colon", "---\nname: x\ndescription: Use: it, \"well\" \\ now\n---\n", "x|Use: it, \"well\" \\ now|loose; s/x/SKILL.md:3:17: loose_yaml"},
		{"a tab, which YAML 1.1 refuses", "---\nname: x\ndescription: a\tb\n---\n", "x|a\tb|"},
		{"other folder", "---\nname: y\ndescription: D\n---\n", "y|D|; s/x/SKILL.md:2:7: name: skill_folder"},
		{"capitals", "---\nname: X\ndescription: D\n---\n", "X|D|; s/x/SKILL.md:2:7: name: skill_name"},
		{"long", "---\nname: " + strings.Repeat("x", 65) + "\ndescription: " + strings.Repeat("検", 1025) + "\n---\n", strings.Repeat("x", 65) + "|" + strings.Repeat("検", 1025) + "|; s/x/SKILL.md:2:7: name: skill_name; s/x/SKILL.md:3:14: description: skill_description"},
		{"no name", "---\ndescription: D\n---\n", "s/x/SKILL.md:1:1: name: missing"},
		{"no description", "---\nname: x\ndescription:\n---\n", "s/x/SKILL.md:3:1: description: missing"},
		{"name is a list", "---\ndescription: D\nname: [x]\n---\n", "s/x/SKILL.md:3:7: name: not_text"},
		{"no front matter", "# x\n\nD\n", "s/x/SKILL.md:1:1: no_front_matter"},
		{"empty", "", "s/x/SKILL.md:1:1: no_front_matter"},
		{"no end", "---\nname: x\ndescription: D\n", "s/x/SKILL.md:1:1: no_front_matter"},
		{"an end beyond what is read", "---\nname: x\n" + strings.Repeat("#\n", yamltext.MaxSize) + "---\n", "s/x/SKILL.md:1:1: no_front_matter"},
		{"not a mapping", "---\n- name\n---\n", "s/x/SKILL.md:1:1: name: missing"},
		{"no YAML at all", "---\nname: [\ndescription: D\n---\n", "s/x/SKILL.md:2:7: malformed"},
		{"two documents", "---\nname: x\n--- \ndescription: D\n---\n", "s/x/SKILL.md:1:1: description: missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := parsed(c.text); got != c.want {
				t.Errorf("have %q\nwant %q", got, c.want)
			}
		})
	}
}

// parsed returns a skill and its warnings, or the error, in short.
func parsed(text string) string {
	s, warnings, err := Parse("s/x/SKILL.md", []byte(text))
	var notes []string
	if err != nil {
		warnings = append(warnings, asDiagnostic(err))
	} else {
		note := s.Name + "|" + s.Description + "|" + s.When
		switch {
		case s.Manual:
			note += "manual"
		case s.Loose:
			note += "loose"
		}
		notes = append(notes, note)
	}
	for _, w := range warnings {
		w.Message = w.Code
		notes = append(notes, w.Error())
	}
	return strings.Join(notes, "; ")
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"---\nname: x\ndescription: D\n---\n", "---\nname: &a x\ndescription: *a\n---\n", "---\nname: x\ndescription: a: \"b\\\n---\n", "---\n? [a]\n: b\n---", "---\r\nname: |\r\n x\r\n---\r\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, warnings, err := Parse("s/x/SKILL.md", []byte(text))
		if err != nil {
			if d := asDiagnostic(err); d.Line < 1 || d.Col < 1 || d.Code == "" {
				t.Fatalf("%q: %#v", text, d)
			}
			return
		}
		if s.Name == "" || s.Description == "" || strings.TrimSpace(s.Name) != s.Name {
			t.Fatalf("%q: %#v", text, s)
		}
		for _, w := range warnings {
			if w.Line < 1 || w.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%q: %v", text, w)
			}
		}
	})
}

func TestLocate(t *testing.T) {
	for _, c := range []struct{ path, home, want string }{
		{"/home/u/.claude/skills/x/SKILL.md", "/home/u", ".claude home x"},
		{"/home/u/w/.claude/skills/x/SKILL.md", "/home/u", ".claude x"},
		{"/home/u/.claude/skills/x/SKILL.md", "", ".claude x"},
		{"/srv/skills/x/SKILL.md", "/home/u", " x"},
		{"/srv/.claude/other/x/SKILL.md", "/home/u", " x"},
	} {
		var s Skill
		s.Locate(c.path, c.home)
		home := ""
		if s.Home {
			home = "home "
		}
		if got := s.Place + " " + home + s.Folder; got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}
