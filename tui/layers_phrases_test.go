package tui_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/model/require"
)

// A phrase is private English, with the word of the field to use in its place.
type phrase struct {
	not    *regexp.Regexp
	but    string
	unless *regexp.Regexp // a longer phrase that is right; may be nil
}

func avoid(not, but string) phrase { return phrase{regexp.MustCompile(`(?i)` + not), but, nil} }

func (p phrase) unlessIn(longer string) phrase {
	p.unless = regexp.MustCompile(`(?i)` + longer)
	return p
}

// find returns the phrase as it is in a text, empty where it is not.
func (p phrase) find(text string) string {
	if p.unless != nil {
		text = p.unless.ReplaceAllString(text, "")
	}
	return p.not.FindString(text)
}

// labels are what a newcomer cannot explain.
var labels = []phrase{
	avoid(`\bas a first message\b`, "turn 1 (nothing cached)"),
	avoid(`^needed$|\bneeded tools?\b`, "expected tool"),
	avoid(`\btrips?\b`, "extra round trips").unlessIn(`round trips?`),
	avoid(`\bcache (same|grows|varies)\b`, "cache stable, cache changes"),
	avoid(`\bdark tools?\b`, "unfindable tools"),
	avoid(`\bin force\b`, "active"),
	avoid(`\b(take|takes|taken|took) (\w+ ){0,3}away\b`, "delete"),
	avoid(`\b(take|takes|taken|took) (it |them )?back\b`, "undo"),
	avoid(`\blets? (it )?go\b`, "unpin"),
	avoid(`\bas tried\b`, "draft"),
	avoid(`\blikewise\b`, "also"),
	avoid(`\brescue at\b`, "size limit"),
	avoid(`\bfull fetch\b`, "largest full read"),
	avoid(`\bworth it\b`, "break-even: N tools used per session"),
	avoid(`\btok/result\b`, "tokens per search result"),
	avoid(`\bturns? (it|auto) (on|off)\b`, "switches on with N more tokens (about M tools)"),
	avoid(`\bis no request\b|\bhow they are written\b`, "unknown request; syntax below"),
	avoid(`\bno word of the query stands\b`, "shares no word with the query"),
	avoid(`\bquery by name\b`, "searching the exact name finds it"),
	avoid(`\bread again ·`, "nothing changed"),
	avoid(`\bnot at all\b`, "denied by GATE: REASON, not found"),
}

// sentences are what has to be read twice.
var sentences = []phrase{
	avoid(`\bdark\b`, "unfindable"),
	avoid(`\b(stands?|bears?)\b`, "is, has"),
	avoid(`\b(is|are|was|were|be) no [a-z]`, "is not a").unlessIn(`there (is|are|was|were) no |is no longer`),
	avoid(`\b(is|are) none\b`, "is not"),
	avoid(`\bbehind\b`, "below (a limit), after (a place), deferred (a tool)").unlessIn(`behind the bridge`),
	avoid(`\b(row|nothing|session|toolset|tool|text) holds\b`, "contains"),
	avoid(`\bheeded\b`, "used"),
	avoid(`\bof no use\b`, "cannot be used"),
	avoid(`\bin vain\b`, "without use"),
	avoid(`\b(of|pane|screen|view|match|gap) before$`, "previous, earlier"),
	avoid(`\banew\b`, "again"),
	avoid(`\bsays? so already\b`, "has this value already"),
	avoid(`\bwithin reach\b`, "small enough"),
	avoid(`\b(is|be) told\b|! tells\b`, "is printed, shows"),
}

// rightWords are texts that have such a phrase and are right.
var rightWords = map[string]string{
	"dark":                         "a theme of the terminal",
	"auto, light, dark or plain":   "the themes",
	"theme %q: want dark or light": "the themes",
	"theme %s: want auto, light, dark or plain": "the themes",
}

// said are the folders whose texts users read, unsaid the files in them whose
// texts are data.
var (
	said   = []string{"tui/", "engine/", "model/", "config/", "watch/"}
	unsaid = []string{"tui/demo/", "/internal/", "engine/lint/words.go", "engine/lint/texts.go", "engine/retrieval/vocabulary.go", "engine/retrieval/fielded/lexicon", "model/safetext/injection.go"}
)

// Texts of the program have the words of the field.
func TestNoPrivateEnglish(t *testing.T) {
	texts := 0
	for name, file := range sources(t) {
		isIn := func(part string) bool { return strings.Contains(name, part) }
		if !slices.ContainsFunc(said, func(folder string) bool { return strings.HasPrefix(name, folder) }) || slices.ContainsFunc(unsaid, isIn) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			texts++
			if rightWords[text] != "" {
				return true
			}
			for _, p := range slices.Concat(labels, sentences) {
				if found := p.find(text); found != "" {
					t.Errorf("%s:%d: %q of %.150q: write %s", name, positions.Position(literal.Pos()).Line, found, text, p.but)
				}
			}
			return true
		})
	}
	if texts < 5000 {
		t.Errorf("only %d texts", texts)
	}
}

// So do the pages of the help and the glossary; README has the same labels.
func TestNoPrivateEnglishInPages(t *testing.T) {
	files := map[string][]phrase{"README.md": labels}
	for _, pattern := range []string{"tui/topics/pages/*.md", "tui/topics/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) < 2 {
			t.Fatal(found, err)
		}
		for _, name := range found {
			files[strings.TrimPrefix(name, root+"/")] = slices.Concat(labels, sentences)
		}
	}
	for name, phrases := range files {
		data, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(string(data), "\n|", "\n\n|"), "\n\n") {
			text := strings.Join(strings.Fields(paragraph), " ")
			for _, p := range phrases {
				if found := p.find(text); found != "" {
					t.Errorf("%s: %q of %.150q: write %s", name, found, text, p.but)
				}
			}
		}
	}
}
