package arguments

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"caliper/model/jsontree"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kindof "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// compiled is a schema made ready to check arguments.
type compiled struct {
	schema *jsonschema.Schema // nil when nothing can be checked
	source any                // what schema was compiled from
	notes  []finding          // what cannot be checked
}

// schemaURL is the address a schema has while it is compiled. Nothing is ever
// read from it.
const schemaURL = "https://schema.invalid/parameters"

// compile makes a schema ready. It returns nil when the schema allows
// everything.
func compile(schema []byte) *compiled {
	if len(schema) == 0 {
		return nil
	}
	v, err := jsontree.Parse(schema, jsontree.Python)
	switch {
	case err != nil:
		return giveUp("the schema is not JSON: " + newMistake(schema, err).reason())
	case v.Kind != jsontree.Object:
		return nil
	case v.Count() > maxSchemaValues:
		return giveUp(fmt.Sprintf("the schema has more than %d values", maxSchemaValues))
	case v.Depth() > maxSchemaDepth:
		return giveUp(fmt.Sprintf("the schema is nested more than %d deep", maxSchemaDepth))
	}
	engine := &patterns{known: map[string]pattern{}}
	// The parts known to fail are taken out before the library sees them.
	root := plain(v, nil, nil)
	r := &repair{root: root, engine: engine, anchors: map[string][]string{}, starts: [][]string{nil}, seen: map[string]bool{}, noted: map[string]bool{}}
	top, _ := root.(map[string]any)
	r.id, _ = top["$id"].(string)
	if r.id == "" {
		r.id, _ = top["id"].(string)
	}
	r.id = strings.TrimSuffix(r.id, "#")
	if dialect, ok := top["$schema"]; ok {
		name, _ := dialect.(string)
		name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "http://"), "#")
		if !slices.Contains(dialects, name) {
			delete(top, "$schema")
			r.note(location{}, "$schema", fmt.Sprintf("dialect %s is not known; read as draft 2020-12", jsonText(dialect)))
		}
	}
	r.collectAnchors(location{value: root})
	r.clean(location{value: root})
	for i := 0; i < len(r.targets); i++ { // grows while it runs
		target := r.targets[i]
		if !r.seen[jsontree.Pointer(target)] {
			r.starts = append(r.starts, target)
			value, _ := lookup(root, target)
			r.clean(location{pointer: target, path: startPath(target), value: value})
		}
	}
	r.root = evaluable(r.root) // the rest stands where nothing is checked
	// Every round but the last takes away at least one keyword; two rounds
	// are enough for anything but malice.
	for range 6 {
		// What would refuse more, now that other parts allow more, is taken out: schemas that
		// must not fit, that must fit only once, and that are decided by a condition, where any
		// of that rests on something that was taken out.
		for r.dirty = true; r.dirty; {
			r.dirty = false
			for _, start := range r.starts {
				if value, ok := lookup(r.root, start); ok {
					r.softenAt(location{pointer: start, path: startPath(start), value: value})
				}
			}
		}
		compiledSchema, err := compileSource(r.root, engine)
		if err == nil {
			return &compiled{schema: compiledSchema, source: r.root, notes: r.notes}
		}
		var invalid *jsonschema.SchemaValidationError
		if !errors.As(err, &invalid) || !r.strip(invalid) {
			return giveUp("the schema cannot be compiled: " + show(err.Error()))
		}
	}
	return giveUp("the schema has too many faults")
}

// giveUp returns a schema that nothing can be checked against.
func giveUp(reason string) *compiled {
	return &compiled{notes: []finding{uncheckable("", reason+"; arguments are not checked")}}
}

// compileSource has the library compile a schema.
func compileSource(source any, engine *patterns) (_ *jsonschema.Schema, err error) {
	// A schema is foreign text and the library large: a panic in it must
	// cost a check, not the screen.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	c := jsonschema.NewCompiler()
	// SECURITY: by default the library reads file:// references. A schema of
	// a foreign server must not make us open anything.
	c.UseLoader(noLoader{})
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "duration", Validate: checkDuration})
	c.AssertVocabs()
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "https://schema.invalid/names", Compile: compileNames})
	c.UseRegexpEngine(engine.compile)
	if err := c.AddResource(schemaURL, source); err != nil {
		return nil, err
	}
	return c.Compile(schemaURL)
}

// duration returns the form of a duration of ISO 8601 with every part of it.
var duration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^P(?:[0-9]+(?:[.,][0-9]+)?W|(?:[0-9]+(?:[.,][0-9]+)?Y)?(?:[0-9]+(?:[.,][0-9]+)?M)?(?:[0-9]+(?:[.,][0-9]+)?D)?(?:T(?:[0-9]+(?:[.,][0-9]+)?H)?(?:[0-9]+(?:[.,][0-9]+)?M)?(?:[0-9]+(?:[.,][0-9]+)?S)?)?)$`)
})

// checkDuration reports text that is no duration. The library (6.0.3) knows the grammar of
// RFC 3339, appendix A, alone, which has no fractions; libraries that write durations write
// PT1.5S. In ISO 8601 the last number may have a fraction.
func checkDuration(v any) error {
	text, ok := v.(string)
	fraction := strings.IndexAny(text, ".,")
	switch {
	case !ok:
		return nil
	case !duration().MatchString(text), strings.HasSuffix(text, "P"), strings.HasSuffix(text, "T"),
		fraction >= 0 && strings.IndexFunc(text[fraction:], unicode.IsLetter) != len(text)-fraction-1:
		return errors.New("no duration of ISO 8601")
	}
	return nil
}

// noLoader loads nothing.
type noLoader struct{}

// Load refuses.
func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("references out of a schema are not followed")
}

// namesKeyword takes the place of propertyNames in the schemas we compile. The
// library (6.0.3) reports faults of property names with a path that later
// values overwrite, so names are checked by an extension of ours.
const namesKeyword = "x-caliper-names"

// names checks the names of an object's members against a schema.
type names struct{ schema *jsonschema.Schema }

// compileNames compiles our keyword.
func compileNames(ctx *jsonschema.CompilerContext, schema map[string]any) (jsonschema.SchemaExt, error) {
	if _, ok := schema[namesKeyword]; !ok {
		return nil, nil
	}
	return names{ctx.Enqueue([]string{namesKeyword})}, nil
}

// Validate checks the names of one value.
func (n names) Validate(ctx *jsonschema.ValidatorContext, v any) {
	members, ok := v.(map[string]any)
	if !ok {
		return
	}
	for _, name := range sortedNames(members) {
		if err := ctx.Validate(n.schema, name, []string{name}); err != nil {
			ctx.AddErrors([]*jsonschema.ValidationError{err.(*jsonschema.ValidationError)}, &kindof.PropertyNames{Property: name})
		}
	}
}

// sortedNames returns the names of an object's members, sorted.
func sortedNames(members map[string]any) []string {
	out := make([]string, 0, len(members))
	for name := range members {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
