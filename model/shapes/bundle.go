package shapes

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
