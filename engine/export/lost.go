package export

import (
	"fmt"
	"slices"

	"caliper/model"
)

// fact is a property that several tools have and the shape cannot hold.
type fact struct {
	what, why string
	n         int
}

// losef notes a loss of the tool that is being written.
func (w *writer) losef(format string, args ...any) {
	w.lost = append(w.lost, Lost{Tool: w.tool, What: fmt.Sprintf(format, args...)})
}

// refusef notes that the provider refuses something of the tool that is being
// written.
func (w *writer) refusef(format string, args ...any) {
	w.losef(format, args...)
	w.lost[len(w.lost)-1].Refused = true
}

// count notes a loss that is listed once for all tools that have it. why goes
// behind their number.
func (w *writer) count(what, why string) {
	i := slices.IndexFunc(w.facts, func(f fact) bool { return f.what == what && f.why == why })
	if i < 0 {
		i = len(w.facts)
		w.facts = append(w.facts, fact{what: what, why: why})
	}
	w.facts[i].n++
}

// lose notes what the shape cannot hold of a tool, and what its provider does not take of it.
func (w *writer) lose(d *definition) {
	if w.shape != AsOpenAI { // whose function object is the tool's
		for _, m := range d.members {
			switch {
			case m.Name == "description" && m.Value[0] != '"' && m.Value[0] != 'n':
				w.losef("the description, which is not text")
			case m.Name == "parameters" && m.Value[0] != '{' && m.Value[0] != 'n':
				w.losef("parameters, which are not an object")
			case m.Name != "name" && m.Name != "description" && m.Name != "parameters" && !w.holds(d, m.Name):
				w.losef("%s of the function", m.Name)
			}
		}
	}
	given := Definition{Parameters: d.parameters, Deferred: d.Deferred, Strict: string(d.strict()) == "true"}
	for _, m := range d.beside {
		switch {
		case m.Name == "cache_control":
			given.Cached = w.holds(d, m.Name) && string(m.Value) != "null"
		case slices.Contains(outputSpellings, m.Name):
			given.Output = m.Value
		case w.shape == AsMCP:
			given.Beside = append(given.Beside, m)
		}
	}
	for _, b := range Breaches(given, limiters[w.shape]...) {
		w.refusef("%s", b)
	}
	lost := func(is bool, what string) {
		if is {
			w.count(what, "")
		}
	}
	lost(w.shape != AsMCP && d.Toolset != "" && d.Toolset != model.NoToolset, "the toolset")
	lost(w.shape != AsMCP && d.Server != "", "the server")
	lost(w.shape != AsMCP && d.OriginalName != "" && d.OriginalName != d.name, "the name at the server")
	lost(!d.Available, "the failed availability check")
	lost(d.Always, "always loading")
	lost(d.Deferred && w.shape != AsAnthropic, "deferred loading")
	for _, m := range d.beside {
		if !w.holds(d, m.Name) {
			w.count(m.Name, "")
		}
	}
}
