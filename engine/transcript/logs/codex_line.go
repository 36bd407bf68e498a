package logs

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// what is the meaning of a line.
type what int

const (
	nothing      what = iota // reasoning, an event that mirrors something
	leftOut                  // counted under line.name, unless it has settings
	head                     // of a session: id, origin, and the size of the instructions
	model                    // line.name
	codexAnswers             // a message of the model
	codexAsks                // a message of the user's role
	instructs                // a message of any other role
	calls
	returns   // the result of a call
	userSays  // the user's words
	pays      // usage of a request
	mirrors   // an event with a call of a server's tool and its result
	ends      // the older event of the same, whose result counts only if the call stands nowhere else
	compacts  // what replaces the history
	begins    // a turn: what the model says next is another answer
	defers    // leftOut, but it names tools that are deferred
	prints    // codex exec --json: the session, line.name
	sums      // codex exec --json: usage of the session so far
	whatCount // how many there are
)

// codexLine is the facts of one line of a rollout. Its texts are copies.
type codexLine struct {
	What what
	Time time.Time // zero: the line has none
	// name is a model, a kind of line that is left out, or the id of a session or of the call
	// whose result this is.
	Name   string
	Origin origin
	Says   codexSaid
	Call   transcript.Call
	Failed bool
	// searches: a script asks for tools, which its call has as a search's.
	Searches bool
	Hits     []string // of the result of a search, the tools that it found; of other results, names in them
	Lists    bool     // it is the result of a search, with no other text
	// Definitions are the definitions of Hits, where the result has them.
	Definitions [][]byte
	Usage       transcript.Usage
	Sum         [2]int            // of all input and output so far
	Number      int               // the line's ordinal in its session, from 0; 0 in logs that count no lines
	Sizes       []transcript.Size // of what replaces the history
	Settings    map[string]string // of the requests from here on; a tool with gone is no more
	All         bool              // there are no other tools
}

// gone is the value of a tool that a line takes away.
const gone = "null"

// codexSaid is a text.
type codexSaid struct {
	Size   transcript.Size
	Digest string // of the text; "" for the empty one
	Words  string // the text where it is the user's
}

// codexParser makes lines of their JSON.
type codexParser struct {
	count   transcript.Counter
	names   *transcript.Names
	payload fields // room for one
}

// measure returns the size of a text.
func (p *codexParser) measure(text string, c transcript.Class) transcript.Size {
	return transcript.Measure(text, c, p.count)
}

// sizeOf returns the size of what said returns, or of what comes before it where nothing
// needs the text.
func (p *codexParser) sizeOf(content jsontree.Value, c transcript.Class) (s transcript.Size) {
	if p.count != nil {
		return p.measure(p.said(content), c)
	}
	if content.IsString() {
		s.Chars[c] = content.Chars()
		return s
	}
	parts := 0
	for part := range content.All() {
		if n := part.Member("text").Chars(); n > 0 {
			s.Chars[c] += n
			parts++
		}
	}
	s.Chars[c] += max(0, parts-1) // line ends between them
	return s
}

// imageMark begins the line that Codex writes in front of an image in a message.
const imageMark = "<image"

// asked returns a content that may be the user's words: by its digest it is
// known again.
func (p *codexParser) asked(content jsontree.Value) codexSaid {
	text := p.said(content)
	s := codexSaid{Size: p.measure(text, transcript.Prose)}
	if strings.HasPrefix(text, imageMark) || strings.Contains(text, "\n"+imageMark) { // the event of the same words has none
		lines := strings.Split(text, "\n")
		text = strings.Join(slices.DeleteFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, imageMark) && strings.HasSuffix(l, ">") || l == "</image>"
		}), "\n")
	}
	if text != "" {
		digest := sha256.Sum256([]byte(text))
		s.Digest, s.Words = string(digest[:16]), strings.Clone(text)
	}
	return s
}

// parse reads a line; ok is false when it is no JSON object.
func (p *codexParser) parse(data []byte) (l codexLine, ok bool) {
	var kind string
	if p.payload == nil {
		p.payload = fields{}
	}
	v, found := p.payload, false
	clear(v)
	w := jsontree.Walk(data)
	if w.Next() != '{' {
		return l, false
	}
	if !w.Object(func(name []byte) bool {
		if string(name) == "payload" {
			clear(v)
			if found = w.Next() == '{'; found {
				return v.read(w, codexFields)
			}
		}
		m, ok := w.Value()
		if !ok {
			return false
		}
		switch string(name) {
		case "type":
			kind = p.names.Of(m)
		case "timestamp":
			l.Time = time.Time{}
			if when, err := time.Parse(time.RFC3339Nano, m.Shared()); err == nil {
				l.Time = when.UTC()
			}
		case "ordinal":
			l.Number = number(m)
		}
		return true
	}) {
		return l, false
	}
	if !found { // the oldest files, and codex exec --json
		v = fieldsOf(jsontree.Value{Raw: data})
		if strings.Contains(kind, ".") {
			p.printed(&l, v, kind)
			return l, true
		}
		kind = "response_item"
		if v["type"].Text() == "" && v["id"].Text() != "" {
			kind = "session_meta"
		}
	}
	switch kind {
	case "session_meta":
		l.What, l.Name, l.Origin = head, v["id"].Text(), originIn(jsontree.Value{Raw: data})
		if says := v["base_instructions"].Member("text").Text() + v["instructions"].Text(); says != "" {
			l.Sizes = []transcript.Size{p.measure(says, transcript.Prose)}
		}
	case "turn_context":
		l.What, l.Name = model, p.names.Of(v["model"])
		l.Settings = map[string]string{}
		for name, v := range map[string]jsontree.Value{"effort": v["effort"], "summary": v["summary"], "personality": v["personality"], "service_tier": v["service_tier"]} {
			if v.IsString() {
				l.Settings[name] = v.Text()
			}
		}
	case "response_item":
		p.item(&l, v)
	case "event_msg":
		p.event(&l, v)
	case "compacted":
		p.compacted(&l, v)
	case "token_usage_record":
		l.pay(v["usage"], v["thread_token_usage"])
	case "world_state":
		l.leave(kind)
		l.Settings, l.All = map[string]string{}, string(v["full"].Raw) == "true"
		v["state"].Visit(func(name []byte, list jsontree.Value) {
			if string(name) == "tools" || string(name) == "top_level_tools" {
				list.Visit(func(tool []byte, v jsontree.Value) {
					called := string(tool)
					if strings.HasPrefix(called, "mcp__") { // as its calls name it
						called = strings.Replace(called, ".", "__", 1)
					}
					l.Settings[transcript.ToolSetting+called] = transcript.SettingOf(v.Raw)
					if string(name) == "tools" {
						l.What = defers
					}
				})
			}
		})
	case "":
		l.leave("unknown")
	default:
		l.leave(kind)
	}
	return l, true
}

// leave makes of a line one that is left out.
func (l *codexLine) leave(name string) { l.What, l.Name = leftOut, name }

// item reads what the model saw or said.
func (p *codexParser) item(l *codexLine, v fields) {
	switch kind := p.names.Of(v["type"]); kind {
	case "message":
		switch v["role"].Shared() {
		case "assistant":
			l.What, l.Says.Size = codexAnswers, p.sizeOf(v["content"], transcript.Prose)
		case "user":
			l.What, l.Says = codexAsks, p.asked(v["content"])
			if says := l.Says.Words; strings.HasPrefix(says, "<") || strings.HasPrefix(says, "# AGENTS.md") {
				l.Says.Words = "" // context of the agent's
			}
		default:
			l.What, l.Says.Size = instructs, p.sizeOf(v["content"], transcript.Prose)
		}
	case "agent_message": // of another agent of the session, the task of a helper among them
		l.What, l.Says.Size = codexAsks, p.sizeOf(v["content"], transcript.Prose)
	case "reasoning", "additional_tools": // tools that are sent belong to the residual
	case "function_call":
		name := p.names.Of(v["name"])
		if space := v["namespace"].Text(); space != "" {
			name = strings.TrimSuffix(space, "__") + "__" + name // as some versions end it
		}
		p.makes(l, v, name, p.text(v["arguments"]))
	case "custom_tool_call":
		p.makes(l, v, p.names.Of(v["name"]), p.text(v["input"]))
		if l.Call.Tool == scriptTool {
			script(l, v["input"].Shared())
		}
	case "local_shell_call":
		p.makes(l, v, "local_shell", string(jsontree.Compact(v["action"].Raw)))
	case "tool_search_call":
		p.search(l, v)
	case "tool_search_output":
		l.returned(v["call_id"].Text(), p.measure(string(jsontree.Compact(v["tools"].Raw)), transcript.Schema), false)
		// A definition of a namespace has its name before its own, and is a namespace of that tool alone.
		for t := range v["tools"].All() {
			name := t.Member("name").Text()
			inner := t.Member("tools")
			quoted, _ := jsontext.AppendQuote(nil, name)
			for inside := range inner.All() {
				l.Hits = append(l.Hits, strings.TrimSuffix(name, "__")+"__"+inside.Member("name").Text())
				l.Definitions = append(l.Definitions, fmt.Appendf(nil, `{"type":"namespace","name":%s,"tools":[%s]}`, quoted, jsontree.Compact(inside.Raw)))
			}
			if !inner.IsArray() {
				l.Hits, l.Definitions = append(l.Hits, name), append(l.Definitions, bytes.Clone(jsontree.Compact(t.Raw)))
			}
		}
		l.Lists = v["tools"].IsArray()
	case "function_call_output":
		size, failed := p.output(v["output"])
		l.returned(v["call_id"].Text(), size, failed)
	case "custom_tool_call_output":
		size, failed := p.output(v["output"])
		l.returned(v["call_id"].Text(), size, failed)
		for _, name := range serverTool().FindAllString(p.said(v["output"]), mostListed) { // in the output of a script
			if !slices.Contains(l.Hits, name) {
				l.Hits = append(l.Hits, strings.Clone(name))
			}
		}
	case "":
		l.leave("unknown")
	default:
		l.leave(kind)
	}
}

// makes reads a call of a tool.
func (p *codexParser) makes(l *codexLine, v fields, name, arguments string) {
	l.What, l.Call = calls, transcript.Call{ID: v["call_id"].Text(), Tool: name, Size: p.measure(name+arguments, transcript.Schema)}
}

// returned makes of a line the result of a call.
func (l *codexLine) returned(id string, size transcript.Size, failed bool) {
	l.What, l.Name, l.Says.Size, l.Failed = returns, id, size, failed
}

// search reads a search for tools: by words, or by paths.
func (p *codexParser) search(l *codexLine, v fields) {
	args := v["arguments"]
	if args.IsString() {
		inner := []byte(args.Text())
		args = jsontree.Value{}
		if jsontree.Members(inner, func(string, []byte) {}) {
			args.Raw = bytes.TrimSpace(inner)
		}
	}
	p.makes(l, v, "tool_search", string(jsontree.Compact(args.Raw)))
	l.Call.Kind = transcript.Search
	if query := args.Member("query").Text(); query != "" {
		l.Call.Ask(transcript.Lookup{Queries: []string{query}})
		return
	}
	l.Call.Kind = transcript.Describe
	var asked transcript.Lookup
	for path := range args.Member("paths").All() {
		asked.Names = append(asked.Names, path.Text())
	}
	l.Call.Ask(asked)
}

// event reads an event: a mirror of what the model saw, the user's words, or usage.
func (p *codexParser) event(l *codexLine, v fields) {
	switch v["type"].Shared() {
	case "user_message":
		l.What, l.Says = userSays, p.asked(v["message"])
	case "task_started":
		l.What = begins
	case "token_count":
		var last, total jsontree.Value
		v["info"].Visit(func(name []byte, v jsontree.Value) {
			switch string(name) {
			case "last_token_usage":
				last = v
			case "total_token_usage":
				total = v
			}
		})
		l.pay(last, total)
	case "mcp_tool_call_end":
		result := v["result"]
		failed := result.Member("Err").First() != 0 || string(result.Member("Ok", "isError").Raw) == "true"
		size := p.sizeOf(result.Member("Ok", "content"), transcript.Output)
		if says := result.Member("Err"); says.IsString() {
			size = size.Add(p.sizeOf(says, transcript.Output))
		}
		called := fieldsOf(v["invocation"])
		p.mirror(l, ends, v["call_id"].Text(), called, size, failed)
	case "item_completed":
		item := fieldsOf(v["item"])
		switch item["type"].Text() {
		case "UserMessage":
			l.What, l.Says = userSays, p.asked(item["content"])
		case "McpToolCall":
			failed := item["status"].Text() == "failed" || item["error"].IsObject()
			p.mirror(l, mirrors, item["id"].Text(), item, p.sizeOf(item["result"].Member("content"), transcript.Output), failed)
		}
	}
}

// mirror reads a call that an event tells of, with its result.
func (p *codexParser) mirror(l *codexLine, as what, id string, v fields, size transcript.Size, failed bool) {
	name := "mcp__" + v["server"].Text() + "__" + v["tool"].Text()
	arguments := string(jsontree.Compact(v["arguments"].Raw))
	l.Call = transcript.Call{ID: id, Tool: name, Size: p.measure(name+arguments, transcript.Schema)}
	l.What, l.Says.Size, l.Failed = as, size, failed
}

// pay reads the usage of a request with the running sum.
func (l *codexLine) pay(last, total jsontree.Value) {
	if !last.IsObject() {
		return
	}
	l.What = pays
	u := &l.Usage
	last.Visit(func(name []byte, v jsontree.Value) {
		switch string(name) {
		case "input_tokens":
			u.Input = number(v)
		case "cached_input_tokens":
			u.CacheRead = number(v)
		case "cache_write_input_tokens":
			u.CacheWrite = number(v)
		case "output_tokens":
			u.Output = number(v)
		}
	})
	if !u.Possible() {
		l.What = nothing
		return
	}
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	total.Visit(func(name []byte, v jsontree.Value) {
		switch string(name) {
		case "input_tokens":
			l.Sum[0] = number(v)
		case "output_tokens":
			l.Sum[1] = number(v)
		}
	})
}

// compacted reads what replaces the history.
func (p *codexParser) compacted(l *codexLine, v fields) {
	l.What = compacts
	history := v["replacement_history"].Elements()
	for _, m := range history {
		l.Sizes = append(l.Sizes, p.measure(p.said(m.Member("content")), transcript.Prose))
	}
	if len(history) == 0 {
		l.Sizes = []transcript.Size{p.measure(v["message"].Text(), transcript.Prose)}
	}
}

// text returns what a string stands for, to be measured and not to be kept: it may be in
// the memory of the line.
func (p *codexParser) text(v jsontree.Value) string {
	if p.count == nil {
		return v.Shared()
	}
	return v.Text() // a counter may keep what it counted
}

// said returns the texts of the parts of a message, or of a text alone, as text does.
func (p *codexParser) said(content jsontree.Value) string {
	if content.IsString() {
		return p.text(content)
	}
	var first string // most contents have one part
	var more []string
	for part := range content.All() {
		switch t := p.text(part.Member("text")); {
		case t == "":
		case first == "":
			first = t
		default:
			more = append(more, t)
		}
	}
	if more == nil {
		return first
	}
	return first + "\n" + strings.Join(more, "\n")
}

// output returns the size of a call's result, and whether it is a failure.
func (p *codexParser) output(v jsontree.Value) (size transcript.Size, failed bool) {
	content := v
	if v.IsObject() {
		failed = string(v.Member("success").Raw) == "false"
		content = v.Member("content")
	}
	size = p.sizeOf(content, transcript.Output)
	may := content.IsArray() // be an object that says whether it succeeded
	if content.IsString() {
		text := bytes.TrimSpace(content.Raw[1:])
		may = len(text) > 0 && (text[0] == '{' || text[0] == '\\' || text[0] >= utf8.RuneSelf) // escapes and others may be white space
	}
	if v.IsArray() || !may {
		return size, failed
	}
	if says := p.said(content); strings.HasPrefix(strings.TrimSpace(says), "{") {
		jsontree.Members([]byte(says), func(name string, value []byte) {
			failed = failed || name == "success" && string(value) == "false"
		})
	}
	return size, failed
}
