package scene

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	s, err := Parse("x.scene", []byte(`
# a comment
size 80x24
theme dark light
args --session `+"`kanban worker`"+`
args -v
env NAME=a b
mask \d+:\d\d 00:00
mask `+"`in  .* *` `x y`"+`
pace 0.05

until ^query .*
type  create issue
key Down C-k ;
paste `+"` two  blanks `"+`
settle
  shot a-$THEME
gif start b-$THEME
hold 1.25
say a  b
gif stop
sh echo "x" >> $DEMO/file
press y C-k
`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Columns != 80 || s.Rows != 24 || s.Pace != 50*time.Millisecond {
		t.Errorf("settings: %+v", s)
	}
	if got, want := strings.Join(s.Args, "|"), "--session|kanban worker|-v"; got != want {
		t.Errorf("args %q, want %q", got, want)
	}
	if got, want := strings.Join(s.Env, "|"), "NAME=a b"; got != want {
		t.Errorf("env %q, want %q", got, want)
	}
	var masks []string
	for _, m := range s.Masks {
		masks = append(masks, m.Pattern.String()+" > "+m.Replacement)
	}
	if got, want := strings.Join(masks, "|"), `\d+:\d\d > 00:00|in  .* * > x y`; got != want {
		t.Errorf("masks %q, want %q", got, want)
	}
	want := []Step{
		{Line: 12, Verb: Until, Text: "^query .*"},
		{Line: 13, Verb: Type, Text: "create issue"},
		{Line: 14, Verb: Key, Keys: []string{"Down", "C-k", ";"}},
		{Line: 15, Verb: Paste, Text: " two  blanks "},
		{Line: 16, Verb: Settle},
		{Line: 17, Verb: Shot, Text: "a-$THEME"},
		{Line: 18, Verb: GIFStart, Text: "b-$THEME"},
		{Line: 19, Verb: Hold, Duration: 1250 * time.Millisecond},
		{Line: 20, Verb: Say, Text: "a  b"},
		{Line: 21, Verb: GIFStop},
		{Line: 22, Verb: Shell, Text: `echo "x" >> $DEMO/file`},
		{Line: 23, Verb: Press, Keys: []string{"y", "C-k"}},
	}
	if !reflect.DeepEqual(s.Steps, want) {
		t.Errorf("steps\ngot  %+v\nwant %+v", s.Steps, want)
	}
	if got, want := fmt.Sprint(s.Pictures()),
		"[{a-dark dark false 80 24} {b-dark dark true 80 24} {a-light light false 80 24} {b-light light true 80 24}]"; got != want {
		t.Errorf("pictures %s, want %s", got, want)
	}
}

func TestParseDefaults(t *testing.T) {
	s, err := Parse("x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Columns != 120 || s.Rows != 36 || s.Pace != DefaultPace || strings.Join(s.Themes, " ") != "dark" {
		t.Errorf("got %+v", s)
	}
}

func TestParseHome(t *testing.T) {
	s, err := Parse("x", []byte("home a/b.json\n\t{\n\t  1}\nhome .c\n\tx\nsettle"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Home), "[{a/b.json {\n  1}\n} {.c x\n}]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"unknown verb", "\n\njump 3", "x:3: jump: unknown verb"},
		{"gif start is two words", "gif", `x:1: gif: "": want start NAME or stop`},
		{"setting after a step", "settle\nsize 80x24", "x:2: size: settings come before steps"},
		{"size", "size 80", `x:1: size: "80": want WIDTHxHEIGHT up to 400x200`},
		{"size too large", "size 80x201", `x:1: size: "80x201": want WIDTHxHEIGHT up to 400x200`},
		{"theme", "theme auto", `x:1: theme: "auto": want dark, light or both`},
		{"theme twice", "theme dark dark", `x:1: theme: "dark dark": want dark, light or both`},
		{"no theme", "theme", "x:1: theme: want dark, light or both"},
		{"backquote", "args `a b", "x:1: args: unfinished backquote in \"`a b\""},
		{"env", "env NAME", `x:1: env: "NAME": want NAME=VALUE`},
		{"home without lines", "home a", "x:1: home: want the lines of the file below it, each after a tab"},
		{"home elsewhere", "home ../a\n\tx", `x:1: home: "../a": want the path of a file below the home folder`},
		{"home itself", "home .\n\tx", `x:1: home: ".": want the path of a file below the home folder`},
		{"lines below", "settle\n\tx", "x:1: settle: takes no lines below it"},
		{"mask", "mask a", "x:1: mask: want REGEXP REPLACEMENT, got 1 arguments"},
		{"mask's regexp", "mask ( x", "x:1: mask: error parsing regexp: missing closing ): `(`"},
		{"until's regexp", "until [", "x:1: until: error parsing regexp: missing closing ]: `[`"},
		{"pace", "pace fast", `x:1: pace: "fast": want seconds, 0 to 60`},
		{"no text", "type", "x:1: type: want an argument"},
		{"no keys", "key", "x:1: key: want key names"},
		{"nothing to press", "press", "x:1: press: want key names"},
		{"settle's argument", "settle 3", `x:1: settle: "3": takes no argument`},
		{"name", "shot ../x", `x:1: shot: name "../x": want lower-case letters, digits and hyphens`},
		{"no name", "shot", `x:1: shot: name "": want lower-case letters, digits and hyphens`},
		{"hold outside", "hold 1", "x:1: hold: outside of a film; use until or settle to wait"},
		{"say outside", "say a", "x:1: say: outside of a film"},
		{"nothing to say", "gif start a\nsay", "x:2: say: want an argument"},
		{"hold's seconds", "gif start a\nhold NaN", `x:2: hold: "NaN": want seconds, 0 to 60`},
		{"stop outside", "gif stop", "x:1: gif: stop: no film is running"},
		{"film in a film", "gif start a\ngif start b", "x:2: gif: start b: a is still running"},
		{"no stop", "gif start a\nsettle", "x:2: gif start a: no gif stop"},
		{"twice", "shot a\nshot a", "x: picture a is taken twice; a scene with two themes needs $THEME in its names"},
		{"both themes", "theme dark light\nshot a", "x: picture a is taken twice; a scene with two themes needs $THEME in its names"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x", []byte(tt.in))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("size 80x24\nmask `a b` c\nuntil x\ngif start a\nkey Down\nsay b\nhold 1\ngif stop\nshot b\nsh true\npress y")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("x", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("%v does not name the file", err)
			}
			return
		}
		for _, p := range s.Pictures() {
			if !pictureName.MatchString(p.Name) {
				t.Errorf("picture %q", p.Name)
			}
		}
	})
}
