package clientfile

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a value in short: objects in braces, lists in brackets, a text that is a
// number with #.
func show(v Value) string {
	var parts []string
	switch v.Kind {
	case Null:
		return "null"
	case List:
		for _, i := range v.Items {
			parts = append(parts, show(i))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case Object:
		for _, m := range v.Members {
			parts = append(parts, m.Name+":"+show(m.Value))
		}
		return strings.TrimSpace("{" + strings.Join(parts, " ") + "}" + strings.Join(v.Repeated, "!"))
	}
	if v.Number {
		return "#" + v.Text
	}
	return v.Text
}

// TestClients: whose file it is, where its servers stand and what they are, by the
// file's members and its name.
func TestClients(t *testing.T) {
	const server = `{"a":{"command":"x"}}`
	for _, c := range []struct{ name, text, want string }{
		{".mcp.json", `{"mcpServers":` + server + `}`, `claude-code mcpServers {a:{command:x}}`},
		{"claude_desktop_config.json", `{"mcpServers":` + server + `}`, `claude-desktop mcpServers {a:{command:x}}`},
		{`C:\U\.Cursor\mcp.json`, `{"mcpServers":{"a":{"url":"u","n":1.0,"o":[true,null]}}}`, `cursor mcpServers {a:{url:u n:#1.0 o:[true null]}}`},
		{".gemini/settings.json", `{"mcpServers":{}}`, `gemini mcpServers {}`}, {"x.json", `{"mcpServers":{"a":{"httpUrl":"u"}}}`, `gemini mcpServers {a:{httpUrl:u}}`},
		{"x.json", `{"mcpServers":{},"mcp":{"allowed":[]}}`, `gemini mcpServers {}`}, {"x.json", `{"mcpServers":{},"tools":{"core":[]}}`, `gemini mcpServers {}`}, {"x.json", `{"mcpServers":{},"coreTools":[]}`, `gemini mcpServers {}`},
		{"x.json", `{"mcpServers":{},"tools":{"other":[]}}`, ` mcpServers {}`},
		{".roo/mcp.json", `{"mcpServers":{}}`, `roo mcpServers {}`}, {"mcp-config.json", `{"mcpServers":{}}`, `copilot mcpServers {}`}, {"p.mcp.json", `{"mcpServers":{}}`, `claude-code mcpServers {}`},
		{"mcp_config.json", `{"mcpServers":[{"name":"a","protocol":"stdio"}]}`, `mcpproxy mcpServers {a:{name:a protocol:stdio}}`}, {"mcp_config.json", `{"mcpServers":{},"top_k":5}`, `mcpproxy mcpServers {}`}, {"c.json", `{"mcpServers":{},"top_k":5}`, ` mcpServers {}`},
		{"c.yaml", "mcpServers:\n- name: a\n  command: x\n- uses: o/b\n- {}\n- name: a\n  url: 7\n", `continue mcpServers {a:{name:a url:#7} b:{uses:o/b} server-3:{}}`},
		{"c.json", `{"experimental":{"modelContextProtocolServers":[{"transport":{"command":"x"}}]}}`, `continue experimental.modelContextProtocolServers {server-1:{command:x}}`},
		{"c.json", `{"amp.mcpServers":` + server + `}`, `amp amp.mcpServers {a:{command:x}}`}, {"c.json", `{"amp":{"mcpServers":` + server + `}}`, `amp amp.mcpServers {a:{command:x}}`},
		{"c.json", `{"context_servers":` + server + `}`, `zed context_servers {a:{command:x}}`},
		{"c.json", `{"servers":` + server + `}`, `vscode servers {a:{command:x}}`}, {"c.json", `{"servers":{"a":{"x":1}}}`, `no`}, {"c.json", `{"servers":{"a":{"command":"x"},"b":1}}`, `no`},
		{"c.code-workspace", `{"settings":{"mcp":{"servers":` + server + `}}} // x`, `vscode settings.mcp.servers {a:{command:x}}`}, {"devcontainer.json", `{"customizations":{"vscode":{"mcp":{"servers":{}}}}}`, `vscode customizations.vscode.mcp.servers {}`},
		{"c.json", `{"mcp":{"servers":{"a":{"type":"local"}}}}`, `opencode mcp.servers {a:{type:local}}`}, {"c.json", `{"$schema":"https://opencode.ai/config.json","mcp":{"servers":` + server + `}}`, `opencode mcp.servers {a:{command:x}}`},
		{"c.json", `{"mcp":` + server + `}`, `crush mcp {a:{command:x}}`}, {"c.json", `{"mcp":{"a":{"command":["x"]}}}`, `opencode mcp {a:{command:[x]}}`}, {"c.json", `{"mcp":{"a":{"enabled":false}}}`, `opencode mcp {a:{enabled:false}}`},
		{"c.json", `{"$schema":"https://charm.land/crush.json","mcp":{"a":{"type":"remote","url":"u"}}}`, `crush mcp {a:{type:remote url:u}}`}, {"c.json", `{"mcp":{}}`, `no`}, {"c.json", `{"mcp":{"a":{"enabled":false,"b":1}}}`, `no`},
		{"c.yaml", "extensions:\n  a: {type: stdio, cmd: x}\n", `goose extensions {a:{type:stdio cmd:x}}`}, {"c.yaml", "extensions:\n- {type: builtin, name: a}\n", `goose extensions {a:{type:builtin name:a}}`},
		{"c.yaml", "extensions:\n  a: {config: {type: sse}}\n", `goose extensions {a:{config:{type:sse}}}`}, {"c.yaml", "extensions:\n  a: {type: other}\n", `no`},
		{"c.yaml", "mcp_servers:\n  a: {url: u}\n", `hermes mcp_servers {a:{url:u}}`}, {"c.yaml", "mcp_servers:\n  a: {url: u, allowed_tools: []}\n", `litellm mcp_servers {a:{url:u allowed_tools:[]}}`},
		{"c.yaml", "general_settings: {}\nmcp_servers: {}\n", `litellm mcp_servers {}`}, {"c.yaml", "model_list: []\n", `no litellm`},
		{"c", "[mcp_servers.b]\ncommand = \"x\"\nn = 1\n[mcp_servers.a]\nargs = [\"y\", true]\nenv = {B = \"1\", A = \"2\"}\n", `codex mcp_servers {b:{command:x n:#1} a:{args:[y true] env:{A:2 B:1}}}`},
		{"c", "mcp_servers = {b = {command = \"x\"}, a = {url = \"u\"}}\n", `codex mcp_servers {b:{command:x} a:{url:u}}`},
		{"c.json", `[{"type":"mcp","url":"u","info":{"id":"a"}},{"type":"openapi","url":"v","name":"b"}]`, `open-webui  {a:{type:mcp url:u info:{id:a}} b:{type:openapi url:v name:b}}`},
		{"c.json", `{"tool_server":{"connections":[{"type":"mcp","url":"u","config":{},"info":{"name":"n"}}]}}`, `open-webui tool_server.connections {n:{type:mcp url:u config:{} info:{name:n}}}`}, {"c.json", `[{"type":"mcp","url":"u"}]`, `no`},
		{"x.json", server, `  {a:{command:x}}`}, {"x.json", `{"a":{"command":"x"},"b":1}`, `no`}, {"x.json", `{}`, `no`},
		{".claude.json", `{"mcpServers":` + server + `,"projects":{"/p":{"mcpServers":{"a":{"url":"u"},"b":{"serverUrl":"v"}}},"/q":{}}}`, `claude-code mcpServers {a:{command:x} a (/p):{url:u} b:{serverUrl:v}} map[a (/p):/p b:/p]`},
		{"x.json", `{"projects":{"/p":{"mcpServers":{}}}}`, `claude-code  {}`}, {"x.json", `{"projects":{"/p":{}}}`, `no`},
		{"x.json", `{"mcpServers":{"a":1,"b":2,"a":3,"a":4,"b":5},"c":{"d":1,"d":2}}`, ` mcpServers {a:#4 b:#5} a!b`},
		{"x.json", `{"mcpServers":`, `error 1:15: unexpected end of input`}, {"x.json", "{}\n 1", `error 1:3: not valid JSON`}, {"x.json", "{\n x}", `error 2:2: not valid JSON`}, {"x.json", strings.Repeat("[", 201), "error 1:201: nested too deep"},
		{"x.toml", "a = 1\nb\n", `error 2:2: not valid TOML`}, {"x.yaml", "a: [\n", `error`}, {"x.toml", "a = " + strings.Repeat("[", 101) + strings.Repeat("]", 101), "error 1:1: nested too deep"},
		{"x.toml", "a" + strings.Repeat(".a", 199) + " = 1", "no"}, {"x.toml", "a" + strings.Repeat(".a", 200) + " = 1", "error 1:1: nested too deep"},
		{"x.yaml", strings.Repeat("[", 201) + strings.Repeat("]", 201), "error 1:"},
	} {
		f, ok, err := Parse(c.name, []byte(c.text))
		if ok && err != nil || err == nil && f.Root.Kind == 0 {
			t.Errorf("%s %.200s: has servers: %v, %v; it holds %s", c.name, c.text, ok, err, show(f.Root))
		}
		got := strings.TrimSuffix("no "+f.Client, " ")
		switch {
		case err != nil:
			got = fmt.Sprint("error ", err)
			if strings.HasPrefix(got, c.want) {
				got = c.want
			}
		case ok:
			got = fmt.Sprint(f.Client, " ", strings.Join(f.Path, "."), " ", show(Value{Kind: Object, Members: f.Entries}))
			if len(f.Repeated) > 0 {
				got += " " + strings.Join(f.Repeated, "!")
			}
			if f.Projects != nil {
				got += fmt.Sprint(" ", f.Projects)
			}
		}
		if got != c.want {
			t.Errorf("%s %.200s:\ngot  %s\nwant %s", c.name, c.text, got, c.want)
		}
		if begins := ok && len(f.Path) > 0; begins && !Begins(f.Path[0]) {
			t.Errorf("%s begins no section", f.Path[0])
		}
	}
	if f, ok := Of([]byte(`{"mcp":{"a":{"enabled":true}}}`)); !ok || f.Client != "opencode" || Begins("tools") {
		t.Errorf("%v %+v", ok, f)
	}
	for _, name := range []string{"projects", "packages", "remotes", "server", "mcpServers"} {
		if !Begins(name) {
			t.Errorf("%s begins no section", name)
		}
	}
	many := ""
	for i := range 22 {
		many += fmt.Sprintf(`"k%d":1,"k%[1]d":2,`, i)
	}
	if f, _ := Of([]byte(`{"mcpServers":{` + many + `"z":["a",true,null,{},5]}}`)); len(f.Repeated) != 20 || strings.Join(f.Root.Member("mcpServers", "z").Strings(), " ") != "a true 5" {
		t.Errorf("%q stand twice of %d", f.Repeated, 22)
	}
	if _, ok := Of([]byte(`{`)); ok {
		t.Error("half an object has servers")
	}
}

// TestSyntax: a file's syntax is that of its name, or else of its first line that says it.
func TestSyntax(t *testing.T) {
	for text, want := range map[string]string{
		"x.JSONC|a: 1": "json", "x.toml|{": "toml", "x.yml|{": "yaml", "x|\n# c\n  {": "json", "x|// c": "json", "x|/* c": "json",
		"x|[a]": "toml", "x| a = 1": "toml", "x|a: b = 1": "yaml", "x|a: 1": "yaml", "x|": "json", "x|#": "json", "x|a": "yaml",
	} {
		name, data, _ := strings.Cut(text, "|")
		if got := Syntax(name, []byte(data)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestRegistryEntries: how the servers of the MCP registry are started or reached, and what
// is missing for it.
func TestRegistryEntries(t *testing.T) {
	entry := func(rest string) string { return `{"name":"io.e/p","version":"1",` + rest + `}` }
	pack := func(rest string) string { return entry(`"packages":[{` + rest + `}]`) }
	remote := func(rest string) string { return entry(`"remotes":[{` + rest + `}]`) }
	for _, c := range []struct{ text, want, ways string }{
		{pack(`"registryType":"npm","identifier":"@e/p"`), `p:{command:npx args:[-y @e/p@1]}`, "npx -y @e/p@1"},
		{pack(`"registry_name":"pypi","name":"p","version":"2","runtime_hint":"pipx"`), `p:{command:pipx args:[p@2]}`, "pipx p@2"},
		{pack(`"registryType":"nuget","identifier":"P","packageArguments":[{"type":"positional","value":"serve"},{"type":"named","name":"--a","default":"b"},{"type":"named","name":"--flag"},{"type":"named","name":"--ask","valueHint":"x"}]`),
			`p:{command:dnx args:[P@1 --yes -- serve --a b --flag]}`, "dnx P@1"},
		{pack(`"registryType":"oci","identifier":"e/p","registryBaseUrl":"https://ghcr.io/","runtimeArguments":[{"value":"--rm"},{"value":"-v={d}","variables":{"d":{"default":"/d"}}}],"environmentVariables":[{"name":"A","value":"1"},{"name":"B","isRequired":true},{"name":"C"},{"value":"x"}]`),
			`p:{command:docker args:[run -i --rm -v=/d -e A -e B ghcr.io/e/p:1] env:{A:1} env_vars:[B]}`, "docker run -i --rm ghcr.io/e/p:1"},
		{pack(`"registryType":"docker","identifier":"docker.io/e/p:3","registryBaseUrl":"https://docker.io"`), `p:{command:docker args:[run -i --rm docker.io/e/p:3]}`, "docker run -i --rm docker.io/e/p:3"},
		{pack(`"registryType":"oci","identifier":"e/p:3","runtimeHint":"podman","environmentVariables":[{"name":"A","default":"1"},{"name":"B","value":"","isRequired":true}]`), `p:{command:podman args:[run -i --rm -e A -e B e/p:3] env:{A:1} env_vars:[B]}`, "podman run -i --rm e/p:3"},
		{pack(`"registryType":"pypi","identifier":"p","runtimeHint":"docker","environmentVariables":[{"name":"A","value":"1"}]`), `p:{command:docker args:[p@1] env:{A:1}}`, "docker p@1"},
		{pack(`"registryType":"oci","identifier":"ghcr.io/p@sha","registryBaseUrl":"https://ghcr.io"`), `p:{command:docker args:[run -i --rm ghcr.io/p@sha]}`, "docker run -i --rm ghcr.io/p@sha"},
		{pack(`"registryType":"mcpb","identifier":"u"`), `p:{command: args:[] problem:it is a bundle: install it, and start its server with --stdio, or import its manifest.json}`, ""},
		{pack(`"registryType":"cargo","identifier":"p"`), `p:{command: args:[] problem:how a package of its registry is started is not known: start it with --stdio}`, ""},
		{pack(`"registryType":"npm","identifier":"p","transport":{"type":"sse"},"packageArguments":[{"type":"positional","isRequired":true}]`), `p:{command:npx args:[-y p@1] problem:it needs an argument that is asked of the user: start it with --stdio and that argument}`, "npx -y p@1"},
		{pack(`"registryType":"npm","identifier":"p","transport":{"type":"sse"}`), `p:{command:npx args:[-y p@1] problem:it answers over HTTP where it was started: start it, and import it with --http}`, "npx -y p@1"},
		{remote(`"type":"streamable-http","url":"https://h/{k}?q=1","variables":{"k":{"value":"v"}},"headers":[{"name":"A","value":"B {t}","variables":{"t":{"default":"T"}}},{"name":"C"},{"value":"x"}]`), `p:{type:http url:https://h/v?q=1 headers:{A:B T}}`, "https://h/{k}"},
		{`{"name":"p","packages":[{"registryType":"npm","identifier":"a","runtimeArguments":[{"value":7},{"value":null},{"value":true}]}]}`, `p:{command:npx args:[-y 7 true a]}`, "npx -y a"},
		{remote(`"url":"https://h/{k}","variables":{"k":{}}`), `p:{type:http url:https://h/{k} problem:its address has a part that is asked of the user: import it with --http and the whole address}`, "https://h/{k}"},
		{remote(`"transport_type":"sse","url":"https://h/{k}"`), `p:{type:sse url:https://h/{k} problem:its address has a part that is asked of the user: import it with --http and the whole address}`, "https://h/{k}"},
		{remote(`"url":"u","headers":[{"name":"A","isRequired":true,"value":"{k}","variables":{"k":{}}}]`), `p:{type:http url:u problem:it needs a header that is asked of the user: import it with --http and --header}`, "u"},
		{`{"servers":[{"server":` + entry(`"packages":[{"registryType":"npm","identifier":"a"},{"registryType":"npm","identifier":"b"},{"registryType":"npm","identifier":"c"}],"remotes":[{"url":"u"}]`) + `},{"x":1}]}`,
			`p-npm:{command:npx args:[-y a@1]} p-npm-2:{command:npx args:[-y b@1]} p-npm-3:{command:npx args:[-y c@1]} p-http:{type:http url:u}`, "npx -y a@1|npx -y b@1|npx -y c@1|u"},
		{entry(`"packages":[{"registryType":"npm","identifier":"a"}],"remotes":[{"url":"u"}]`), `p-npm:{command:npx args:[-y a@1]} p-http:{type:http url:u}`, "npx -y a@1|u"},
		{pack(`"registryType":"npm","identifier":"p","packageArguments":[{"type":"positional","name":"--n","value":"v"},{"type":"named","value":"w"}]`), `p:{command:npx args:[-y p@1 v w]}`, "npx -y p@1"},
		{`{"name":true,"remotes":[{"url":"u"}]}`, "", ""}, {`{"name":"p","remotes":[{"x":"u"}]}`, "", ""},
	} {
		f, ok, err := Parse("server.json", []byte(c.text))
		want, client := "{"+c.want+"}", RegistryClient
		if c.want == "" {
			client = ""
		}
		if got := show(Value{Kind: Object, Members: f.Entries}); err != nil || ok != (c.want != "") || f.Client != client || got != want || strings.Join(f.Ways, "|") != c.ways {
			t.Errorf("%s:\ngot  %s %q, %v\nwant %s %s", c.text, got, f.Ways, err, want, c.ways)
		}
	}
}

// TestSet: a value is written where it is or belongs, and every other byte stays.
func TestSet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, data string
		path       []string
		value      any
		want       string // empty: refused
	}{
		"a value that is there":      {"a.json", `{"a": {"on": false}, "b": 1}`, []string{"a", "on"}, true, `{"a": {"on": true}, "b": 1}`},
		"behind the last member":     {"a.json", "{\n  \"a\": {\n    \"x\": 1 // one\n  }\n}\n", []string{"a", "on"}, true, "{\n  \"a\": {\n    \"x\": 1,\n    \"on\": true // one\n  }\n}\n"},
		"before a comma that trails": {"a.json", "{\n\t\"a\": {\"x\": 1,},\n}", []string{"b"}, "t", "{\n\t\"a\": {\"x\": 1,},\n\t\"b\": \"t\",\n}"},
		"in one line":                {"a.json", `{"a":{"x":1}}`, []string{"a", "on"}, true, `{"a":{"x":1, "on": true}}`},
		"into nothing":               {"a.json", `{}`, []string{"env", "E"}, "true", `{"env": {"E": "true"}}`},
		"a list":                     {"a.json", `{"l": ["a", "b"]}`, []string{"l"}, []string{"b"}, `{"l": ["b"]}`},
		"an empty list":              {"a.json", `{"l": ["a"]}`, []string{"l"}, []string{}, `{"l": []}`},
		"into what is no object":     {"a.json", `{"a": 1}`, []string{"a", "on"}, true, ""},
		"not JSON":                   {"a.json", `{"a"`, []string{"a"}, true, ""},
		"of a table":                 {"a.toml", "[a.b]\nx = 1\non = false # why\n", []string{"a", "b", "on"}, true, "[a.b]\nx = 1\non = true # why\n"},
		"a text of a table":          {"a.toml", "model = 'x'\n[a]\n", []string{"model"}, "y", "model = \"y\"\n[a]\n"},
		"into a table":               {"a.toml", "[a.b] # t\nx = 1\n[c]\n", []string{"a", "b", "on"}, true, "[a.b] # t\non = true\nx = 1\n[c]\n"},
		"into no table":              {"a.toml", "x = 1", []string{"a", "on"}, true, "x = 1\n\n[a]\non = true\n"},
		"a list behind a bracket":    {"a.toml", "\"[l\" = [ # c\n 'x' ]\n", []string{"[l"}, []string{"y"}, "\"[l\" = [\"y\"]\n"},
		"at the top, in one line":    {"a.json", `{"x":1}`, []string{"on"}, true, `{"x":1, "on": true}`},
		"a list of a table":          {"a.toml", "[a]\nl = [ # of [x]\n \"x]\", ] # why\n[b]\n", []string{"a", "l"}, []string{"y"}, "[a]\nl = [\"y\"] # why\n[b]\n"},
		"into an inline table":       {"a.toml", "a = {x = 1}\n", []string{"a", "on"}, true, ""},
		"the last of two members":    {"a.json", `{"a": false, "a": false}`, []string{"a"}, true, `{"a": false, "a": true}`},
		"a number":                   {"a.json", `{"a": 1}`, []string{"a"}, 5, ""},
		"a table without a line":     {"a.toml", "[a]", []string{"a", "on"}, true, ""},
		"into the root of TOML":      {"a.toml", "[a]\n", []string{"on"}, true, ""},
		"a digit of a table":         {"a.toml", "x = 5\n", []string{"x"}, "t", "x = \"t\"\n"},
		"what is no value":           {"a.json", `{"a": 1}`, []string{"a"}, t.Error, ""},
		"a number of a table":        {"a.toml", "x = 1.5\n", []string{"x"}, "t", "x = \"t\"\n"},
		"YAML":                       {"a.yaml", "a: 1\n", []string{"b"}, true, ""},
	} {
		got, err := Set(c.file, []byte(c.data), c.path, c.value)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// TestSameBut: what stands beside the value at a path decides whether two files are the same.
func TestSameBut(t *testing.T) {
	for _, c := range []struct {
		before, after, path string
		want                bool
	}{
		{`{"x":1,"y":2}`, `{"x":5,"y":2}`, "x", true}, {`{"x":1,"y":2}`, `{"x":1,"y":3}`, "x", false}, {`{"y":2}`, `{"x":1,"y":2}`, "x", true},
		{`{"o":{"x":1,"y":2}}`, `{"o":{"x":5,"y":2}}`, "o x", true}, {`{"o":{"x":1,"y":2}}`, `{"o":{"x":5,"y":3}}`, "o x", false},
		{`{}`, `{"o":{"x":1}}`, "o x", true}, {`{"y":1}`, `{"o":{"x":1}}`, "o x", false}, {`{"o":null}`, `{"o":{"x":1}}`, "o x", false}, {`1`, `2`, "", true},
	} {
		a, err := parse("json", []byte(c.before))
		b, err2 := parse("json", []byte(c.after))
		if got := sameBut(a, b, strings.Fields(c.path)); got != c.want || err != nil || err2 != nil {
			t.Errorf("%s and %s but for %s: %v, %v, %v", c.before, c.after, c.path, got, err, err2)
		}
	}
	if o, _ := parse("json", []byte(`{"x":1}`)); !sameBut(Value{}, o, []string{"x"}) {
		t.Error("an empty file is not the same")
	}
	for text, want := range map[string]bool{`{"enabled":false}`: true, `{"command":"x"}`: false, `{"url":"u"}`: false, `{"type":"t"}`: false} {
		if v, _ := parse("json", []byte(text)); v.Overrides() != want {
			t.Errorf("%s overrides: %v", text, !want)
		}
	}
}

// TestOrderOfTOML: names of the first two levels stand once each, in the order of the file, and deeper ones are sorted.
func TestOrderOfTOML(t *testing.T) {
	v, err := parseTOML([]byte("[s.b]\nz = 1\ny = [true, 1.5]\n[s.a]\n[r]\nq = {n = 'x', m = []}\n[s.b.d]\n"))
	if got := show(v); err != nil || got != "{s:{b:{d:{} y:[true #1.5] z:#1} a:{}} r:{q:{m:[] n:x}}}" {
		t.Errorf("%s, %v", got, err)
	}
}

// Line counts from 1 to the line of a value, and is 0 for a value that the file lacks.
func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, data string
		path       []string
		want       int
	}{
		{"a.json", "{\n \"env\": {\n  \"E\": \"1\"}}", []string{"env", "E"}, 3}, {"a.json", "{}", []string{"env", "E"}, 0}, {"a.json", "{", []string{"env"}, 0},
		{"a.toml", "# c\nmodel = \"m\"\n", []string{"model"}, 2}, {"a.toml", "model = 1\n", []string{"other"}, 0}, {"a.toml", "\n[a]\n", []string{"a"}, 0}, {"a.json", "{\n \"a\": {\"b\": 1}}", []string{"a"}, 2},
	} {
		if got := Line(c.file, []byte(c.data), c.path); got != c.want {
			t.Errorf("%s %v: line %d, want %d", c.data, c.path, got, c.want)
		}
	}
}
