package shapes

import (
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// hermesDump is a registry dump: {"toolsets":{name:{...}},"tools":[...]}, both optional, in any
// order. "core" has the names of the agent's core tools, and "hosted" the kinds of entries that
// the provider defines. An object with nothing but an array of tools is read here too.
var hermesDump = shape{
	match: func(o *object) bool {
		return o.tools || o.member("toolsets").IsObject()
	},
	read: func(r *reader, o *object) error {
		r.more = nil // whether a tools/list result announces another page
		o.member("_meta").Each(func(m jsontree.Member) {
			r.final = r.final || r.depth == 0 && m.Name == MetaNames && m.Text() == MetaFinal
		})
		if v := o.member("nextCursor"); v.Text() != "" {
			f := r.finding("incomplete", v.At, jsontree.JoinName(o.path, "nextCursor"), "the list is incomplete: the server has more pages")
			r.more = &f
		}
		if o.tools && (o.member("messages").IsArray() || o.member("input").First() != 0 || o.member("output").IsArray()) {
			r.requests++
			if err := r.readCarried(o.Value, o.path, maxCarried); err != nil {
				return err
			}
		}
		v := o.member("toolsets")
		if !v.IsObject() {
			return nil
		}
		r.isDump = true
		if core := o.member("core"); core.IsArray() {
			r.core = r.readNames(core)
		}
		if kinds := o.member("hosted"); kinds.IsArray() {
			r.hosted = r.readNames(kinds)
		}
		path := jsontree.JoinName(o.path, "toolsets")
		v.Each(func(m jsontree.Member) { r.readToolset(m.Name, m.Value, jsontree.JoinName(path, m.Name)) })
		return nil
	},
}

// readToolset reads one toolset of a dump. A bare array is its list of tools.
func (r *reader) readToolset(name string, v jsontree.Value, path string) {
	t := foundToolset{model.Toolset{Name: name}, r.text.Origin(v.At)}
	switch v.First() {
	case '[':
		t.Tools = r.readNames(v)
	case '{':
		v.Each(func(m jsontree.Member) {
			switch v := m.Value; m.Name {
			case "title", "label":
				t.Title = v.Text()
			case "description":
				t.Description = v.Text()
			case "source":
				t.Source = v.Text()
			case "server":
				t.Server = v.Text()
			case "instructions":
				t.Instructions = v.Text()
			case "tools":
				t.Tools, t.at = r.readNames(v), r.text.Origin(v.At)
			case "includes":
				t.Includes = r.readNames(v)
			}
		})
	case 'n':
	default:
		r.note("toolset_not_object", v.At, path, "toolset is not an object")
	}
	r.toolsets = append(r.toolsets, t)
}

// readNames returns the strings of an array. An element that is an object counts by its name.
func (r *reader) readNames(v jsontree.Value) []string {
	if !v.IsArray() {
		return nil
	}
	names := []string{}
	for name := range v.All() {
		if name.IsObject() {
			name = name.Member("name")
		}
		if name.IsString() {
			names = append(names, name.Text())
		}
	}
	return names
}

// hermesEntry is a definition of a dump or a line: an OpenAI tool that says where it comes from.
var hermesEntry = &form{
	name:  "hermes",
	under: "function",
	match: func(e *entry) bool {
		return e.function.IsObject() && e.member("toolset").First() != 0
	},
	read: readFunctionEntry,
}

// readFunctionEntry reads an entry whose "function" is kept as it stands.
func readFunctionEntry(r *reader, f *form, e *entry) error {
	d := r.add(f, e, e.function.parts("parameters"))
	if d != nil {
		d.tool.Function = e.function.Raw
		r.describe(d.tool, e)
	}
	// Around the function object stands the usual, or what an agent puts beside it, as "strict". A
	// dump's additions do not count, and nothing of an MCP server's tool.
	sent := func(m jsontree.Member) bool {
		return m.Name != "type" && m.Name != "function" && !slices.Contains(unsent, m.Name)
	}
	if d == nil || !slices.ContainsFunc(e.members, sent) || e.member("source").Text() == "mcp" {
		return nil
	}
	var before, after []byte
	if e.member("type").First() == 0 {
		before = append(before, `"type":"function",`...)
	}
	for _, m := range e.members {
		switch {
		case m.Name == "type":
			m.Raw = []byte(`"function"`)
		case !sent(m):
			continue
		}
		text := append(jsontree.AppendQuoted(nil, m.Name), ':')
		text = append(text, m.Raw...)
		if m.At < e.function.At {
			before = append(append(before, text...), ',')
		} else {
			after = append(append(after, ','), text...)
		}
	}
	whole := model.Envelope{Before: "{" + string(before) + `"function":`, After: string(after) + "}"}
	if r.envelopes == nil {
		r.envelopes = map[model.Envelope]*model.Envelope{}
	}
	if r.envelopes[whole] == nil {
		r.envelopes[whole] = &whole
	}
	d.tool.Envelope = r.envelopes[whole]
	return nil
}

// unsent are the members beside "function" that no model is sent: where a tool comes from, and
// what an MCP server adds.
var unsent = []string{
	"toolset", "source", "server", "original_name", "available", "defer_loading", "always_load",
	"title", "annotations", "output_schema", "outputSchema", "icons", "execution", "_meta",
}

// bundleManifest is the manifest of an MCP bundle (github.com/anthropics/mcpb,
// manifest.json; of a desktop extension before): {"manifest_version" or "dxt_version",
// "name","server":{...},"tools":[{name,description}]}. The file of every bundle has the
// same name, so that its tools are of the server that it names.
var bundleManifest = shape{
	match: func(o *object) bool {
		return o.has("manifest_version", "dxt_version") && o.member("name").IsString() && o.member("server").IsObject()
	},
	read: func(r *reader, o *object) error {
		if !o.tools {
			r.foreign++
			r.recognise(o)
			return nil
		}
		r.bundle = o.member("name").Text()
		return hermesDump.read(r, o)
	},
}
