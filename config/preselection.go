package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"caliper/model"
)

// PreSelection is how schemas are chosen before the model is called: the keys
// tools.rag_*.
type PreSelection struct {
	TopK           int      // tools to select, the core not counted; 1 to 1000
	Core           []string // names of the tools that are always sent, if granted
	Exclude        []string // names of the tools that are never selected
	EmbedModel     string   // EmbedFuzzy, or a provider of Embedders, a colon and what it is asked for
	EmbedURL       string   // of a server
	RRFK           float64  // constant of the fusion, 0 to 1000
	KeywordWeight  float64  // of a leg in the fusion, 0 to 100
	SemanticWeight float64
	Sticky         bool // what was selected once stays for the session
}

// EmbedFuzzy is the embedder that is built in, and needs no model.
const EmbedFuzzy = "fuzzy"

// Embedders are the providers that take a model, as in "ollama:NAME". It must
// not be changed.
var Embedders = []string{"model2vec", "ollama", "openai"}

const (
	maxTopK   = 1000
	maxRRFK   = 1000.0
	maxWeight = 100.0

	weights = "tools.rag_weights"
)

// Default weights of the legs, and the constant of their fusion. The proposal
// has 60 and equal weights, which is for two legs that are as good as each
// other. Over the development halves of five public sets (TestQuality of
// engine/embed/fuzzy) the fuzzy leg then takes more from ranker fielded than it
// gives, at any weight; these are the largest that do not, and they help bm25.
const (
	defaultRRFK           = 2
	defaultKeywordWeight  = 1
	defaultSemanticWeight = 0.3
)

// The same for an embedder that has a model, as in the proposal: its legs are
// as good as each other. The weight of the keywords is the same.
const (
	modelRRFK           = 60
	modelSemanticWeight = 1
)

const embedKey = "tools.rag_embed_model"

func defaultPreSelection() PreSelection {
	return PreSelection{
		TopK:           8,
		Core:           []string{"terminal", "read_file", "search_files"},
		Exclude:        []string{},
		EmbedModel:     EmbedFuzzy,
		EmbedURL:       "http://127.0.0.1:11434",
		RRFK:           defaultRRFK,
		KeywordWeight:  defaultKeywordWeight,
		SemanticWeight: defaultSemanticWeight,
		Sticky:         true,
	}
}

// preSelectionRows are the settings of pre-selection, in the order of config
// show.
var preSelectionRows = []row{
	{key: "tools.rag_top_k", domain: Domain{Kind: Integer, Least: 1, Most: maxTopK}, set: func(c *Config, v value) outcome { return setRange(&c.PreSelection.TopK, v, 1, maxTopK) },
		read: func(c *Config) any { return c.PreSelection.TopK }},
	{key: "tools.rag_core", domain: Domain{Kind: Names}, set: func(c *Config, v value) outcome { return setNames(&c.PreSelection.Core, v) },
		read: func(c *Config) any { return slices.Clone(c.PreSelection.Core) }},
	{key: "tools.rag_exclude", domain: Domain{Kind: Names}, set: func(c *Config, v value) outcome { return setNames(&c.PreSelection.Exclude, v) },
		read: func(c *Config) any { return slices.Clone(c.PreSelection.Exclude) }},
	{key: "tools.rag_embed_model", domain: Domain{Kind: Text}, set: setEmbedModel, read: func(c *Config) any { return c.PreSelection.EmbedModel }},
	{key: "tools.rag_embed_url", domain: Domain{Kind: Text}, set: setEmbedURL, read: func(c *Config) any { return c.PreSelection.EmbedURL }, conceal: withoutUserinfo},
	{key: "tools.rag_rrf_k", domain: Domain{Kind: Number, Most: maxRRFK}, always: embedKey,
		set: func(c *Config, v value) outcome {
			return setFusion(&c.PreSelection.RRFK, v, defaultRRFK, modelRRFK, maxRRFK, c)
		},
		read: func(c *Config) any { return c.PreSelection.RRFK }},
	{key: weights + ".keyword", domain: Domain{Kind: Number, Most: maxWeight}, set: func(c *Config, v value) outcome { return setNumber(&c.PreSelection.KeywordWeight, v, 0, maxWeight) },
		read: func(c *Config) any { return c.PreSelection.KeywordWeight }},
	{key: weights + ".semantic", domain: Domain{Kind: Number, Most: maxWeight}, always: embedKey,
		set: func(c *Config, v value) outcome {
			return setFusion(&c.PreSelection.SemanticWeight, v, defaultSemanticWeight, modelSemanticWeight, maxWeight, c)
		},
		read: func(c *Config) any { return c.PreSelection.SemanticWeight }},
	{key: "tools.rag_sticky", domain: Domain{Kind: Boolean}, set: func(c *Config, v value) outcome { return setBool(&c.PreSelection.Sticky, v) },
		read: func(c *Config) any { return c.PreSelection.Sticky }},
}

// setNumber clamps a number to least..most.
func setNumber(n *float64, v value, least, most float64) outcome {
	if v.kind == null {
		return outcome{}
	}
	f, fate := v.number()
	if fate != taken || math.IsNaN(f) || v.kind == boolean {
		return unusable(v, "a number", fmt.Sprintf("the default %g is used", *n))
	}
	*n = max(least, min(most, f))
	if *n != f {
		return outcome{code: "clamped", note: fmt.Sprintf("%s is outside %s..%s; %s is used", v.read(f), formatNumber(least), formatNumber(most), formatNumber(*n))}
	}
	return v.reading(f)
}

// setFusion is setNumber for a setting whose default goes by the embedder.
func setFusion(n *float64, v value, fuzzy, model, most float64, c *Config) outcome {
	*n = fuzzy
	if c.PreSelection.EmbedModel != EmbedFuzzy {
		*n = model
	}
	return setNumber(n, v, 0, most)
}

// setNames takes a list of names.
func setNames(names *[]string, v value) outcome {
	switch v.kind {
	case null:
		return outcome{}
	case list:
	default:
		return outcome{fate: refused, code: "not_a_list", note: v.source() + " is not a list of names; the default is used"}
	}
	found, items := v.names()
	*names = found
	return outcome{items: items}
}

// setEmbedModel takes "fuzzy", PROVIDER:MODEL, or the bare name of a model of
// ollama's, which may have a colon of its own. "auxiliary", the agent's own
// provider, is out of reach here.
func setEmbedModel(c *Config, v value) outcome {
	name := strings.TrimSpace(v.text)
	provider, what, prefixed := strings.Cut(name, ":")
	prefixed = prefixed && slices.Contains(Embedders, provider)
	switch {
	case v.kind == null:
		return outcome{}
	case v.kind != text || name == "" || prefixed && strings.TrimSpace(what) == "":
		return outcome{fate: refused, code: "unknown_embedder",
			note: v.source() + " names no model; write fuzzy, or one of " + strings.Join(Embedders, ", ") + " with a colon and a model; fuzzy is used"}
	case name == "auxiliary":
		c.PreSelection.EmbedModel = EmbedFuzzy
		return outcome{code: "unknown_embedder", note: v.source() + " is the agent's own provider, which is not at hand; fuzzy is used"}
	case name == EmbedFuzzy, prefixed:
		c.PreSelection.EmbedModel = name
	default:
		c.PreSelection.EmbedModel = "ollama:" + name
	}
	return outcome{}
}

func setEmbedURL(c *Config, v value) outcome {
	url := strings.TrimSpace(v.text)
	switch {
	case v.kind == null:
		return outcome{}
	case v.kind != text || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		return outcome{fate: refused, code: "not_a_url", note: withoutUserinfo(v).source() + " does not begin with http:// or https://; " + c.PreSelection.EmbedURL + " is used"}
	}
	c.PreSelection.EmbedURL = strings.TrimRight(url, "/")
	return outcome{}
}

// withoutUserinfo returns an address with *** for the user and the password
// that it may hold: all before the last @, from the scheme on.
//
// SECURITY: config show, warnings and repros show nothing else of them.
func withoutUserinfo(v value) value {
	if v.written != "" {
		v.written = withoutUserinfo(value{kind: v.kind, text: v.written}).text
	}
	at := strings.LastIndexByte(v.text, '@')
	if v.kind != text || at < 0 {
		return v
	}
	start := 0
	if scheme := strings.Index(v.text[:at], "//"); scheme >= 0 {
		start = scheme + len("//")
	}
	v.text = v.text[:start] + "***" + v.text[at:]
	return v
}

// toolLists are the settings that are names of tools.
var toolLists = []string{"tools.rag_core", "tools.rag_exclude"}

// UnknownTools returns a warning for each name in the file's lists of
// pre-selection that no tool bears, at its place. known reports whether one
// does; tools are the names that may have been meant.
func (f *File) UnknownTools(known func(name string) bool, tools func() []string) []model.Diagnostic {
	var out []model.Diagnostic
	for _, key := range toolLists {
		g, ok := f.given[key]
		if !ok || g.value.kind != list {
			continue
		}
		for i, item := range g.value.elements() {
			if item.text == "" || known(item.text) {
				continue
			}
			d := model.Diagnostic{Code: "unknown_tool", Path: fmt.Sprintf("%s[%d]", key, i),
				Message: "no tool is called " + printable(item.text)}
			if len(item.text) <= maxShown {
				d.Message += didYouMean(item.text, tools())
			}
			if item.node != nil && g.origin == OriginFile {
				d.File = f.name
				d.Line, d.Col = f.doc.position(item.node)
			}
			out = append(out, d)
		}
	}
	return out
}

// setBool takes what YAML or a person calls true or false.
func setBool(b *bool, v value) outcome {
	word := ""
	switch v.kind {
	case null:
		return outcome{}
	case boolean, integer:
		word = fmt.Sprint(v.asInteger())
	case text:
		word = strings.ToLower(strings.TrimFunc(v.text, isSpace))
	}
	switch modeWords[word] {
	case On:
		*b = true
	case Off:
		*b = false
	default:
		return outcome{fate: refused, code: "not_a_boolean", note: fmt.Sprintf("%s is neither true nor false; %t is used", v.source(), *b)}
	}
	return outcome{}
}
