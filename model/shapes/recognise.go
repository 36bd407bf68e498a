package shapes

import (
	"bytes"
	"regexp"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// A document that holds no tools, or not in a form that is read, is called what it
// is, with what to do with it.

// stranger is a format that is known and not read.
type stranger struct {
	what string // with its article
	do   string // a clause of what to do instead
	is   func(o *object) bool
	text func() *regexp.Regexp // a format that is neither JSON nor YAML: what its text matches
}

// strangers holds every such format; the first that fits counts. Sources: their projects' schemas.
var strangers = []stranger{
	{"an OpenAPI document", "swagger 2.0 and openapi 3.0, 3.1 and 3.2 are read: convert it to one of these", func(o *object) bool {
		return o.has("openapi", "swagger", "swaggerVersion")
	}, nil},
	{"an entry of the MCP registry", "it says how to start or reach a server and holds no tools: import the server with --stdio or --http", func(o *object) bool {
		return strings.Contains(o.member("$schema").Text(), "server.schema.json") || o.has("packages", "remotes") && o.member("name").IsString() && o.has("version", "description")
	}, nil},
	{"a page of the MCP registry", "its entries say how to start or reach servers and hold no tools: import a server with --stdio or --http", func(o *object) bool {
		v := o.member("servers").Elements()
		return len(v) > 0 && (v[0].Member("server").IsObject() || v[0].Member("packages").IsArray() || v[0].Member("remotes").IsArray())
	}, nil},
	{"an object that LangChain could not serialize", "dump what convert_to_openai_tool of langchain_core makes of each tool, which is read", func(o *object) bool {
		return o.has("lc") && o.member("type").Text() == "not_implemented"
	}, nil},
	{"an object of LangChain that is not a tool", "dump what convert_to_openai_tool of langchain_core makes of each tool, which is read", func(o *object) bool {
		return o.member("lc").First() == '1' && o.member("id").IsArray() && o.member("type").IsString()
	}, nil},
	{"a LangSmith trace", "the tools that its model was sent are in extra.invocation_params.tools of a run of type llm: import that array", func(o *object) bool {
		runs := o.member("runs").Elements()
		return o.member("run_type").IsString() && o.has("trace_id", "dotted_order", "parent_run_id", "child_runs", "inputs", "outputs") ||
			len(runs) > 0 && runs[0].Member("run_type").IsString()
	}, nil},
	{"a Langfuse trace", "the tools that its model was sent are in the input of a generation: import that array", func(o *object) bool {
		return o.member("observations").IsArray() || o.member("traceId").IsString() && o.has("startTime", "modelParameters")
	}, nil},
	{"an OpenTelemetry trace", "where a span has the attribute gen_ai.tool.definitions, that text is the tools that its model was sent: import the array alone", func(o *object) bool {
		return o.has("resourceSpans", "resource_spans", "scopeSpans") || o.member("traceId").IsString() && o.member("spanId").IsString() || o.member("context").Member("trace_id").IsString()
	}, nil},
	{"an HTTP archive", "import the text of the request that has the tools", func(o *object) bool {
		return o.member("log").Member("entries").IsArray()
	}, nil},
	{"a Postman collection", "export it as OpenAPI 3, which is read", func(o *object) bool {
		return strings.Contains(o.member("info").Member("schema").Text(), "getpostman.com") || o.member("info").Member("_postman_id").IsString()
	}, nil},
	{"a collection of Insomnia", exportOpenAPI, func(o *object) bool {
		return o.has("__export_format") || strings.HasPrefix(o.member("type").Text(), "collection.insomnia.rest")
	}, nil},
	{"an OpenRPC document", "put an MCP server before it and import that; a method is {name, description, parameters} to a registry", func(o *object) bool {
		return o.has("openrpc") && o.member("methods").IsArray()
	}, nil},
	{"a model of Smithy", "convert it to OpenAPI 3 (smithy-openapi), which is read", func(o *object) bool { return o.has("smithy") && o.member("shapes").IsObject() }, nil},
	{"an AsyncAPI document", "it describes messages and no operations that a tool could call", func(o *object) bool { return o.has("asyncapi") }, nil},
	{"a GraphQL schema", graphQL, func(o *object) bool {
		return o.has("__schema") || o.member("data").Member("__schema").IsObject()
	}, nil},
	{"the manifest of a ChatGPT plugin", "its tools are the operations of the OpenAPI document at its api.url: save that and import it", func(o *object) bool {
		return o.member("name_for_model").IsString() && o.member("api").IsObject()
	}, nil},
	{"the manifest of an MCP bundle that lists no tools", "its server has them: start it with --stdio", func(o *object) bool {
		return o.has("manifest_version", "dxt_version") && o.member("server").IsObject()
	}, nil},
	{"the entry of a server in the catalogue of Docker", "it says how to run the server; import the tools.json beside it, or the server with --stdio or --http", func(o *object) bool {
		return o.member("name").IsString() && (o.member("image").IsString() || o.member("remote").IsObject()) && o.has("about", "meta", "title", "type")
	}, nil},
	{"the configuration of Smithery", "it says how to start a server and holds no tools: import the server with --stdio", func(o *object) bool {
		return o.member("startCommand").IsObject()
	}, nil},
	{"an agent card (A2A)", "its skills are what an agent offers and no tools with parameters", func(o *object) bool {
		return o.member("skills").IsArray() && o.has("defaultInputModes", "protocolVersion") && o.has("url", "supportedInterfaces")
	}, nil},
	{"the manifest of a plugin of Claude Code", "give the file that its mcpServers names with --mcp-config", func(o *object) bool {
		return o.member("name").IsString() && o.member("mcpServers").IsString()
	}, nil},
	{"a marketplace of plugins", "give the configuration of a plugin's servers with --mcp-config", func(o *object) bool {
		return o.member("plugins").IsArray() && o.member("owner").IsObject()
	}, nil},
	{"the manifest of an extension of Gemini CLI, without MCP servers", withoutServers("mcpServers"), func(o *object) bool {
		return o.member("name").IsString() && o.member("contextFileName").First() != 0
	}, nil},
	{"the configuration of OpenCode, without MCP servers", withoutServers("mcp"), func(o *object) bool {
		return strings.Contains(o.member("$schema").Text(), "opencode.ai")
	}, nil},
	{"the configuration of Crush, without MCP servers", withoutServers("mcp"), func(o *object) bool {
		return strings.Contains(o.member("$schema").Text(), "charm.land/crush")
	}, nil},
	{"the configuration of Continue, without MCP servers", withoutServers("mcpServers"), func(o *object) bool {
		return o.member("models").IsArray() && (o.member("schema").IsString() || o.has("contextProviders", "tabAutocompleteModel"))
	}, nil},
	{"a settings file of Claude Code, without MCP servers", "its servers are in .mcp.json and ~/.claude.json: give one of these with --mcp-config", func(o *object) bool {
		return o.has("enabledMcpjsonServers", "enableAllProjectMcpServers", "enabledPlugins") || o.member("permissions").HoldsArray("allow")
	}, nil},
	{"the configuration of LiteLLM, without MCP servers", withoutServers("mcp_servers"), func(o *object) bool {
		return o.has("litellm_settings", "model_list", "router_settings")
	}, nil},
	{"the configuration of the reference agent or of caliper, without MCP servers", "give it with --config, and the tools with --registry", func(o *object) bool {
		return o.has("platform_toolsets", "tool_search", "toolaria")
	}, nil},
	{"a list of labelled queries", "it goes with eval, tune and the explorer's --queries", func(o *object) bool {
		return o.member("query").IsString() && o.has("relevant", "groups")
	}, nil},
	{"a prompt of Semantic Kernel", "it is one function in words for a model: a dump of the kernel's plugins, with their functions, is read", func(o *object) bool {
		return o.has("execution_settings", "template_format", "template") && o.has("input_variables") || o.has("schema") && o.has("completion", "execution_settings") && o.member("description").IsString()
	}, nil},
	{"a recipe of Goose, without extensions that are servers", withoutServers("extensions"), func(o *object) bool {
		return o.member("title").IsString() && o.has("instructions", "prompt") && o.has("extensions", "activities", "parameters", "version")
	}, nil},
	{"a configuration of Docker Compose", "it says how to run containers and holds no tools: import a server that runs in one with --stdio (docker run -i --rm IMAGE) or --http", func(o *object) bool {
		return everyMember(o.member("services"), func(m jsontree.Member) bool {
			return m.IsObject() && (m.Member("image").First() != 0 || m.Member("build").First() != 0 || m.Member("extends").First() != 0)
		})
	}, nil},
	{"a manifest of Kubernetes", "it says what runs and holds no tools: import the server itself with --http", func(o *object) bool {
		return o.member("apiVersion").IsString() && o.member("kind").IsString() && o.has("metadata")
	}, nil},
	{"a workflow of GitHub Actions", understoodHint, func(o *object) bool {
		return everyMember(o.member("jobs"), func(m jsontree.Member) bool {
			return m.Member("steps").IsArray() || m.Member("uses").IsString()
		})
	}, nil},
	{"a list of calls of Seal-Tools in its old format", "the tool.jsonl of the set has the tools, and the files beside it the queries", func(o *object) bool {
		return o.member("api").IsString() && o.member("parameters").IsObject()
	}, nil},
	{"a Jupyter notebook", understoodHint, func(o *object) bool { return o.has("nbformat") }, nil},
	{"the manifest of a package", understoodHint, func(o *object) bool {
		return o.member("version").IsString() && o.has("dependencies", "devDependencies", "scripts")
	}, nil},
	{"a conversation without tools", "the tools are beside the messages in the request; caliper replay reads the logs of sessions", func(o *object) bool {
		return o.member("messages").IsArray() || o.member("role").IsString() && o.has("content")
	}, nil},
	{"a JSON schema", "a tool is {name, description, parameters}, with the schema as its parameters", func(o *object) bool {
		return o.member("$schema").IsString() && o.has("properties", "$defs", "definitions")
	}, nil},
	{"a description of an API in RAML", "convert it to OpenAPI 3, which is read", nil, words.LazyRegexp(`^` + raml)},
	{"a description of a service in WSDL", "put an MCP server before the service and import that, or convert it to OpenAPI 3", nil, words.LazyRegexp(`<(\w+:)?(definitions|description)\s[^>]*(schemas\.xmlsoap\.org/wsdl|www\.w3\.org/ns/wsdl)`)},
	{"a page of HTML", "it may be what a server said in place of the file: look at it, and save the file itself", nil, words.LazyRegexp(`(?i)^(<!doctype html|<html[\s>])`)},
	{"XML", "no catalogue of tools is written in it: " + exportOpenAPI, nil, words.LazyRegexp(`^<\?xml`)},
	{"a description of services by Protocol Buffers", "convert it to OpenAPI 3 (protoc-gen-openapi), or put an MCP server before the service", nil, words.LazyRegexp(`(?m)^\s*syntax\s*=\s*["']proto[23]["']\s*;`)},
	{"a GraphQL schema", graphQL, nil, words.LazyRegexp(`(?m)^(extend\s+)?(schema\s*(@[^{]*)?\{|(type|interface|input|enum)\s+\w+[^{\n"]*\{|union\s+\w+\s*=|scalar\s+\w+|directive\s+@)`)},
}

// Recognised begins the message about a document that holds no tools and is known.
const Recognised = "this is "

// understoodHint stands for a clause that names the formats.
const understoodHint = ""

// withoutServers tells what to do with a client's configuration without servers under a key.
func withoutServers(key string) string {
	return "list them under " + key + ", or import the servers themselves"
}

// everyMember reports whether v is an object with members, each as it should be.
func everyMember(v jsontree.Value, is func(m jsontree.Member) bool) bool {
	any, all := false, v.IsObject()
	v.Each(func(m jsontree.Member) {
		any = true
		all = all && is(m)
	})
	return any && all
}

// has reports whether an object has a member of one of the names.
func (o *object) has(names ...string) bool {
	for _, name := range names {
		if o.member(name).First() != 0 {
			return true
		}
	}
	return false
}

// recognise remembers what the first known object is that no shape and no form fits.
func (r *reader) recognise(o *object) {
	if r.recognised != nil || r.foreign > 3 {
		return
	}
	for _, s := range strangers {
		if s.is == nil || !s.is(o) {
			continue
		}
		what := s.what
		if version := versionOf(o); version != "" {
			what += " of version " + version
		}
		do := s.do
		if do == understoodHint {
			do = understood()
		}
		f := r.finding("unknown_format", o.At, o.path, Recognised+what+": "+do)
		r.recognised = &f
		return
	}
}

// versionOf returns the version of an OpenAPI document, and "" for anything else.
func versionOf(o *object) string { return o.scalar("openapi", "swagger", "swaggerVersion") }

// scalar returns the first text or number, as written, of some members; "" for none.
func (o *object) scalar(names ...string) string {
	for _, name := range names {
		switch v := o.member(name); v.First() {
		case 0, '{', '[', 'n', 't', 'f':
		case '"':
			return v.Text()
		default:
			return string(v.Raw)
		}
	}
	return ""
}

// raml begins a text of RAML, which reads as YAML.
const raml = "#%RAML"

// exportOpenAPI and graphQL are clauses of what to do with an API that is described in
// another way.
const (
	exportOpenAPI = "export the API as OpenAPI 3, which is read"
	graphQL       = "put an MCP server before it and import that with --stdio or --http"
)

// lookedAt is how much of a text is looked at.
const lookedAt = 64 << 10

// asText returns what a text is that is neither JSON nor a conversation, if that is known.
func asText(t *jsontree.Text) (jsontree.Fault, bool) {
	text := bytes.TrimSpace(t.Data[:min(len(t.Data), lookedAt)])
	if len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return jsontree.Fault{}, false
	}
	for _, s := range strangers {
		if s.text != nil && s.text().Match(text) {
			return jsontree.Fault{At: t.Origin(0), Code: "unknown_format", Message: Recognised + s.what + ": " + s.do}, true
		}
	}
	return jsontree.Fault{}, false
}
