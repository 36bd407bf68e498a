package replay

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/tokens"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/shapes"
)

// array is a tools array as it is sent: its size, and its bytes or what stands
// for them. Equal keys are equal bytes.
type array struct {
	size transcript.Size
	key  string
}

// offer is a set of granted tools, and what the strategies that look at no
// message send of it.
type offer struct {
	eager, lazy, search array
	visible             transcript.Size // of the tools that are never deferred
	sent                array           // the tools that a logged array has without defer_loading
	known               transcript.Size // of those, what the registry has
	full                bool            // of those, one is a tool that tool search defers
	bridge              bool            // the set was logged with the bridge, so it is the rest of one
	list                []sentTool      // of the definitions, those at the beginning of each request
	behind              []string        // the names of the others, which have defer_loading: the provider shows them to the model when they are found
}

// sentTool is a tool at the beginning of a request, where the provider's cache compares it.
type sentTool struct {
	name string
	sum  uint64 // of its text
	bare uint64 // of its text without the values of numbers
	size transcript.Size
}

// maxOffers is how many offers of the logs are remembered.
const maxOffers = 64

// logged returns the offer of a logged array. Its definitions count as the registry would
// write them, so that arrays of every provider are alike; what is no definition (a provider's
// own tool) belongs to the residual, and an array of such tools alone offers none. The error
// is the context's.
func (r *run) logged(a transcript.ToolArray) (offer, error) {
	var key *[]byte // where its definitions are, which sessions of one log share
	if len(a.Definitions) > 0 {
		key = &a.Definitions[0]
	}
	if known, ok := r.offers[key]; ok {
		return known, nil
	}
	r.arrays++
	data := append(append([]byte{'['}, bytes.Join(a.Definitions, []byte{','})...), ']')
	var tools []*model.Tool
	bridge := false
	if reg, err := shapes.Parse(r.ctx, model.Source{Data: data}); err == nil {
		for _, t := range reg.Tools {
			bridge = bridge || engine.IsBridge(t.Name)
			tools = append(tools, t)
		}
	} else if r.ctx.Err() != nil {
		return offer{}, r.ctx.Err()
	}
	o := r.divide(tools, func(t *model.Tool) bool {
		if known := r.catalog.find(t.Name); known != nil {
			return r.snapshot.Class(known) == engine.Visible
		}
		return !t.Deferred
	}, "array "+strconv.Itoa(r.arrays))
	o.bridge = bridge
	digest := sha256.New() // of the tools that are sent: tools found later change no prefix
	for _, t := range tools {
		if t.Deferred {
			o.behind = append(o.behind, t.Name)
			continue
		}
		o.sent.size = o.sent.size.Add(r.definition(t))
		digest.Write(tokens.Definition(t))
		if known := r.catalog.find(t.Name); known != nil {
			o.known = o.known.Add(r.definition(t))
			o.full = o.full || r.deferrable(known)
		}
	}
	for _, d := range a.Definitions { // a provider lists the tools of a server itself, and defers them
		set := jsontree.Value{Raw: d}
		server := cmp.Or(set.Member("server_label").Text(), set.Member("mcp_server_name").Text())
		every := set.Member("defer_loading").First() == 't' || set.Member("default_config", "defer_loading").First() == 't'
		if server != "" && every && o.behind == nil {
			o.behind = []string{} // their names are not in the request
		}
		jsontree.Members(set.Member("configs").Raw, func(name string, own []byte) {
			if server != "" && (jsontree.Value{Raw: own}).Member("defer_loading").First() == 't' {
				o.behind = append(o.behind, "mcp__"+server+"__"+name)
			}
		})
	}
	o.sent.key = string(digest.Sum(nil))
	o.list = r.prefixOf(a, tools)
	for _, t := range tools {
		delete(r.definitions, t) // nobody asks again, and logs may have an array a session
	}
	if len(r.offers) >= maxOffers {
		clear(r.offers)
	}
	r.offers[key] = o
	return o, nil
}

// prefixOf returns the definitions of a logged array that stand in the prefix of a request, a
// provider's own tools among them: all without defer_loading. Where the prefix is to be kept
// (cache_control) is no part of it.
func (r *run) prefixOf(a transcript.ToolArray, tools []*model.Tool) (list []sentTool) {
	sizes := make(map[string]transcript.Size, len(tools))
	for _, t := range tools {
		sizes[t.Name] = r.definition(t)
	}
	var text, bare []byte
	for _, d := range a.Definitions {
		v := jsontree.Value{Raw: d}
		if string(v.Member("defer_loading").Raw) == "true" {
			continue
		}
		text = text[:0]
		v.Visit(func(name []byte, v jsontree.Value) {
			if string(name) != "cache_control" {
				text = append(append(append(text, name...), ':'), v.Raw...)
			}
		})
		bare = bare[:0]
		for i, c := range text {
			switch digit := c >= '0' && c <= '9'; {
			case !digit:
				bare = append(bare, c)
			case i == 0 || text[i-1] < '0' || text[i-1] > '9':
				bare = append(bare, '0')
			}
		}
		name := v.Member("name").Text()
		for _, path := range [][]string{{"function", "name"}, {"server_label"}, {"mcp_server_name"}, {"type"}} {
			if name == "" {
				name = v.Member(path...).Text()
			}
		}
		size, known := sizes[name]
		if !known {
			size = r.tokenizer.measure(d, transcript.Schema)
		}
		list = append(list, sentTool{name, transcript.TextSum(text), transcript.TextSum(bare), size})
	}
	return list
}

// divide returns the offer of tools. key tells this set from others.
func (r *run) divide(tools []*model.Tool, visible func(*model.Tool) bool, key string) offer {
	var o offer
	names := []byte{'['}
	var seen bytes.Buffer // the visible part
	deferred := 0
	for i, t := range tools {
		size := r.definition(t)
		o.eager.size = o.eager.size.Add(size)
		if i > 0 {
			names = append(names, ',')
		}
		names = quote(names, t.Name)
		if visible(t) {
			o.visible = o.visible.Add(size)
			seen.Write(tokens.Definition(t))
		} else {
			deferred++
		}
	}
	names = append(names, ']')
	o.eager.key = key
	o.lazy = array{r.tokenizer.measure(names, transcript.Schema), string(names)}
	o.search = array{o.visible, seen.String()}
	if deferred > 0 {
		tools := engine.BridgeTools(deferred)
		if a := r.snapshot.Assemble(string(r.snapshot.Config.Selection), nil); a.Deferred == deferred && a.Bridge {
			tools = a.BridgeTools()
		}
		o.search.size = o.search.size.Add(r.tokenizer.definitions(tools))
		o.search.key += "\n" + strconv.Itoa(deferred)
	}
	return o
}

// ask asks the bridge of a snapshot for one thing, in the form that its generation takes:
// one has a text under one key, the other a list under the other. It returns the size of the call and its answer.
func (r *run) ask(s *engine.Snapshot, tool, one, list, text string) transcript.Size {
	key, value := one, quote(nil, text)
	if r.snapshot.Config.ToolSearch.Generation == config.September2026 {
		key, value = list, append(append([]byte{'['}, value...), ']')
	}
	args := append(append(append(append([]byte{'{'}, quote(nil, key)...), ':'), value...), '}')
	answer, _ := s.Bridge(tool, json.RawMessage(args))
	return r.tokenizer.measure(append([]byte(tool), args...), transcript.Schema).Add(r.tokenizer.measure(answer, transcript.Output))
}

// quote appends a text as a JSON string; bytes that are not UTF-8 are replaced.
func quote(dst []byte, text string) []byte {
	dst, _ = jsontext.AppendQuote(dst, strings.ToValidUTF8(text, "\uFFFD"))
	return dst
}
