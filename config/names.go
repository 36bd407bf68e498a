package config

// elements returns the resolved items of a list.
func (v value) elements() []value {
	if v.node == nil {
		return v.items
	}
	target := follow(v.node)
	items := make([]value, len(target.Content))
	for i, n := range target.Content {
		items[i] = v.resolve(n)
	}
	return items
}

// names returns the names in a list, as written: they are neither trimmed nor
// folded. What YAML makes a boolean, a number or a date of is taken by its
// text, with a warning; what is no name at all is left out, with another. The
// result is never nil.
func (v value) names() (names []string, warnings []itemOutcome) {
	names = []string{}
	for i, item := range v.elements() {
		switch {
		case item.kind == text && item.text != "":
			names = append(names, item.text)
			if note := item.unsetNote(); note != "" {
				warnings = append(warnings, itemOutcome{index: i, at: item, code: unsetVariable, note: note})
			}
		case item.kind == boolean || item.kind == integer || item.kind == decimal || item.kind == date || item.kind == special:
			names = append(names, item.text)
			warnings = append(warnings, itemOutcome{index: i, at: item, code: "unquoted_name",
				note: item.source() + " is not text in YAML 1.1; it is taken as the name " + quoted(item.text)})
		default:
			warnings = append(warnings, itemOutcome{index: i, at: item, code: unnamed,
				note: item.source() + " is not a name and is left out"})
		}
	}
	return names, warnings
}

// unsetVariable is the code of the warning about a variable that is not set.
const unsetVariable = "unset_variable"

// unnamed is the code of the warning about an item that names left out.
const unnamed = "not_a_name"
