package arguments

import (
	"fmt"
	"slices"

	"caliper/model/jsontree"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// check returns the faults of arguments, and the parts that cannot be
// checked.
func (c *compiled) check(args []byte) []finding {
	if len(args) > maxArgumentsBytes {
		return []finding{uncheckable("", fmt.Sprintf("the arguments are larger than %d KiB, and are not checked", maxArgumentsBytes>>10))}
	}
	v, syntax := jsontree.Parse(args, jsontree.Python)
	if syntax != nil {
		return []finding{{Problem: Problem{Message: badJSON(args, syntax, false).Message}}}
	}
	b := bound{known: make(map[[2]any]int, 2*v.Count())}
	work := b.of(c.schema, v)
	// Every fault that is found copies its path.
	if b.over || work > maxWork/(1+v.Depth()/16) {
		return []finding{uncheckable("", "checking these arguments against this schema would take too long; they are not checked")}
	}
	var odds []finding
	plain := plain(v, &odds, nil)
	invalid, failure := c.validate(plain)
	if failure != "" {
		return []finding{uncheckable("", failure)}
	}
	e := explainer{source: c.source, args: plain}
	if invalid != nil {
		e.explain(invalid)
	}
	// The odd numbers are added, and what was found of the numbers that stood in for them is
	// taken out, but for their type.
	found := e.found
	if len(odds) == 0 {
		return found
	}
	isOdd := map[string]bool{}
	key := func(at []step) string { return fmt.Sprint(at) }
	for _, o := range odds {
		isOdd[key(o.at)] = true
	}
	found = slices.DeleteFunc(found, func(f finding) bool {
		return f.Keyword != "type" && isOdd[key(f.at)]
	})
	return append(found, odds...)
}

// validate has the library check arguments. The failure is the reason why it could not.
func (c *compiled) validate(args any) (invalid *jsonschema.ValidationError, failure string) {
	// See compileSource: a panic must cost a check, not the screen.
	defer func() {
		if r := recover(); r != nil {
			failure = "the arguments could not be checked: " + show(fmt.Sprint(r))
		}
	}()
	if err := c.schema.Validate(args); err != nil {
		var ok bool
		if invalid, ok = err.(*jsonschema.ValidationError); !ok {
			return nil, "the arguments could not be checked: " + show(err.Error())
		}
	}
	return invalid, ""
}
