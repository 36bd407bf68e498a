package shapes

import "caliper/model"

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
		first := func(names ...string) string {
			for _, name := range names {
				if t := e.member(name).Text(); t != "" {
					return t
				}
			}
			return ""
		}
		parameters := e.member("parameters")
		if parameters.First() == 0 {
			parameters = e.member("Parameters")
		}
		name, plugin := first("name", "Name"), first("plugin_name", "pluginName", "PluginName")
		whole := name
		if plugin != "" {
			whole = plugin + "-" + name
		}
		d := r.addMade(f, made{name: whole, description: first("description", "Description"), parameters: parametersOf(parameters, nil),
			path: f.path(*e.prefix, e.index, ""), at: e.At, nameAt: e.At})
		if d != nil && plugin != "" {
			d.tool.Toolset, d.tool.OriginalName = plugin, name
			r.toolsets = append(r.toolsets, foundToolset{model.Toolset{Name: plugin}, r.text.Origin(e.At)})
		}
		return nil
	},
}
