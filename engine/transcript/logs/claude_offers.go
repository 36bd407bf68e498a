package logs

import (
	"bytes"
	"maps"

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
	Names, Gone []string // of tools that are deferred, and no longer there
	Definitions [][]byte
	Loaded      []string
	Shape       string // the hash
	Request     string // the id
	System      string // of a shape: the system prompt, as a setting
	Settings    map[string]string
}

// attached reads an attachment.
func (o *offers) attached(v jsontree.Value, names *transcript.Names) {
	o.Names, o.Gone, o.Definitions = nil, nil, nil
	switch v.Member("type").Shared() {
	case "deferred_tools_delta":
		for name := range v.Member("addedNames").All() {
			o.Names = append(o.Names, names.Of(name))
		}
		for name := range v.Member("removedNames").All() {
			o.Gone = append(o.Gone, names.Of(name))
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

// shared returns definitions in the memory of equal ones, which take as many bytes as everything
// else that is kept of sessions.
func (r *ClaudeReader) shared(list [][]byte) [][]byte {
	for i, d := range list {
		known, ok := r.definitions[string(d)]
		if !ok {
			known, r.definitions[string(d)] = d, d
		}
		list[i] = known
	}
	return list
}

// array returns the index, in the session, of the tools array that a request sent; None where
// the log does not say.
func (s *claudeSession) array(r *ClaudeReader, request string) int {
	hash := r.requests[keyOf(request)].Shape
	i, known := s.arrays[hash]
	if known {
		return i
	}
	shape, ok := r.shapes[hash]
	if !ok || request == "" {
		return transcript.None
	}
	if s.arrays == nil {
		s.arrays = map[string]int{}
	}
	s.arrays[hash], s.Arrays = len(s.Arrays), append(s.Arrays, transcript.ToolArray{Definitions: shape.Definitions})
	return s.arrays[hash]
}

// set returns the number of the settings of a request: those of its line, of the prompt that it
// sent, and of its answer.
func (s *claudeSession) set(r *ClaudeReader, answer offers) (number int) {
	values := map[string]string{}
	if request := r.requests[keyOf(answer.Request)]; answer.Request != "" {
		if system := r.shapes[request.Shape].System; system != "" {
			values["system"] = system
		}
		maps.Copy(values, request.Settings)
	}
	maps.Copy(values, answer.Settings)
	s.Settings, number = transcript.AddSettings(s.Settings, transcript.SettingsOf(values))
	return number
}

// settings returns the parameters of a request that stand in its prompt.
func settings(params jsontree.Value) map[string]string {
	values := map[string]string{}
	params.Visit(func(name []byte, v jsontree.Value) {
		switch n := string(name); n {
		case "model", "max_tokens", "metadata", "stream", "temperature":
		default:
			values[n] = transcript.SettingOf(v.Raw)
		}
	})
	return values
}

// set sets one setting.
func (o *offers) set(name string, v jsontree.Value) {
	if v.IsString() {
		if o.Settings == nil {
			o.Settings = map[string]string{}
		}
		o.Settings[name] = v.Text()
	}
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
	for _, d := range r.shared(o.Definitions) {
		at(jsontree.Value{Raw: d}.Member("name").Text()).Definition = d
	}
}
