package retrieval

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFiles: every line is as the package comment says.
func TestFiles(t *testing.T) {
	word := `[a-z0-9]+`
	for _, f := range []struct{ name, text, line string }{
		{"stop.txt", stopText, word},
		{"request.txt", requestText, word},
		{"synonyms.txt", synonymsText, word + `( ` + word + `)+`},
		{"domains.txt", domainsText, word + `( ` + word + `)* \|( ` + word + `)+`},
		{"glossary.txt", glossaryText, `\p{Han}{1,6}( ` + word + `)+`},
		{"background.txt", backgroundText, `\S+ [0-9]+`},
	} {
		t.Run(f.name, func(t *testing.T) {
			line := regexp.MustCompile(`^` + f.line + `$`)
			lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
			if len(lines) < 20 {
				t.Errorf("%d lines", len(lines))
			}
			seen := map[string]bool{}
			for i, l := range lines {
				if !line.MatchString(l) {
					t.Errorf("line %d: %q", i+1, l)
				}
				if seen[l] {
					t.Errorf("line %d again: %q", i+1, l)
				}
				seen[l] = true
			}
		})
	}
	for line := range strings.Lines(backgroundText) {
		if n, err := strconv.Atoi(strings.Fields(line)[1]); err != nil || n < 1 || n > 10_000 {
			t.Errorf("background of %q", line)
		}
	}
}

// TestKind: stop words come before request words.
func TestKind(t *testing.T) {
	l := EnglishLexicon()
	for word, want := range map[string]WordKind{
		"the": StopWord, "would": StopWord, "please": RequestWord, "need": RequestWord, "branch": ContentWord, "": ContentWord, "ждать": ContentWord,
	} {
		if got := l.Kind([]byte(word)); got != want {
			t.Errorf("Kind(%q) = %v, want %v", word, got, want)
		}
	}
}

// TestLinks: links are ordered, without repeats and without loops; synonyms
// lead back.
func TestLinks(t *testing.T) {
	l := EnglishLexicon()
	if n := len(l.Stems); n != len(l.Background) || n != len(l.Synonyms) || n != len(l.Domains) {
		t.Fatal("tables differ in length")
	}
	for from := range l.Stems {
		for _, links := range []StemLinks{l.Synonyms, l.Domains} {
			if !slices.IsSortedFunc(links[from], func(a, b uint32) int { return strings.Compare(l.Stems[a], l.Stems[b]) }) {
				t.Errorf("links of %q are out of order", l.Stems[from])
			}
			if slices.Contains(links[from], uint32(from)) || len(slices.Compact(slices.Clone(links[from]))) != len(links[from]) {
				t.Errorf("links of %q repeat", l.Stems[from])
			}
		}
		for _, to := range l.Synonyms[from] {
			if !slices.Contains(l.Synonyms[to], uint32(from)) {
				t.Errorf("%q leads to %q, but not back", l.Stems[from], l.Stems[to])
			}
		}
		if b := l.Background[from]; b < 0 || b > 1 {
			t.Errorf("background of %q is %v", l.Stems[from], b)
		}
	}
}

// TestMeaning: a few links that people rely on.
func TestMeaning(t *testing.T) {
	l := EnglishLexicon()
	for _, c := range []struct {
		links    StemLinks
		from, to string
	}{
		{l.Synonyms, "repo", "repository"},
		{l.Synonyms, "repository", "repo"},
		{l.Synonyms, "film", "movie"},
		{l.Domains, "umbrella", "weather"},
		{l.Domains, "dinner", "restaurant"},
	} {
		from := slices.Index(l.Stems, Stem(c.from))
		to := slices.Index(l.Stems, Stem(c.to))
		if from < 0 || to < 0 || !slices.Contains(c.links[from], uint32(to)) {
			t.Errorf("%s does not lead to %s", c.from, c.to)
		}
	}
}

func BenchmarkStem(b *testing.B) {
	words := strings.Fields(synonymsText)
	for i := 0; b.Loop(); i++ {
		Stem(words[i%len(words)])
	}
}

// TestGeneric: verbs are known in each form, nouns that look like one are not.
func TestGeneric(t *testing.T) {
	for word, want := range map[string]bool{
		"list": true, "lists": true, "listed": true, "listing": true, "set": true, "new": true,
		"settings": false, "reader": false, "branch": false, "": false,
	} {
		if got := EnglishLexicon().Generic([]byte(word)); got != want {
			t.Errorf("Generic(%q) = %v", word, got)
		}
	}
}

// TestGlossary: the longest Chinese term that a text begins with has its English words.
func TestGlossary(t *testing.T) {
	g := &Glossary{terms: NewDictionary(), longest: map[rune]int{}}
	for i, term := range []string{"文", "文件", "文件夹"} {
		g.terms.Intern([]byte(term))
		g.english = append(g.english, []GlossaryWord{{Text: []string{"text", "file", "folder"}[i], Stem: uint32(i)}})
		g.longest['文'] = max(g.longest['文'], len(term))
	}
	for text, want := range map[string]string{"文": "text 3", "文件": "file 6", "文件x": "file 6", "文件夹里": "folder 9", "文夹": "text 3", "件": " 0", "": " 0", "a": " 0", "文\xe4": "text 3"} {
		english, size := g.Begins([]byte(text))
		got := fmt.Sprint(" ", size)
		if len(english) > 0 {
			got = english[0].Text + got
		}
		if got != want {
			t.Errorf("%q begins with %s, want %s", text, got, want)
		}
	}
}
