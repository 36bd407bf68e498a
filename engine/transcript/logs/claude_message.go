package logs

import (
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// message has what counts of a message, as it is written: the last where a name repeats.
type message struct {
	model, id, usage jsontree.Value
	text             jsontree.Value // the content where it is a text
	blocks           []block        // the content where it is an array
}

// block is one of the blocks of a message.
type block struct {
	kind, text, id, name, input, of, fault, content jsontree.Value
}

// clear makes a message as new, with the memory that it has where that is little.
func (m *message) clear() {
	blocks := m.blocks[:0]
	if cap(blocks) > mostBlocks {
		blocks = nil
	}
	*m = message{blocks: blocks}
}

// mostBlocks is how many blocks a message leaves its memory to the next one.
const mostBlocks = 64

// read reads a message.
func (m *message) read(w *jsontree.Walker) bool {
	return w.Object(func(name []byte) bool {
		if string(name) == "content" {
			m.text, m.blocks = jsontree.Value{}, m.blocks[:0]
			if w.Next() == '[' {
				return w.Array(func() bool {
					var b block
					if w.Next() != '{' {
						_, ok := w.Value()
						return ok
					}
					read := w.Object(func(name []byte) bool {
						v, ok := w.Value()
						switch string(name) {
						case "type":
							b.kind = v
						case "text":
							b.text = v
						case "id":
							b.id = v
						case "name":
							b.name = v
						case "input":
							b.input = v
						case "tool_use_id":
							b.of = v
						case "is_error":
							b.fault = v
						case "content":
							b.content = v
						}
						return ok
					})
					switch b.kind.Shared() {
					case "text", "tool_use", "tool_result": // a line of 64 MB may have 20 million others
						m.blocks = append(m.blocks, b)
					}
					return read
				})
			}
		}
		v, ok := w.Value()
		if !ok {
			return false
		}
		switch string(name) {
		case "model":
			m.model = v
		case "id":
			m.id = v
		case "usage":
			m.usage = v
		case "content":
			m.text = v
		}
		return true
	})
}

// measure returns the size of a text.
func measure(v jsontree.Value, c transcript.Class, count transcript.Counter) (s transcript.Size) {
	if count != nil {
		return transcript.Measure(v.Text(), c, count)
	}
	s.Chars[c] = v.Chars()
	return s
}

// readUser reads a message of the user's role: results of calls, and text.
func (l *claudeLine) readUser(m *message, count transcript.Counter, names *transcript.Names) {
	var said []string
	if m.text.IsString() {
		said = append(said, m.text.Text())
	}
	for _, b := range m.blocks {
		switch b.kind.Shared() {
		case "tool_result":
			r := claudeResult{Call: b.of.Text(), Failed: string(b.fault.Raw) == "true"}
			if b.content.IsString() {
				r.Size = measure(b.content, transcript.Output, count)
				r.Nothing = strings.HasPrefix(b.content.Shared(), nothingFound)
			}
			for part := range b.content.All() {
				var kind, text, tool jsontree.Value
				part.Visit(func(name []byte, v jsontree.Value) {
					switch string(name) {
					case "type":
						kind = v
					case "text":
						text = v
					case "tool_name":
						tool = v
					}
				})
				switch kind.Shared() {
				case "text":
					r.Size = r.Size.Add(measure(text, transcript.Output, count))
					r.Nothing = r.Nothing || strings.HasPrefix(text.Shared(), nothingFound)
				case "tool_reference":
					r.References = append(r.References, names.Of(tool))
				}
			}
			l.Results = append(l.Results, r)
		case "text":
			said = append(said, b.text.Text())
		}
	}
	if l.Said = len(said) > 0; !l.Said {
		return
	}
	text := strings.Join(said, "\n")
	l.Size = transcript.Measure(text, transcript.Prose, count)
	markup := slices.ContainsFunc([]string{"<command-", "<local-command-", "<bash-", "<system-reminder>", "<task-notification>", "[Request interrupted"},
		func(tag string) bool { return strings.HasPrefix(strings.TrimSpace(text), tag) })
	if !l.Summarises && !markup { // which the program wrote
		l.Words = text
	}
}

// readAnswer reads a message of the model: one of its blocks, or several.
func (l *claudeLine) readAnswer(m *message, count transcript.Counter, names *transcript.Names) {
	l.Model, l.ID, l.Usage = names.Of(m.model), m.id.Text(), usage(m.usage)
	if l.Model == synthetic {
		return
	}
	if m.text.IsString() {
		l.Size = measure(m.text, transcript.Prose, count)
	}
	for _, b := range m.blocks {
		switch b.kind.Shared() {
		case "text":
			l.Size = l.Size.Add(measure(b.text, transcript.Prose, count))
		case "tool_use":
			c := transcript.Call{ID: b.id.Text(), Tool: names.Of(b.name)}
			c.Size = transcript.Measure(c.Tool+string(jsontree.Compact(b.input.Raw)), transcript.Schema, count)
			if c.Tool == claudeSearchTool {
				query := b.input.Member("query").Text()
				if selected, by := strings.CutPrefix(query, "select:"); by {
					c.Kind = transcript.Describe
					c.Ask(transcript.Lookup{Names: strings.Split(selected, ",")})
				} else {
					c.Kind = transcript.Search
					c.Ask(transcript.Lookup{Queries: []string{query}})
				}
			}
			l.Calls = append(l.Calls, c)
		}
	}
}

// claudeSearchTool is the tool that finds those which are deferred.
const claudeSearchTool = "ToolSearch"

// nothingFound begins the answer of a search that found no tool.
const nothingFound = "No matching deferred tools found"
