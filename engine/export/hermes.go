package export

import (
	"encoding/json"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// hermes writes a registry dump. It holds everything that model.Tool and
// model.Toolset do, and what the sources say besides; a line for each entry
// makes two dumps easy to compare.
func (w *writer) hermes() {
	w.out.WriteString("{\n \"generator\": \"caliper\",")
	if core := w.registry.Core; core != nil {
		w.out.WriteString("\n \"core\": ")
		w.out.Write(jsontree.Encode(core))
		w.out.WriteByte(',')
	}
	if hosted := w.registry.Hosted; hosted != nil {
		w.out.WriteString("\n \"hosted\": ")
		w.out.Write(jsontree.Encode(hosted))
		w.out.WriteByte(',')
	}
	w.out.WriteString("\n \"toolsets\": {")
	sources := map[string]string{}
	first := true
	beside := w.toolsetsBeside()
	for _, s := range w.toolsets() {
		sources[s.Name] = s.Source
		w.line(&first)
		w.out.Write(jsontree.Encode(s.Name))
		w.out.WriteByte(':')
		list := slices.Concat([]Member{
			{"title", jsontree.Encode(s.Title)}, {"description", jsontree.Encode(s.Description)}, {"source", jsontree.Encode(s.Source)},
			{"server", jsontree.Encode(s.Server)},
		}, beside[s.Name], []Member{{"instructions", jsontree.Encode(s.Instructions)}})
		list = slices.DeleteFunc(list, func(m Member) bool { return string(m.Value) == `""` })
		if s.Tools != nil {
			list = append(list, Member{"tools", jsontree.Encode(s.Tools)})
		}
		if s.Includes != nil {
			list = append(list, Member{"includes", jsontree.Encode(s.Includes)})
		}
		w.out.Write(object(list))
	}
	w.out.WriteString("\n },\n \"tools\": [")
	first = true
	for _, t := range w.Tools {
		d := w.define(t)
		w.line(&first)
		w.out.WriteString(`{"type":"function","function":`)
		w.function(&d)
		if t.Toolset != model.NoToolset {
			w.text("toolset", t.Toolset)
			w.text("source", sources[t.Toolset])
		}
		w.text("server", t.Server)
		w.text("original_name", t.OriginalName)
		if !t.Available {
			w.member(false, "available", []byte("false"))
		}
		if t.Deferred {
			w.member(false, "defer_loading", []byte("true"))
		}
		if t.Always {
			w.member(false, "always_load", []byte("true"))
		}
		for _, m := range d.beside {
			w.member(false, m.Name, m.Value)
		}
		w.out.WriteByte('}')
	}
	w.out.WriteString("\n ]\n}")
}

// line begins a line for an element of a list.
func (w *writer) line(first *bool) {
	if !*first {
		w.out.WriteByte(',')
	}
	*first = false
	w.out.WriteString("\n  ")
}

// toolsets returns the toolsets that the dump has, with the names that its
// tools bear. A dump of some tools has only what concerns them.
func (w *writer) toolsets() []model.Toolset {
	all := len(w.Tools) == len(w.registry.Tools)
	renamed, used := map[string]string{}, map[string]bool{}
	for _, t := range w.Tools {
		if _, ok := renamed[t.Name]; !ok {
			renamed[t.Name] = w.Name(t)
		}
		used[t.Toolset] = true
	}
	var out []model.Toolset
	for _, s := range w.registry.Toolsets {
		if s.Name == model.NoToolset || !all && !used[s.Name] {
			continue
		}
		set := *s
		if set.Tools != nil {
			set.Tools = []string{}
		}
		for _, name := range s.Tools {
			if now, ok := renamed[name]; ok {
				set.Tools = append(set.Tools, now)
			} else if all {
				set.Tools = append(set.Tools, name)
			}
		}
		if !all {
			set.Includes = slices.DeleteFunc(slices.Clone(s.Includes), func(name string) bool { return !used[name] })
		}
		out = append(out, set)
	}
	return out
}

// toolsetsBeside returns what the sources' dumps say of toolsets besides what
// model.Toolset holds, such as the version of a server.
func (w *writer) toolsetsBeside() map[string][]Member {
	out := map[string][]Member{}
	for _, s := range w.registry.Sources {
		var dump struct {
			Toolsets map[string]json.RawMessage `json:"toolsets"`
		}
		if json.Unmarshal(jsontree.Mend(s.Data), &dump) != nil {
			continue
		}
		for name, raw := range dump.Toolsets {
			if out[name] != nil {
				continue
			}
			list, _ := readMembers(raw)
			out[name] = slices.DeleteFunc(list, func(m Member) bool {
				switch m.Name {
				case "title", "label", "description", "source", "server", "instructions", "tools", "includes":
					return true
				}
				return false
			})
		}
	}
	return out
}
