package claude

import (
	"time"

	"caliper/engine/transcript"
	"caliper/model/jsontree"
)

// line is what counts of one line of a log. Its texts are copies, its values slices of
// the line.
type line struct {
	kind, subtype               string
	uuid, parent                string
	session, agent              string
	sidechain, meta, summarises bool
	fault                       bool // an answer that the API refused
	time                        time.Time
	message, attachment         jsontree.Value
	preserved                   []string // uuids of what a compaction keeps
}

// readLine reads a line; ok is false when it is no JSON object.
func readLine(data []byte) (l line, ok bool) {
	ok = jsontree.Members(data, func(name string, raw []byte) {
		v := jsontree.Value{Raw: raw}
		switch name {
		case "type":
			l.kind = v.Text()
		case "subtype":
			l.subtype = v.Text()
		case "uuid":
			l.uuid = v.Text()
		case "parentUuid":
			l.parent = v.Text()
		case "sessionId":
			l.session = v.Text()
		case "agentId":
			l.agent = v.Text()
		case "isSidechain":
			l.sidechain = string(raw) == "true"
		case "isMeta":
			l.meta = string(raw) == "true"
		case "isCompactSummary":
			l.summarises = string(raw) == "true"
		case "isApiErrorMessage":
			l.fault = string(raw) == "true"
		case "timestamp":
			l.time, _ = time.Parse(time.RFC3339Nano, v.Text()) // none where it is not one
		case "message":
			l.message = v
		case "attachment":
			l.attachment = v
		case "compactMetadata":
			l.preserved = preserved(v)
		}
	})
	return l, ok
}

// preserved returns the uuids of the messages that a compaction keeps.
func preserved(metadata jsontree.Value) (uuids []string) {
	for _, v := range member(metadata, "preservedMessages", "uuids").Elements() {
		uuids = append(uuids, v.Text())
	}
	return uuids
}

// member returns the value at a path of names, the last where one repeats; none when
// there is none.
func member(v jsontree.Value, path ...string) jsontree.Value {
	for _, name := range path {
		var found jsontree.Value
		v.Each(func(m jsontree.Member) {
			if m.Name == name {
				found = m.Value
			}
		})
		v = found
	}
	return v
}

// usage returns the usage of a message; nil when it has none.
func usage(message jsontree.Value) *transcript.Usage {
	v := member(message, "usage")
	if !v.IsObject() {
		return nil
	}
	u := new(transcript.Usage)
	v.Each(func(m jsontree.Member) {
		switch m.Name {
		case "input_tokens":
			u.Input = count(m.Raw)
		case "cache_read_input_tokens":
			u.CacheRead = count(m.Raw)
		case "cache_creation_input_tokens":
			u.CacheWrite = count(m.Raw)
		case "output_tokens":
			u.Output = count(m.Raw)
		}
	})
	return u
}

// count returns a number of tokens, 0 for what is none.
func count(raw []byte) int {
	n, digits := 0, raw
	negative := len(raw) > 0 && raw[0] == '-'
	if negative {
		digits = raw[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1<<40 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	if negative {
		return -n
	}
	return n
}
