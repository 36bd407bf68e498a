package shapes

import (
	"slices"
	"strings"

	"caliper/model"
	"caliper/model/jsontree"
)

// serverMap is an object of tools/list results, or lists of tools, by their servers:
// {server:{"tools":[...]}}, alone or as the "servers" of an object, which may be a list too. The
// reference agent's cache of schemas has "fingerprint" and "utility_tools" besides.
var serverMap = shape{
	match: func(o *object) bool {
		return slices.ContainsFunc(o.members, isList) || defines(o.member("servers"))
	},
	read: func(r *reader, o *object) error {
		var list jsontree.Member // the one list that is an API's answer, as in {"success":true,"data":{"tools":[...]}}
		lists := 0
		for _, m := range o.members {
			if isList(m) {
				list = m
				lists++
			}
		}
		if servers := o.member("servers"); lists == 0 {
			path := jsontree.JoinName(o.path, "servers")
			if servers.IsArray() {
				return r.readList(servers, path, nil)
			}
			return r.within(servers, path)
		}
		ok := lists == 1 && slices.Contains(answers, list.Name)
		if r.host != "" && !ok {
			r.foreign++ // a map in a map
			return nil
		}
		if ok {
			path := jsontree.JoinName(o.path, list.Name)
			if list.IsArray() {
				return r.readList(list.Value, path, nil)
			}
			return r.within(list.Value, path)
		}
		defer func() { r.host, r.cache = "", false }()
		for _, m := range o.members {
			if r.host = m.Name; m.Name == "" || !isList(m) {
				continue
			}
			m.Each(func(inner jsontree.Member) { r.cache = r.cache || inner.Name == "fingerprint" })
			if err := r.readServer(m, jsontree.JoinName(o.path, m.Name)); err != nil {
				return err
			}
		}
		return nil
	},
}

// answers are the names under which APIs put an answer. No server is called so.
var answers = []string{"data", "response", "body", "payload", "output", "result", "results", "items", "value", "content", "structuredContent"}

// isList reports whether v is a tools/list result, its tools, or an answer that holds one, or servers.
func isList(v jsontree.Member) bool {
	is := firstElement(v.Value).Member("inputSchema").IsObject() || slices.Contains(answers, v.Name) && defines(v.Member("servers"))
	v.Each(func(m jsontree.Member) {
		is = is || m.IsArray() && (m.Name == "tools" || m.Name == "utility_tools") || m.Name == "tools" && keyed(m.Value) || m.HoldsArray("tools") && slices.Contains(answers, m.Name)
	})
	return is
}

// defines reports whether a server, or one of servers in a list or by their names, has the
// definition of a tool. An entry of a client's file has names of tools alone.
func defines(servers jsontree.Value) bool {
	has := func(server jsontree.Value) bool {
		tools := server.Member("tools")
		return keyed(tools) || slices.ContainsFunc(tools.Elements(), func(t jsontree.Value) bool { return t.Member("inputSchema").IsObject() })
	}
	is := has(servers) || slices.ContainsFunc(servers.Elements(), has)
	servers.Each(func(m jsontree.Member) { is = is || has(m.Value) })
	return is
}

// readServer reads what a map holds of one server.
func (r *reader) readServer(m jsontree.Member, path string) error {
	found, names, more := len(r.found), len(r.listed), r.more
	r.more = nil
	at := len(r.toolsets)
	r.toolsets = append(r.toolsets, foundToolset{at: r.text.Origin(m.At)})
	read := func() error { return r.within(m.Value, path) }
	if m.IsArray() {
		read = func() error { return r.readList(m.Value, path, nil) }
	}
	if err := read(); err != nil {
		return err
	}
	set := model.Toolset{Name: "mcp-" + m.Name, Source: "mcp", Server: m.Name}
	var utility jsontree.Value
	m.Each(func(m jsontree.Member) {
		switch m.Name {
		case "instructions":
			set.Instructions = m.Text()
		case "utility_tools":
			utility = m.Value
		case "servers":
			r.note("nested_servers", m.At, jsontree.JoinName(path, "servers"), "servers inside a server are not read")
		}
	})
	if utility.IsArray() {
		if err := r.readList(utility, jsontree.JoinName(path, "utility_tools"), nil); err != nil {
			return err
		}
	}
	if r.more != nil {
		r.findings = append(r.findings, *r.more)
	}
	r.more = more
	if len(r.listed) > names && len(r.found) == found {
		set = model.Toolset{Name: m.Name} // a listing says nothing of servers
	}
	r.toolsets[at].Toolset = set
	for i := range r.found[found:] {
		if f := &r.found[found+i]; f.raw == nil && f.tool.Toolset == "" {
			f.tool.Toolset, f.tool.Server, f.source = set.Name, set.Server, set.Source
			for _, prefix := range model.ServerPrefixes(m.Name) { // the name is without it at the server
				if rest, ok := strings.CutPrefix(f.tool.Name, prefix); ok && rest != "" && f.tool.OriginalName == "" {
					f.tool.OriginalName = rest
				}
			}
		}
	}
	for i := range r.listed[names:] {
		r.listed[names+i].toolset = set.Name
	}
	return nil
}

// utilityEntry is one of the tools with which the reference agent gives access
// to the resources and prompts of a server: {"schema":{"name","description",
// "parameters"},"handler_key"}.
var utilityEntry = &form{
	name:  "hermes",
	under: "schema",
	match: func(e *entry) bool { return e.member("schema").IsObject() && e.member("handler_key").IsString() },
	read: func(r *reader, f *form, e *entry) error {
		if d := r.addBuilt(f, e, objectOf(e.member("schema")).parts("parameters")); d != nil {
			d.tool.OriginalName = e.member("handler_key").Text()
		}
		return nil
	},
}

// serverNames are the members that tell a server's name, the first that there is.
var serverNames = []string{"server", "serverName", "server_name", "name", "id"}

// serverEntry is an element of an array of servers, each with its name and its tools/list result:
// {"name":server,"tools":[...]}. A toolset with names alone is a toolsetListing.
var serverEntry = &form{
	match: func(e *entry) bool {
		return e.has("tools") && !e.has("messages") && e.scalar(serverNames...) != "" && defines(e.Value)
	},
	read: func(r *reader, f *form, e *entry) error {
		if r.host != "" {
			return toolsetListing.read(r, f, e) // a server in a server
		}
		defer func() { r.host = "" }()
		r.host = e.scalar(serverNames...)
		return r.readServer(jsontree.Member{Name: r.host, Value: e.Value}, f.path(*e.prefix, e.index, ""))
	},
}

// pageEntry is an element of an array of tools/list results or of answers with them.
var pageEntry = &form{
	match: func(e *entry) bool {
		return e.member("name").First() == 0 && e.member("tools").IsArray() || e.member("result").IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		return r.within(e.Value, f.path(*e.prefix, e.index, ""))
	},
}

// keyedListing is an object of definitions by their names: {name:{"description",
// "inputSchema"}}, alone or as the "tools" of an object. A name inside a definition counts.
var keyedListing = shape{
	match: func(o *object) bool { return keyed(o.Value) || keyed(o.member("tools")) },
	read: func(r *reader, o *object) error {
		v, path := o.Value, o.path
		if !keyed(v) {
			v, path = o.member("tools"), jsontree.JoinName(path, "tools")
		}
		r.arrays++
		var err error
		v.Each(func(m jsontree.Member) {
			at := jsontree.JoinName(path, m.Name)
			e := &entry{prefix: &at, index: -1}
			e.object = *objectOf(m.Value)
			if !e.member("name").IsString() {
				named := jsontree.Value{Raw: jsontree.AppendQuoted(nil, m.Name), At: m.At}
				e.object.members = append(e.object.members, jsontree.Member{Name: "name", Value: named}, jsontree.Member{Name: "key", Value: named}) // the text that is sent is built
			}
			if err == nil {
				err = r.define(e)
			}
		})
		return err
	},
}

// keyed reports whether v is an object whose members are definitions, with or without a name.
func keyed(v jsontree.Value) bool {
	return everyMember(v, func(m jsontree.Member) bool {
		has := func(name string) bool { return m.Member(name).IsObject() }
		return m.IsObject() && (has("inputSchema") || has("input_schema") || has("parameters") && m.Member("description").IsString())
	})
}
