package claude

import (
	"bytes"

	"caliper/engine/transcript"
	"caliper/engine/transcript/lines"
	"caliper/model/jsontree"
)

// offers is what a line says of the tools that requests send. Version 2.1.332 logs
//
//	an attachment deferred_tools_delta    the names of all tools that are deferred
//	an attachment deferred_tools_record   the definitions of those that a search found
//	compactMetadata of a compaction       the names of those that stay loaded after it
//	api-request-shape                     a tools array, under a hash of it and the system prompt
//	api-request                           which of these a request sent; its answer has the id
//	                                      of that line as requestRef
//
// A tools array has the tools that are never deferred, and the found ones with defer_loading.
type offers struct {
	names       []string // of tools that are deferred
	definitions [][]byte
	loaded      []string
	shape       string // the hash
	request     string // the id
}

// attached reads an attachment.
func (o *offers) attached(v jsontree.Value, names *lines.Names) {
	o.names, o.definitions = nil, nil
	switch v.Member("type").Shared() {
	case "deferred_tools_delta":
		for name := range v.Member("addedNames").All() {
			o.names = append(o.names, names.Of(name))
		}
	case "deferred_tools_record":
		o.definitions = definitions(v.Member("entries"))
	}
}

// definitions returns the definitions of a tools array.
func definitions(tools jsontree.Value) (list [][]byte) {
	for t := range tools.All() {
		if name := t.Member("name").Shared(); name != "" && name != placeholder {
			list = append(list, bytes.Clone(jsontree.Compact(t.Raw)))
		}
	}
	return list
}

// placeholder is a definition that holds the place of deferred tools while none is found.
const placeholder = "DeferredToolPlaceholder"

// of returns what a line of a kind can say; other lines have members of the same names.
func (o offers) of(kind string) offers {
	switch kind {
	case "attachment":
		return offers{names: o.names, definitions: o.definitions}
	case "system":
		return offers{names: o.names, loaded: o.loaded}
	case "assistant":
		return offers{request: o.request}
	case "api-request":
		return offers{request: o.request, shape: o.shape}
	case "api-request-shape":
		return offers{definitions: o.definitions, shape: o.shape}
	}
	return offers{}
}

// some reports whether there is anything.
func (o *offers) some() bool {
	return o.names != nil || o.definitions != nil || o.loaded != nil || o.shape != "" || o.request != ""
}

// sending is what the logs of a home say of requests. Sessions share definitions, of which
// there are as many bytes as of everything else that is kept of them.
type sending struct {
	definitions map[string][]byte
	shapes      map[string]transcript.ToolArray // by their hash
	requests    map[key]string                  // the hash of the shape that each sent
}

// shape takes a line with a tools array.
func (s *sending) shape(o offers) {
	if s.shapes == nil {
		s.shapes = map[string]transcript.ToolArray{}
	}
	if _, known := s.shapes[o.shape]; !known {
		s.shapes[o.shape] = transcript.ToolArray{Definitions: s.shared(o.definitions)}
	}
}

// request takes a line that says which shape a request sent.
func (s *sending) request(o offers) {
	if s.requests == nil {
		s.requests = map[key]string{}
	}
	s.requests[keyOf(o.request)] = o.shape
}

// shared returns definitions in the memory of equal ones.
func (s *sending) shared(list [][]byte) [][]byte {
	if s.definitions == nil {
		s.definitions = map[string][]byte{}
	}
	for i, d := range list {
		known, ok := s.definitions[string(d)]
		if !ok {
			known, s.definitions[string(d)] = d, d
		}
		list[i] = known
	}
	return list
}

// array returns the index, in the session, of the tools array that a request sent; None where
// the log does not say.
func (s *session) array(r *Reader, request string) int {
	hash := r.sending.requests[keyOf(request)]
	i, known := s.arrays[hash]
	if known {
		return i
	}
	a, ok := r.sending.shapes[hash]
	if !ok || request == "" {
		return transcript.None
	}
	if s.arrays == nil {
		s.arrays = map[string]int{}
	}
	s.arrays[hash], s.Arrays = len(s.Arrays), append(s.Arrays, a)
	return s.arrays[hash]
}

// list takes what a line says of deferred tools.
func (s *session) list(r *Reader, o offers) {
	if len(o.names)+len(o.definitions) == 0 {
		return
	}
	if s.listed == nil {
		s.listed = map[string]int{}
	}
	at := func(name string) *transcript.Listed {
		i, known := s.listed[name]
		if !known {
			i = len(s.Listed)
			s.listed[name], s.Listed = i, append(s.Listed, transcript.Listed{Name: name})
		}
		return &s.Listed[i]
	}
	for _, name := range o.names {
		at(name)
	}
	for _, d := range r.sending.shared(o.definitions) {
		at(jsontree.Value{Raw: d}.Member("name").Text()).Definition = d
	}
}
