package shapes

import (
	"strings"

	"caliper/model/jsontree"
)

// A source is read in two steps, and each knows its formats from a table. A
// shape is a format of a whole object: where its tools are, or that it has
// none. A form is a format of one entry in an array of tools. A new format is
// one file with a shape or a form, and one line here.

// shape is a format of an object at the top level of a document.
type shape struct {
	match func(o *object) bool
	read  func(r *reader, o *object) error // its error, a finding, rejects the source
}

// form is a format of one tool definition.
type form struct {
	name  string // as in Registry.Shape
	under string // member of the entry that holds name and description; "" for the entry itself
	match func(e *entry) bool
	read  func(r *reader, f *form, e *entry) error // its error, a finding, rejects the source
}

// path returns the place of the entry of an index in the array at prefix, or alone there, or of
// its member.
func (f *form) path(prefix string, index int, member string) string {
	path := prefix
	if index >= 0 {
		path = jsontree.JoinIndex(path, index)
	}
	if member == "" {
		return path
	}
	if f.under != "" {
		path = jsontree.JoinName(path, f.under)
	}
	return jsontree.JoinName(path, member)
}

// shapes holds every shape; the first that matches counts. init fills it because some lead back to
// the reader.
var shapes []shape

// forms holds every form; the first that matches reads the entry.
var forms []*form

// lineForms are the forms that may stand alone in a line.
var lineForms []*form

func init() {
	lineForms = []*form{bfclEntry, bfclConversation, bfclAnswer, xlamEntry, glaiveEntry, sharedChatEntry, sealConversation, toolBenchEntry, sealTool, sealQuery, liveMCPTask, metaToolQuery, ultraToolEntry, chatEntry, dockerEntry, kernelEntry, pluginManifest}
	shapes = []shape{
		bundleManifest, toolboxFile, hermesDump, openAPIDocument, discoveryDocument, jsonRPCError, jsonRPCResult, jsonRPCCall, mcpInitialize,
		legacyFunctions, geminiTools, bedrockRequest, dockerCatalogue, editorTools, liteLLMTools, clientConfig, loneEntry, dataSetLine, wrappedRequest, conversation, serverMap, keyedListing, pluginDescriptions,
	}
	forms = []*form{
		bfclFunction, xlamEntry, ultraToolEntry, hermesEntry, bfclEntry, openAIEntry, bedrockEntry, geminiEntry, namespaceEntry, pinnedToolset, serverEntry, toolsetListing, pageEntry, utilityEntry,
		anthropicEntry, mcpEntry, geminiDeclaration,
		bfclConversation, bfclAnswer, glaiveEntry, sharedChatEntry, sealConversation, toolBenchEntry, sealTool, sealQuery, liveMCPEntry, liveMCPTask, metaToolQuery,
		chatEntry, dockerEntry, langChainEntry, kernelEntry, pluginManifest, smolEntry, cohereEntry, openWebUIEntry,
		flatFunction, freeText, freeTextChat, hostedEntry,
	}
}

// formats names what can be read, for errors.
var formats = []string{
	"a registry dump (toolsets and tools, or one definition a line)",
	"the tools of a request to OpenAI, Anthropic, Gemini or Bedrock",
	"MCP tools/list results (one, its pages, a log, an event stream, or one for each server)",
	"OpenAPI 3 and Swagger 2, and discovery documents of Google",
	"the catalogue of Docker, MCP bundles and the MCP Toolbox, extensions of VS Code, dumps of LangChain, Semantic Kernel, smolagents and Open WebUI, and data sets (BFCL, xLAM, glaive, ToolBench, Seal-Tools, LiveMCPBench, MetaTool, UltraTool)",
	"<tools> in the text of conversations",
}

// understood returns a clause that names the formats.
func understood() string { return "understood are: " + strings.Join(formats, "; ") }
