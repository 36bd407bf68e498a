package topics

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/export"
	"caliper/engine/retrieval"
	"caliper/engine/serve"
	"caliper/model/words"
	"caliper/tui/report"
)

// undescribed stands for a word that a page does not explain and a value that it does not
// have. A test refuses it.
const undescribed = "(not described)"

// OwnData are the commands that refuse the demo unless it is asked for with --demo: an
// answer about invented data must not be taken for one about the user's. A test of the
// commands keeps it true. It must not be changed.
var OwnData = []string{"scope", "check", "lint", "eval", "tune", "replay", "serve", "report"}

// value returns a value of the code as a text of a page has it.
func value(name string) string {
	name, key, _ := strings.Cut(name, " ")
	switch name {
	case "cutoffs":
		return listed(retrieval.Cutoffs[:])
	case "default":
		spec, _ := config.SpecOf(key)
		return defaults(spec)
	case "direct-gates":
		return words.And(engine.DirectGateNames())
	case "floor":
		return strconv.FormatFloat(embed.FloorStatic, 'g', -1, 64)
	case "own-data":
		return words.And(OwnData)
	case "revisions":
		return listed(serve.Revisions())
	case "stages":
		stages := make([]string, len(config.Stages))
		for i, s := range config.Stages {
			stages[i] = string(s)
		}
		return words.Or(stages)
	}
	return undescribed
}

// listed returns values with commas.
func listed[T any](values []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ", "), "[]")
}

// block adds a block that is made of the code.
func block(r *report.Report, name string) {
	switch name, prefix, _ := strings.Cut(name, " "); name {
	case "example":
		r.Blank()
		for _, line := range source("example.yaml") {
			r.Line("  " + line)
		}
	case "gates":
		var pairs [][]string
		for _, gate := range engine.GateNames() {
			term, _ := TermOf(GatePrefix + gate)
			pairs = append(pairs, []string{gate, cmp.Or(term.Meaning, undescribed)})
		}
		r.Table(report.Listed(pairs...))
	case "glossary":
		for _, s := range Glossary() {
			section(r, s.Title)
			var pairs [][]string
			for _, term := range s.Terms {
				pairs = append(pairs, []string{term.Word, term.Meaning})
			}
			r.Table(report.Listed(pairs...))
		}
	case "limits":
		for _, x := range export.Limits() {
			r.Indented(2, "%s, %s: %s", x.Who, string(x.Rule), x.Bound)
			r.Indented(4, "%s; %s; %s", string(x.Effect), x.Source, x.Date)
		}
	case "settings":
		var pairs [][]string
		for _, key := range config.Settable() {
			if sectionOf(key) == prefix {
				spec, _ := config.SpecOf(key)
				takes := " Takes " + spec.Takes() + "; by default " + defaults(spec) + "."
				pairs = append(pairs, []string{strings.TrimPrefix(key, prefix), cmp.Or(Setting(key), undescribed) + takes})
			}
		}
		r.Table(report.Listed(pairs...))
	default:
		r.Say(undescribed)
	}
}

// sections are the beginnings of the keys of each section; the first that fits counts.
var sections = []string{"model.", "agent.", "tools.tool_search.", "tools.", "toolaria.", "plugins."}

// sectionOf returns the section of a setting; empty for none.
func sectionOf(key string) string {
	for _, prefix := range sections {
		if strings.HasPrefix(key, prefix) {
			return prefix
		}
	}
	return ""
}

// defaults returns the default of a setting in words, and what it is in september-2026, and
// with an embedder that has a model, where that differs.
func defaults(spec config.Spec) string {
	text := fmt.Sprint(spec.Default)
	switch v := spec.Default.(type) {
	case nil:
		text = "unknown"
	case int:
		text = words.Thousands(v)
	case []string:
		switch {
		case v == nil:
			text = "not set"
		case len(v) == 0:
			text = "none"
		default:
			text = words.CountThousands(len(v), "name")
		}
	case string:
		text = cmp.Or(v, "not set")
	}
	if spec.Later != nil {
		text += fmt.Sprintf(", in %s %v", config.September2026, spec.Later)
	}
	if spec.Modelled != nil {
		text += fmt.Sprintf(" for builtin, %v for fuzzy, %v for an embedder with a model", spec.Fuzzy, spec.Modelled)
	}
	return text
}
