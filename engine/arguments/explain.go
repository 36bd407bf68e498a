package arguments

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"caliper/model/jsontree"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kindof "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explainer turns the library's tree of errors into findings.
type explainer struct {
	source any // the schema
	args   any
	found  []finding
}

// add adds a finding about the value that an error is about, or about one
// inside it.
func (e *explainer) add(err *jsonschema.ValidationError, message string, inside ...step) {
	// The library writes members and items alike: the arguments tell which a token is.
	out := make([]step, 0, len(err.InstanceLocation)+1)
	v := e.args
	for _, token := range err.InstanceLocation {
		if items, ok := v.([]any); ok {
			if i, err := strconv.Atoi(token); err == nil && i < len(items) {
				out = append(out, step{item: i})
				v = items[i]
				continue
			}
		}
		members, _ := v.(map[string]any)
		out = append(out, step{name: token, item: -1})
		v = members[token]
	}
	keyword := ""
	if _, ok := err.ErrorKind.(*kindof.Type); ok {
		keyword = "type"
	} else if path := err.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	e.found = append(e.found, finding{append(out, inside...), Problem{Message: message, Keyword: keyword}})
}

// explain adds what an error and its causes say.
func (e *explainer) explain(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kindof.AnyOf:
		e.alternatives(err)
	case *kindof.OneOf:
		if len(k.Subschemas) > 1 {
			e.add(err, fmt.Sprintf("fits alternatives %d and %d; only one may fit", k.Subschemas[0]+1, k.Subschemas[1]+1))
			return
		}
		e.alternatives(err)
	case *kindof.PropertyNames:
		inner := explainer{source: e.source}
		for _, cause := range err.Causes {
			inner.explain(cause)
		}
		why := "is not allowed"
		if len(inner.found) > 0 {
			why = slices.MinFunc(inner.found, func(a, b finding) int { return strings.Compare(a.Message, b.Message) }).Message
		}
		e.add(err, "as a name: "+why, step{name: k.Property, item: -1})
	case *kindof.Contains, *kindof.MinContains:
		e.add(err, leaf(err)) // why each item does not fit is no help
	default:
		if len(err.Causes) > 0 {
			for _, cause := range err.Causes {
				e.explain(cause)
			}
			return
		}
		e.leaf(err)
	}
}

// leaf adds an error that has no causes.
func (e *explainer) leaf(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kindof.Required:
		for _, name := range k.Missing {
			e.add(err, "required", step{name: name, item: -1})
		}
	case *kindof.DependentRequired:
		for _, name := range k.Missing {
			e.add(err, "required when "+show(k.Prop)+" is given", step{name: name, item: -1})
		}
	case *kindof.Dependency:
		for _, name := range k.Missing {
			e.add(err, "required when "+show(k.Prop)+" is given", step{name: name, item: -1})
		}
	case *kindof.AdditionalProperties:
		message := "is not a known property" + e.known(err.SchemaURL)
		for _, name := range k.Properties {
			e.add(err, message, step{name: name, item: -1})
		}
	case *kindof.Format:
		if k.Want == "regex" {
			return // regular expressions of another kind than Go's
		}
		e.add(err, leaf(err))
	case *kindof.RefCycle:
		e.add(err, "the schema refers to itself in a circle here; not checked")
		e.found[len(e.found)-1].Uncheckable = true
	default:
		e.add(err, leaf(err))
	}
}

// known lists the properties of the schema at a location.
func (e *explainer) known(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return ""
	}
	found, _ := lookup(e.source, jsontree.PointerTokens(fragment))
	schema, _ := found.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	if len(properties) == 0 {
		return ""
	}
	return "; known are " + list(sortedNames(properties), show)
}

// alternatives adds why none of several alternatives fits. Where all want
// other types, that is one finding; else the nearest alternative is explained.
func (e *explainer) alternatives(err *jsonschema.ValidationError) {
	var types []string
	var nearest []finding
	best, bestRank := -1, 0
	for i, cause := range err.Causes {
		if k, ok := cause.ErrorKind.(*kindof.Type); ok && len(cause.InstanceLocation) == len(err.InstanceLocation) {
			for _, want := range k.Want {
				if !slices.Contains(types, want) {
					types = append(types, want)
				}
			}
		}
		branch := explainer{source: e.source, args: e.args}
		branch.explain(cause)
		depth, rank := len(err.InstanceLocation), len(branch.found) // how far it is from fitting
		for _, f := range branch.found {
			switch {
			case f.Keyword == "type" && len(f.at) == depth:
				rank += otherType
			case (f.Keyword == "const" || f.Keyword == "enum") && len(f.at) <= depth+1:
				rank += otherTag
			}
		}
		if best < 0 || rank < bestRank {
			best, bestRank, nearest = i, rank, branch.found
		}
	}
	switch {
	case best < 0:
		e.add(err, "fits none of the alternatives")
	case bestRank >= otherType && len(types) > 0:
		k := err.Causes[best].ErrorKind
		if t, ok := k.(*kindof.Type); ok {
			e.add(err.Causes[best], fmt.Sprintf("expected %s, got %s", strings.Join(types, " or "), t.Got))
			return
		}
		e.found = append(e.found, nearest...)
	case len(err.Causes) == 1, slices.ContainsFunc(nearest, func(f finding) bool {
		return len(f.at) == len(err.InstanceLocation) && (f.Keyword == "anyOf" || f.Keyword == "oneOf")
	}):
		e.found = append(e.found, nearest...) // alternatives of alternatives are listed once
	default:
		e.add(err, fmt.Sprintf("fits none of %d alternatives; the nearest is number %d", len(err.Causes), best+1))
		e.found = append(e.found, nearest...)
	}
}

// Ranks of alternatives: one fault is a step, a tag of another kind weighs more
// than many faults, another type more than that.
const (
	otherTag  = 1_000
	otherType = 1_000_000
)
