package topics

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/selection"
	"caliper/engine/whatif"
	"caliper/model/require"
)

// every calls a function for each term.
func every(do func(Term)) {
	for _, s := range Glossary() {
		for _, t := range s.Terms {
			do(t)
		}
	}
}

func TestTermsAreSentences(t *testing.T) {
	seen := map[string]string{}
	every(func(term Term) {
		for _, label := range append([]string{term.Word}, term.Also...) {
			if other, twice := seen[strings.ToLower(label)]; twice {
				t.Errorf("%q is a label of %s and of %s", label, other, term.Word)
			}
			seen[strings.ToLower(label)] = term.Word
			if got, ok := TermOf(strings.ToUpper(label)); !ok || got.Word != term.Word {
				t.Errorf("Lookup(%q) = %v, %v", label, got, ok)
			}
		}
		if m := term.Meaning; !strings.HasSuffix(m, ".") || strings.Count(m, ". ") > 2 || len(m) > 240 || strings.ContainsAny(m, "|\n") {
			t.Errorf("%s: one to three short sentences are wanted: %q", term.Word, m)
		}
	})
	if _, ok := TermOf("no such label"); ok {
		t.Error("an unknown label is explained")
	}
}

// README has the basic terms, word for word.
func TestReadmeHasTheGlossary(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	if !strings.Contains(string(data), "\n"+basicTable()) {
		t.Errorf("README's glossary is another; it should be\n%s", basicTable())
	}
}

// Words of the code that are printed as they are have a meaning.
func TestWordsOfTheCodeAreExplained(t *testing.T) {
	var labels []string
	for _, s := range selection.Strategies {
		if s != selection.ToolSearch { // a tool of the bridge, too
			labels = append(labels, string(s))
		}
	}
	for _, s := range []whatif.Stage{whatif.StageNoMatch, whatif.StageOutOfScope} {
		labels = append(labels, string(s))
	}
	for _, label := range labels {
		if _, ok := TermOf(label); !ok {
			t.Errorf("%q is not explained", label)
		}
	}
	for _, key := range config.Settable() {
		if m := Setting(key); !strings.HasSuffix(m, ".") {
			t.Errorf("setting %s: %q", key, m)
		}
	}
	for key := range meanings() {
		if _, ok := config.SpecOf(key); !ok {
			t.Errorf("%s is no setting", key)
		}
	}
}

// everyday are titles of columns that need no explanation.
var everyday = strings.Split(
	"arguments block bytes change changes chars column command count description details expires figure file files finding from id kind line lines "+
		"message name next new note now old origin parameters path query reason rule section sentence setting severity size stage text time tool tools total "+
		"turn type used value was what why without with worst the this which where would yes no of in and or more than per each by first "+
		"denied second sha-256 percent part detail argument given last turn, it stopped reaches reached within effect characters code on not schema column request answer position place did you mean best right tagged before after other metric "+
		"input written cost searches repeated refused ended status uses agent model calls missed logged error requests a version found chance skill taken its own whole cut alone listed", " ")

// Titles of columns of the reports consist of terms and everyday words.
func TestColumnsAreExplained(t *testing.T) {
	files, err := filepath.Glob("../report/*.go")
	below, _ := filepath.Glob("../report/*/*.go")
	if files = append(files, below...); err != nil || len(below) == 0 {
		t.Fatal(files, err)
	}
	known := func(title string) bool {
		if _, ok := TermOf(title); ok {
			return true
		}
		for _, word := range strings.Fields(strings.ToLower(title)) {
			_, ok := TermOf(word)
			_, one := TermOf(strings.TrimSuffix(word, "s"))
			if !ok && !one && !slices.Contains(everyday, word) {
				return false
			}
		}
		return true
	}
	titles := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called, ok := call.Fun.(*ast.Ident)
			if of, other := call.Fun.(*ast.SelectorExpr); other {
				called, ok = of.Sel, true
			}
			if !ok || called.Name != "Columns" {
				return true
			}
			for _, a := range call.Args {
				lit, ok := a.(*ast.BasicLit)
				if !ok {
					continue
				}
				title, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				titles++
				if title = strings.Trim(title, ">…¶ "); !known(title) {
					t.Errorf("%s: the column %q is neither in the glossary nor everyday English", name, title)
				}
			}
			return true
		})
	}
	if titles < 50 {
		t.Errorf("only %d titles", titles)
	}
}

// basicTable returns the basic terms as a Markdown table, as README has them.
func basicTable() string {
	var b strings.Builder
	b.WriteString("| word | meaning |\n|---|---|\n")
	for _, s := range Glossary() {
		for _, t := range s.Terms {
			if t.Basic {
				b.WriteString("| " + t.Word + " | " + t.Meaning + " |\n")
			}
		}
	}
	return b.String()
}
