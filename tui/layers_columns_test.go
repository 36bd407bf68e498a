package tui_test

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/topics"
)

// everyday are titles of columns that need no explanation.
var everyday = strings.Split(
	"arguments block bytes change changes chars column command count description details expires figure file files finding from id kind line lines "+
		"message name next new note now old origin parameters path query reason rule section sentence setting severity size stage text time tool tools total "+
		"turn type used value was what why without with worst the this which where would yes no of in and or more than per each by first "+
		"denied second sha-256 percent part detail argument given last turn, it stopped reaches reached within effect characters code on not schema column request answer position place did you mean best right tagged before after other metric "+
		"input written cost searches repeated refused ended status uses agent model calls missed logged error requests a version found chance skill taken its own whole cut alone listed", " ")

// Titles of columns of the reports consist of terms and everyday words.
func TestColumnsAreExplained(t *testing.T) {
	explained := func(title string) bool {
		_, ok := topics.TermOf(title)
		return ok
	}
	known := func(word string) bool {
		return explained(word) || explained(strings.TrimSuffix(word, "s")) || slices.Contains(everyday, word)
	}
	titles := 0
	for name, file := range sources(t) {
		if !strings.HasPrefix(name, "tui/report/") {
			continue
		}
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
				title = strings.Trim(title, ">…¶ ")
				if words := strings.Fields(strings.ToLower(title)); !explained(title) && slices.ContainsFunc(words, func(w string) bool { return !known(w) }) {
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
