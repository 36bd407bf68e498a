package logs

import (
	"bytes"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// offers is the part of a line about the tools that requests send. Version 2.1.332 logs
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
	Names       []string // of tools that are deferred
	Definitions [][]byte
	Loaded      []string
	Shape       string // the hash
	Request     string // the id
}

// attached reads an attachment.
func (o *offers) attached(v jsontree.Value, names *transcript.Names) {
	o.Names, o.Definitions = nil, nil
	switch v.Member("type").Shared() {
	case "deferred_tools_delta":
		for name := range v.Member("addedNames").All() {
			o.Names = append(o.Names, names.Of(name))
		}
	case "deferred_tools_record":
		o.Definitions = definitions(v.Member("entries"))
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
		return offers{Names: o.Names, Definitions: o.Definitions}
	case "system":
		return offers{Names: o.Names, Loaded: o.Loaded}
	case "assistant":
		return offers{Request: o.Request}
	case "api-request":
		return offers{Request: o.Request, Shape: o.Shape}
	case "api-request-shape":
		return offers{Definitions: o.Definitions, Shape: o.Shape}
	}
	return offers{}
}

// sending is the requests in the logs of a home. Sessions share definitions, which take
// as many bytes as everything else that is kept of them.
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
	if _, known := s.shapes[o.Shape]; !known {
		s.shapes[o.Shape] = transcript.ToolArray{Definitions: s.shared(o.Definitions)}
	}
}

// request takes a line that says which shape a request sent.
func (s *sending) request(o offers) {
	if s.requests == nil {
		s.requests = map[key]string{}
	}
	s.requests[keyOf(o.Request)] = o.Shape
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
func (s *claudeSession) array(r *ClaudeReader, request string) int {
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
func (s *claudeSession) list(r *ClaudeReader, o offers) {
	if len(o.Names)+len(o.Definitions) == 0 {
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
	for _, name := range o.Names {
		at(name)
	}
	for _, d := range r.sending.shared(o.Definitions) {
		at(jsontree.Value{Raw: d}.Member("name").Text()).Definition = d
	}
}
