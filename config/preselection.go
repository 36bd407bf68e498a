package config

import (
	"fmt"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// PreSelection has the keys tools.rag_*, by which schemas are selected before a model is called.
type PreSelection struct {
	TopK           int      // tools to select, the core not counted; 1 to 1000
	Core           []string // names of the tools that are always sent, if granted
	Exclude        []string // names of the tools that are never selected
	EmbedModel     string   // EmbedBuiltin, EmbedFuzzy, or a provider of Embedders, a colon and what it is asked for
	EmbedURL       string   // of a server
	EmbedTimeout   int      // milliseconds that a message waits for an embedder that is not built in; 1 to 60,000
	Floor          float64  // how far a tool stands out of a server's cosines, 1 as far as chance; 0 to 10
	RRFK           float64  // constant of the fusion by ranks, up to 1000; 0 adds scores
	KeywordWeight  float64  // of a ranking in the fusion, 0 to 100
	SemanticWeight float64
	Sticky         bool // what was selected once stays for the session
}

// The embedders that are built in: EmbedBuiltin compares meanings by a table of words, and
// EmbedFuzzy letters.
const (
	EmbedBuiltin = "builtin"
	EmbedFuzzy   = "fuzzy"
)

// BuiltIn reports whether the embedder is built in, so that it needs no model.
func (p PreSelection) BuiltIn() bool {
	return p.EmbedModel == EmbedBuiltin || p.EmbedModel == EmbedFuzzy
}

// Embedders are the providers that take a model, as in "ollama:NAME". It must not be changed.
var Embedders = []string{EmbedFolder, "ollama", "openai"}

// EmbedFolder is the provider of a static model in a folder.
const EmbedFolder = "model2vec"

// RemoteEmbedders are the Embedders asked over a network. It must not be changed.
var RemoteEmbedders = []string{"ollama", "openai"}

// setFusion takes a number whose default depends on the embedder.
func setFusion(r row, c *Config, v value) outcome {
	n := r.at(c).(*float64)
	r.reset(c, c.ToolSearch.Generation)
	switch {
	case c.PreSelection.EmbedModel == EmbedFuzzy:
		*n = r.Fuzzy.(float64)
	case !c.PreSelection.BuiltIn():
		*n = r.Modelled.(float64)
	}
	if v.Kind == yamltext.Null {
		return outcome{}
	}
	return r.number(n, v)
}

// ollamaModel is the form of a name of a model of ollama: [HOST/][NAMESPACE/]MODEL[:TAG].
// Source: types/model/name.go of ollama.
var ollamaModel = words.LazyRegexp(`^([0-9A-Za-z_][0-9A-Za-z_.-]*(:[0-9]+)?/)?([0-9A-Za-z_][0-9A-Za-z_-]*/)?[0-9A-Za-z_][0-9A-Za-z_.-]*(:[0-9A-Za-z_][0-9A-Za-z_.-]*)?$`)

// meantEmbedder returns the embedder that a bare name probably means: a built-in one, also for a
// strategy or a ranker, or a provider with what follows; "" for nothing near.
func meantEmbedder(name string) string {
	if near := words.Nearest(name, []string{EmbedBuiltin, EmbedFuzzy}); near != "" {
		return near
	}
	if slices.Contains(slices.Concat(Strategies, Rankers, []string{"table", "meaning", "default", "auto", "none"}), strings.ToLower(name)) {
		return EmbedBuiltin
	}
	provider, what, prefixed := strings.Cut(name, ":")
	if !prefixed {
		provider, what = "", name
	}
	near := words.Nearest(provider, Embedders)
	if near == "" && strings.IndexAny(what, "/.~") == 0 {
		near = EmbedFolder
	}
	if near == "" || strings.TrimSpace(what) == "" {
		return ""
	}
	return near + ":" + what
}

// setEmbedModel takes "builtin", "fuzzy", PROVIDER:MODEL, or the bare name of a model of ollama,
// which warns where another was probably meant. The agent's own "auxiliary" is out of reach here.
func setEmbedModel(_ row, c *Config, v value) outcome {
	name := strings.TrimSpace(v.Text)
	provider, what, prefixed := strings.Cut(name, ":")
	prefixed = prefixed && slices.Contains(Embedders, provider)
	switch {
	case v.Kind != yamltext.Text || name == "" || prefixed && strings.TrimSpace(what) == "":
		return outcome{status: rejected, code: "unknown_embedder",
			problem: v.source() + " names no model", instead: "; write builtin, fuzzy, or one of " + strings.Join(Embedders, ", ") + " with a colon and a model; builtin is used"}
	case name == "auxiliary":
		c.PreSelection.EmbedModel = EmbedBuiltin
		return outcome{code: "unknown_embedder", problem: v.source() + " is the agent's own provider, which is not at hand", instead: "; builtin is used"}
	case name == EmbedBuiltin, name == EmbedFuzzy, prefixed:
		c.PreSelection.EmbedModel = name
	default:
		out := outcome{code: "unknown_embedder", problem: v.source() + " names no embedder"}
		if v.written == "" && len(name) <= yamltext.MaxShown { // SECURITY: a variable may hold a secret
			out.meant = yamltext.Printable(meantEmbedder(name))
		}
		if !ollamaModel().MatchString(name) {
			out.status, out.instead = rejected, "; "+EmbedBuiltin+" is used"
			return out
		}
		c.PreSelection.EmbedModel = "ollama:" + name
		if out.meant != "" {
			out.instead = "; it is taken as a model of ollama"
			return out
		}
	}
	return outcome{}
}

// setEmbedURL takes an address of the web.
func setEmbedURL(_ row, c *Config, v value) outcome {
	url := strings.TrimSpace(v.Text)
	switch {
	case v.Kind != yamltext.Text || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		return outcome{status: rejected, code: "not_a_url", problem: withoutUserinfo(v).source() + " does not begin with http:// or https://", instead: "; " + c.PreSelection.EmbedURL + " is used"}
	}
	c.PreSelection.EmbedURL = strings.TrimRight(url, "/")
	return outcome{}
}

// withoutUserinfo returns an address with *** in place of the user and the
// password that it may have: everything between the scheme and the last @.
//
// SECURITY: config show, warnings and reports show an address in this form only.
func withoutUserinfo(v value) value {
	if v.written != "" {
		v.written = withoutUserinfo(textValue(v.written)).Text
	}
	at := strings.LastIndexByte(v.Text, '@')
	if v.Kind != yamltext.Text || at < 0 {
		return v
	}
	start := 0
	if scheme := strings.Index(v.Text[:at], "//"); scheme >= 0 {
		start = scheme + len("//")
	}
	v.Text = v.Text[:start] + "***" + v.Text[at:]
	return v
}

// toolLists are the keys of the lists of names of tools.
var toolLists = []string{KeyRAGCore, "tools.rag_exclude"}

// UnknownTools returns a warning for each name in the lists of pre-selection that is of no known
// tool; tools returns those that may have been meant.
func (f *File) UnknownTools(known func(name string) bool, tools func() []string) []model.Diagnostic {
	var out []model.Diagnostic
	for _, key := range toolLists {
		g := f.given[key]
		if g.value.Kind != yamltext.List {
			continue
		}
		for i, item := range g.value.elements() {
			if item.Text == "" || known(item.Text) {
				continue
			}
			d := model.Diagnostic{Code: "unknown_tool", Path: fmt.Sprintf("%s[%d]", key, i),
				Message: "no tool is called " + yamltext.Printable(item.Text)}
			if len(item.Text) <= yamltext.MaxShown {
				d.Message += words.DidYouMean(words.Nearest(item.Text, tools()))
			}
			if item.Node != nil { // not from a flag
				d.File = f.name
				d.Line, d.Col = f.doc.Position(item.Node)
			}
			out = append(out, d)
		}
	}
	return out
}
