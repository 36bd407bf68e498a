package shapes

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
		r.addMade(f, made{name: o.member("name").Text(), description: o.member("description").Text(), parameters: text,
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
