package shapes

import (
	"fmt"
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// pluginDescriptions is the catalogue of MetaTool (github.com/HowieHwong/MetaTool,
// plugin_des.json): an object of descriptions by the names of plugins, which have no
// parameters. Because many objects hold nothing but texts, this is one whose file is
// called so, or one of fifty and more whose texts are sentences.
var pluginDescriptions = shape{
	match: func(o *object) bool {
		return len(o.members) > 0 && !slices.ContainsFunc(o.members, func(m jsontree.Member) bool {
			return !m.IsString() || len(o.members) >= 50 && !strings.Contains(string(m.Raw), " ")
		})
	},
	read: func(r *reader, o *object) error {
		if name := BaseName(r.source.Name); len(o.members) < 50 && name != "plugin_des" && name != "big_tool_des" {
			r.foreign++
			r.recognise(o)
			return nil
		}
		r.arrays++
		for _, m := range o.members {
			r.addOnce(pluginDescription, restated{name: m.Name, description: m.Text(), parameters: (&properties{}).schema(false),
				path: jsontree.JoinName(o.path, m.Name), at: m.At, nameAt: m.At})
		}
		return nil
	},
}

// pluginDescription is the form of a member of these.
var pluginDescription = &form{name: "metatool"}

// metaToolQuery is a labelled query of MetaTool: {"query","tool":[names]}, or a line
// "Query,Tool" of a table.
var metaToolQuery = &form{
	name: "metatool",
	match: func(e *entry) bool {
		return (e.member("query").IsString() || e.member("Query").IsString()) && (e.member("tool").IsArray() || e.member("Tool").IsString())
	},
	read: func(r *reader, f *form, e *entry) error {
		q := model.LabelledQuery{ID: fmt.Sprintf("m%d", len(r.queries)), Text: e.member("query").Text(), Relevant: r.readNames(e.member("tool"))}
		if e.member("Tool").IsString() {
			q = model.LabelledQuery{ID: fmt.Sprintf("s%d", len(r.queries)), Text: e.member("Query").Text(), Relevant: []string{e.member("Tool").Text()}}
		}
		r.label(e, q)
		return nil
	},
}

// pluginManifest is the manifest of a plugin of ChatGPT (ai-plugin.json) in a catalogue of
// them: {"name_for_model","description_for_model"}. One that stands alone is no tool: its
// API is.
var pluginManifest = &form{
	name:  "plugin",
	match: func(e *entry) bool { return e.member("name_for_model").IsString() && (e.index >= 0 || !e.has("api")) },
	read: func(r *reader, f *form, e *entry) error {
		r.addOnce(f, f.restated(e, "name_for_model", "description_for_model", (&properties{}).schema(false)))
		return nil
	},
}
