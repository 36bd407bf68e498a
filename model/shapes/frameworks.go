package shapes

import (
	"caliper/model"
	"caliper/model/jsontree"
)

// smolEntry is a tool as smolagents describes it (github.com/huggingface/smolagents, Tool):
// {"name","description","inputs":{name:{type,description,nullable}},"output_type"}. With an
// output_type, the inputs that are not nullable are required.
var smolEntry = &form{
	name: "smolagents",
	match: func(e *entry) bool {
		inputs := e.member("inputs")
		if !e.member("name").IsString() || !inputs.IsObject() || e.has("parameters", "inputSchema", "input_schema") {
			return false
		}
		typed, empty := true, true
		inputs.Each(func(m jsontree.Member) {
			typed, empty = typed && m.IsObject() && m.Member("type").First() != 0, false
		})
		return typed && (!empty || e.has("output_type", "description")) // else it may be a run of anything
	},
	read: func(r *reader, f *form, e *entry) error {
		required := func(c jsontree.Child) bool {
			return e.member("output_type").First() != 0 && !isTrue(c.Member("nullable")) && c.Member("default") == nil
		}
		return r.readProperties(f, e, e.member("inputs"), required)
	},
}

// cohereEntry is a tool of the first version of Cohere's interface (docs.cohere.com, Chat
// v1): {"name","description","parameter_definitions":{name:{type,description,required}}}.
var cohereEntry = &form{
	name: "cohere",
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.member("parameter_definitions").IsObject()
	},
	read: func(r *reader, f *form, e *entry) error {
		return r.readProperties(f, e, e.member("parameter_definitions"), func(c jsontree.Child) bool { return isTrue(c.Member("required")) })
	},
}

// readProperties makes a tool of an entry whose parameters are an object of them by name.
func (r *reader) readProperties(f *form, e *entry, v jsontree.Value, required func(jsontree.Child) bool) error {
	r.addRestated(f, f.restated(e, "name", "description", propertiesOf(v, required)))
	return nil
}

// openWebUIEntry is a module of Open WebUI (github.com/open-webui/open-webui), a toolset of its
// functions: {"id","name","content","specs":[{name,description,parameters}]}.
var openWebUIEntry = &form{
	name:  "open-webui",
	match: func(e *entry) bool { return e.member("id").IsString() && e.member("specs").IsArray() },
	read: func(r *reader, f *form, e *entry) error {
		from := len(r.found)
		id, path := e.member("id").Text(), f.path(*e.prefix, e.index, "specs")
		if err := r.readList(e.member("specs"), path, nil); err != nil {
			return err
		}
		for i := range r.found[from:] {
			r.found[from+i].tool.Toolset = id
		}
		return nil
	},
}

// editorTools are the tools that an extension of VS Code gives a model, in its manifest
// (code.visualstudio.com, contributes.languageModelTools): {"contributes":
// {"languageModelTools":[{name,modelDescription,inputSchema}]}}.
var editorTools = shape{
	match: func(o *object) bool { return o.member("contributes").HoldsArray("languageModelTools") },
	read: func(r *reader, o *object) error {
		path := jsontree.JoinName(jsontree.JoinName(o.path, "contributes"), "languageModelTools")
		return r.readList(o.member("contributes").Member("languageModelTools"), path, editorTool)
	},
}

// editorTool is an entry of these. Its displayName and userDescription are for the user.
var editorTool = &form{
	name: "vscode",
	read: func(r *reader, f *form, e *entry) error {
		p := e.parts("inputSchema")
		p.description = e.member("modelDescription")
		r.addBuilt(f, e, p)
		return nil
	},
}

// langChainEntry is a tool as LangChain dumps it (python.langchain.com, BaseTool):
// {"name","description","args_schema"} or "args", an object of properties; or a
// serialized object, {"lc":1,"id":[...],"kwargs":{...}} with the same in kwargs, or with
// "schema" there as LangChain of JavaScript calls it. "tool_call_schema" stands for
// args_schema in dumps of what a model is shown.
var langChainEntry = &form{
	name: "langchain",
	match: func(e *entry) bool {
		o := langChainTool(e)
		return o.member("name").IsString() && (o.member("args_schema").IsObject() || o.member("tool_call_schema").IsObject() || o.member("args").IsObject() || o != &e.object)
	},
	read: func(r *reader, f *form, e *entry) error {
		o := langChainTool(e)
		parameters, text := o.member("args_schema"), []byte(nil)
		for _, key := range []string{"tool_call_schema", "schema"} {
			if !parameters.IsObject() {
				parameters = o.member(key)
			}
		}
		switch {
		case treeOf(parameters).Member("properties") != nil:
			text = parameters.Raw
		case o.member("args").IsObject():
			text = append(append([]byte(`{"type":"object","properties":`), o.member("args").Raw...), '}')
		}
		r.addRestated(f, restated{name: o.member("name").Text(), description: o.member("description").Text(), parameters: text,
			path: f.path(*e.prefix, e.index, ""), at: e.At, nameAt: o.member("name").At})
		return nil
	},
}

// langChainTool returns the object that has the parts of a tool.
func langChainTool(e *entry) *object {
	if e.has("lc") && e.member("kwargs").IsObject() {
		return objectOf(e.member("kwargs"))
	}
	return &e.object
}

// kernelEntry is a function as Semantic Kernel dumps it (KernelFunctionMetadata):
// {"name","plugin_name","description","parameters":[{name,type_,is_required,
// schema_data}]} in Python, the same in capitals in C#. Its name is the one that a
// model sees, PLUGIN-FUNCTION, and its toolset is the plugin.
var kernelEntry = &form{
	name: "semantic-kernel",
	match: func(e *entry) bool {
		return e.member("name").IsString() && e.has("plugin_name", "pluginName") && e.member("parameters").IsArray() ||
			e.member("Name").IsString() && e.has("PluginName") && e.member("Parameters").IsArray()
	},
	read: func(r *reader, f *form, e *entry) error {
		name, plugin := e.text("name", "Name"), e.text("plugin_name", "pluginName", "PluginName")
		parameters := e.member("parameters")
		if parameters.First() == 0 {
			parameters = e.member("Parameters")
		}
		m := f.restated(e, "name", "description", parametersOf(parameters))
		m.name, m.description, m.nameAt = name, e.text("description", "Description"), e.At
		if plugin != "" {
			m.name = plugin + "-" + name
		}
		d := r.addRestated(f, m)
		if d != nil && plugin != "" {
			d.tool.Toolset, d.tool.OriginalName = plugin, name
			r.toolsets = append(r.toolsets, foundToolset{model.Toolset{Name: plugin}, r.text.Origin(e.At)})
		}
		return nil
	},
}

// toolboxFile is a configuration of the MCP Toolbox for Databases
// (github.com/googleapis/genai-toolbox, tools.yaml): {"sources":{...},"tools":{name:{kind,
// source,description,parameters:[{name,type,description,items,required,default}]}},
// "toolsets":{name:[names]}}. A parameter is required unless it is marked otherwise, or
// has a default.
var toolboxFile = shape{
	match: func(o *object) bool {
		return everyMember(o.member("tools"), func(m jsontree.Member) bool {
			return m.IsObject() && m.Member("description").IsString() && (m.Member("kind").IsString() || m.Member("type").IsString())
		})
	},
	read: func(r *reader, o *object) error {
		r.arrays++
		path := jsontree.JoinName(o.path, "tools")
		o.member("tools").Each(func(m jsontree.Member) {
			parameters := propertiesOf(m.Member("parameters"), func(c jsontree.Child) bool {
				if stated := c.Member("required"); stated != nil {
					return isTrue(stated)
				}
				return c.Member("default") == nil
			})
			r.addRestated(toolboxEntry, restated{name: m.Name, description: m.Member("description").Text(), parameters: parameters,
				path: jsontree.JoinName(path, m.Name), at: m.At, nameAt: m.At})
		})
		toolsets := jsontree.JoinName(o.path, "toolsets")
		o.member("toolsets").Each(func(m jsontree.Member) { r.readToolset(m.Name, m.Value, jsontree.JoinName(toolsets, m.Name)) })
		return nil
	},
}

// toolboxEntry is the form of a member of its tools.
var toolboxEntry = &form{name: "toolbox"}

// liteLLMTools is a configuration of LiteLLM's proxy with tools of its own
// (docs.litellm.ai, mcp_tools): {"mcp_tools":[{name,description,input_schema,handler}]}.
// Its servers are asked by --mcp-config.
var liteLLMTools = shape{
	match: func(o *object) bool { return o.member("mcp_tools").IsArray() },
	read: func(r *reader, o *object) error {
		if f, ok := clientFile(o); ok {
			at := o.Member(f.Path...).At
			r.note("client_config", at, jsontree.JoinName(o.path, f.Path[0]), configMessage(f, r.notation, r.source.Name))
		}
		return r.readList(o.member("mcp_tools"), jsontree.JoinName(o.path, "mcp_tools"), nil)
	},
}
