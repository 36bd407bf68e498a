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
		name, plugin := e.text("name", "Name"), e.text("plugin_name", "pluginName", "PluginName")
		parameters := e.member("parameters")
		if parameters.First() == 0 {
			parameters = e.member("Parameters")
		}
		m := f.made(e, "name", "description", parametersOf(parameters))
		m.name, m.description, m.nameAt = name, e.text("description", "Description"), e.At
		if plugin != "" {
			m.name = plugin + "-" + name
		}
		d := r.addMade(f, m)
		if d != nil && plugin != "" {
			d.tool.Toolset, d.tool.OriginalName = plugin, name
			r.toolsets = append(r.toolsets, foundToolset{model.Toolset{Name: plugin}, r.text.Origin(e.At)})
		}
		return nil
	},
}
