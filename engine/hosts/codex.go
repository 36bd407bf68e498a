package hosts

import (
	"crypto/sha1"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"caliper/model"
	"caliper/model/words"

	uax29 "github.com/clipperhouse/uax29/v2/words"
	"github.com/klauspost/compress/zstd"
	"github.com/kljensen/snowball/english"
)

// codex is tool_search of Codex, which only models have whose row says so: the crate bm25
// 2.3.2 over one text of names, description and top-level parameter names. The crate keeps
// scores in a map, so that equal ones come in another order from call to call; the answer
// is grouped by server then. Tools for agents of its own compete.
var codex = &Host{
	Name: "codex", Title: "Codex", Package: "npm @openai/codex", Version: "0.171.0", Month: "2026-11", Limit: 8,
	Client: "codex", Grouped: true,
	On:     "for models that Codex lists with search",
	naming: func(server, tool string) string { return "mcp__" + masked(server, "") + "__" + masked(tool, "") },
	names:  codexNames,
	rules: rules{
		words: codexWords, repeats: true,
		bm25:   &bm25{of: codexText, k1: 1.2, b: .75, single: true},
		order:  []key{byScore, byName},
		chance: true,
	},
}

// codexNames returns the names of tools. Where servers, or tools of one, differ only in letters
// that the model may not see, each has the beginning of a digest after it, and so has a name of
// more than 128 bytes, or one that is another's when the two underscores are left out.
func codexNames(h *Host, tools []*model.Tool) []string {
	const longest, digest = 128, 12
	type parts struct{ server, local, identity string }
	list, order, names := make([]parts, len(tools)), make([]int, len(tools)), make([]string, len(tools))
	alike := map[string]map[string]bool{} // who has a name
	bears := func(name, who string) {
		if alike[name] == nil {
			alike[name] = map[string]bool{}
		}
		alike[name][who] = true
	}
	suffix := func(identity string) string { return fmt.Sprintf("_%x", sha1.Sum([]byte(identity)))[:1+digest] }
	for i, t := range tools {
		server, local := ServerOf(t), h.localName(t)
		of := server + "\x00" + server + "\x00"
		list[i], order[i] = parts{"mcp__" + masked(server, ""), masked(local, ""), of + "\x00" + local + "\x00" + local}, i
		bears(list[i].server, of)
	}
	for i := range list {
		if p := &list[i]; len(alike[p.server]) > 1 {
			of := ServerOf(tools[i])
			p.server += suffix(of + "\x00" + of + "\x00")
		}
		bears(list[i].server+"\x00"+list[i].local, list[i].identity)
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(list[a].identity, list[b].identity) })
	taken := map[string]bool{}
	for _, i := range order {
		p := list[i]
		if len(alike[p.server+"\x00"+p.local]) > 1 {
			p.local += suffix(p.identity)
		}
		if full := p.server + p.local; len(full)+len("__") > longest || taken[full] {
			room := longest - len("__") - 1 - digest
			p.server = p.server[:min(len(p.server), room)]
			p.local = p.local[:min(len(p.local), room-len(p.server))] + suffix(p.identity)
		}
		taken[p.server+p.local] = true
		names[i] = p.server + "__" + p.local
	}
	return names
}

// codexText returns the text of a tool: its name, server and tool as the model sees them but
// run together, so that the name which the model calls finds nothing, the server, the name in
// letters that the model may see, the description, the parameters.
func codexText(e *entry) string {
	if e.tool == nil {
		return e.text
	}
	at := len("mcp__" + masked(e.server, ""))
	switch digest := 1 + 12; {
	case strings.HasPrefix(e.wire[min(at, len(e.wire)):], "__"):
	case strings.HasPrefix(e.wire[min(at+digest, len(e.wire)):], "__"):
		at += digest
	default: // the server's name is cut, and the digest is the tool's
		at = len(e.wire) - digest - len("__")
	}
	server, local := e.wire[:at], e.wire[at+len("__"):]
	parts := []string{e.local, server + local, e.server, local, e.description}
	return strings.Join(append(parts, e.tool.PropertyNames()...), " ")
}

// codexStopWords are the stop words of English in NLTK, which the crate leaves out before it
// takes the stem (stop-words 0.9.0).
var codexStopWords = sync.OnceValue(func() map[string]bool {
	return words.Set(`a about above after again against ain all am an and any are aren aren't as at be because been before
		being below between both but by can couldn couldn't d did didn didn't do does doesn doesn't doing don don't down during
		each few for from further had hadn hadn't has hasn hasn't have haven haven't having he her here hers herself him himself
		his how i if in into is isn isn't it it's its itself just ll m ma me mightn mightn't more most mustn mustn't my myself
		needn needn't no nor not now o of off on once only or other our ours ourselves out over own re s same shan shan't she
		she's should should've shouldn shouldn't so some such t than that that'll the their theirs them themselves then there
		these they this those through to too under until up ve very was wasn wasn't we were weren weren't what when where which
		while who whom why will with won won't wouldn wouldn't y you you'd you'll you're you've your yours yourself yourselves`)
})

// codexWords returns the English stems of the words of a text, by the boundaries of Unicode
// (UAX #29): an underscore and camelCase cut nothing, a hyphen does.
func codexWords(text string) (out []string) {
	if !isASCII(text) {
		// As the crate writes it in ASCII: of Chinese a syllable for a character, of a
		// symbol its name, each with a blank after it unless one follows.
		from := strings.IndexFunc(text, func(c rune) bool { return c >= unicode.MaxASCII })
		var parts []string
		for _, c := range text[from:] {
			part := "\x01"
			if table := asciiOf(); int(c) < len(table) {
				part = table[c]
			}
			parts = append(parts, part)
		}
		for i, part := range parts {
			if len(part) > 1 && strings.HasSuffix(part, " ") && (i+1 == len(parts) || strings.HasPrefix(parts[i+1], " ")) {
				parts[i] = part[:len(part)-1]
			}
		}
		text = text[:from] + strings.ReplaceAll(strings.Join(parts, ""), "\x01", "[?]")
	}
	for s := uax29.FromString(strings.ToLower(text)); s.Next(); {
		if w := s.Value(); strings.ContainsFunc(w, isAlphanumeric) && !codexStopWords()[w] {
			out = append(out, english.Stem(w, true))
		}
	}
	return out
}

// asciiTable has what deunicode 1.6.2 writes for each character of Unicode, by number, with a zero
// byte between two: nothing for a control character, 1 for one that it does not know. Made by
// testdata/oracles/ascii.py.
//
//go:embed ascii.zst
var asciiTable []byte

// asciiOf are the entries of asciiTable.
var asciiOf = sync.OnceValue(func() []string {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err) // a fault of the build, as the next is
	}
	defer d.Close()
	text, err := d.DecodeAll(asciiTable, nil)
	if err != nil {
		panic(err)
	}
	return strings.Split(string(text), "\x00")
})
