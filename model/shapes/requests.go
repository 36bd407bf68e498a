package shapes

import (
	"bytes"
	"errors"
	"slices"

	"caliper/model"
	"caliper/model/jsontree"
)

// Logs of proxies, batches and sockets have a request to a model in other members:
//
//	{"custom_id","method","url","body":{...}}            a batch of OpenAI
//	{"requests":[{"custom_id","params":{...}}]}          one of Anthropic
//	{"key","request":{...}}, {"recordId","modelInput"}   those of Gemini and Bedrock
//	{"request":{"body":{...}}}                           a proxy
//	{"type":"session.update","session":{...}}, {"setup"} what is sent to realtime models
//
// It is found by what it holds, not by the names around it.

// wrappedRequest is an object with requests in it.
var wrappedRequest = shape{
	match: func(o *object) bool {
		return eachRequest(o.Value, "", maxAround, func(jsontree.Value, string) error { return errFound }) != nil
	},
	read: func(r *reader, o *object) error {
		if err := eachRequest(o.Value, o.path, maxAround, r.within); err != nil {
			return err
		}
		return r.readCarried(o.Value, o.path, maxCarried) // of the answer too
	},
}

// maxAround is how many objects a request may stand in.
const maxAround = 3

// errFound ends a search.
var errFound = errors.New("found")

// eachRequest calls found for each request in v and its path, until the first error.
func eachRequest(v jsontree.Value, path string, left int, found func(v jsontree.Value, path string) error) (err error) {
	look := func(v jsontree.Value, path string) {
		switch {
		case err != nil || !v.IsObject():
		case isRequest(v):
			err = found(v, path)
		case left > 1:
			err = eachRequest(v, path, left-1, found)
		}
	}
	v.Each(func(m jsontree.Member) {
		at := jsontree.JoinName(path, m.Name)
		if m.IsArray() && (m.Name == "requests" || m.Name == "data") {
			for i, e := range m.Elements() {
				look(e, jsontree.JoinIndex(at, i))
			}
			return
		}
		look(m.Value, at)
	})
	return err
}

// isRequest reports whether v is a request to a model with tools, or a conversation's setting.
// What an MCP server lists has none of the other members.
func isRequest(v jsontree.Value) bool {
	tools, request := false, false
	v.Each(func(m jsontree.Member) {
		switch m.Name {
		case "tools", "functions":
			tools = tools || m.IsArray()
		case "toolConfig":
			tools = tools || m.HoldsArray("tools")
		case "messages", "contents":
			request = request || m.IsArray()
		case "input", "model", "modelId", "anthropic_version":
			request = true
		case "type":
			request = request || m.Text() == "realtime"
		}
	})
	return tools && request
}

// joinRequests leaves out the tools of a log of requests that an earlier request has alike, as
// each sends them all again, and what a conversation carries where a request has it deferred.
func (r *reader) joinRequests() {
	if r.requests < 2 && !slices.ContainsFunc(r.found, func(f found) bool { return f.carried }) {
		return
	}
	last := map[string][]*model.Tool{}
	r.found = slices.DeleteFunc(r.found, func(f found) bool {
		t := f.tool
		if slices.ContainsFunc(last[t.Name], func(o *model.Tool) bool {
			return t.Description == o.Description && bytes.Equal(t.Parameters, o.Parameters) &&
				(f.carried && (t.Toolset == o.Toolset || t.Toolset == "" || o.Toolset == "") ||
					r.requests > 1 && t.Toolset == o.Toolset && t.Server == o.Server && t.Deferred == o.Deferred)
		}) {
			return true
		}
		last[t.Name] = append(last[t.Name], t)
		return false
	})
}
