package shapes

import (
	"bytes"
	"regexp"

	"caliper/model/jsontree"
	"caliper/model/words"
)

// textStranger is a format of text, neither JSON nor YAML, that is known and not read.
type textStranger struct {
	what, do string // as of stranger
	begins   string // what the text begins with; "" for what pattern says
	pattern  func() *regexp.Regexp
}

// raml begins a text of RAML, which reads as YAML.
const raml = "#%RAML"

// textStrangers holds every such format; the first that a text is names it.
var textStrangers = []textStranger{
	{"a description of an API in RAML", "convert it to OpenAPI 3, which is read", raml, nil},
	{"a description of a service in WSDL", "put an MCP server before the service and import that, or convert it to OpenAPI 3", "", words.LazyRegexp(`<(\w+:)?(definitions|description)\s[^>]*(schemas\.xmlsoap\.org/wsdl|www\.w3\.org/ns/wsdl)`)},
	{"a page of HTML", "it may be what a server said in place of the file: look at it, and save the file itself", "", words.LazyRegexp(`(?i)^(<!doctype html|<html[\s>])`)},
	{"XML", "no catalogue of tools is written in it: " + exportOpenAPI, "<?xml", nil},
	{"a description of services by Protocol Buffers", "convert it to OpenAPI 3 (protoc-gen-openapi), or put an MCP server before the service", "", words.LazyRegexp(`(?m)^\s*syntax\s*=\s*["']proto[23]["']\s*;`)},
	{"a GraphQL schema", graphQL, "", words.LazyRegexp(`(?m)^(extend\s+)?(schema\s*(@[^{]*)?\{|(type|interface|input|enum)\s+\w+[^{\n"]*\{|union\s+\w+\s*=|scalar\s+\w+|directive\s+@)`)},
}

// exportOpenAPI and graphQL are clauses of what to do with an API that is described in
// another way.
const (
	exportOpenAPI = "export the API as OpenAPI 3, which is read"
	graphQL       = "put an MCP server before it and import that with --stdio or --http"
)

// lookedAt is how much of a text is looked at.
const lookedAt = 64 << 10

// asText returns what a text is that is neither JSON nor a conversation with tools, if that
// is known.
func asText(t *jsontree.Text) (jsontree.Fault, bool) {
	text := bytes.TrimSpace(t.Data[:min(len(t.Data), lookedAt)])
	if len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return jsontree.Fault{}, false
	}
	for _, s := range textStrangers {
		if s.begins != "" && bytes.HasPrefix(text, []byte(s.begins)) || s.pattern != nil && s.pattern().Match(text) {
			return jsontree.Fault{At: t.Origin(0), Code: "unknown_format", Message: Recognised + s.what + ": " + s.do}, true
		}
	}
	return jsontree.Fault{}, false
}
