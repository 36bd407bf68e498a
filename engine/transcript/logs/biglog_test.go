package logs_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Format is a format of logs.
type Format string

// Formats write the logs of each format. chat-small is a log of chat requests that all begin a session.
var Formats = map[Format]func(w *writer) error{
	"claude":          files("%04d.jsonl", 1<<20, (*writer).claude),
	"codex":           files("rollout-%04d.jsonl", 1<<20, (*writer).codex),
	"hermes-export":   files("export-%04d.jsonl", math.MaxInt64, (*writer).export),
	"hermes-database": (*writer).database,
	"chat":            files("%04d.jsonl", 32<<20, (*writer).chat),
	"chat-small":      files("%04d.jsonl", math.MaxInt64, (*writer).small),
	"record":          files("%04d.jsonl", 8<<20, (*writer).record),
}

// Write writes big logs of agents, in the formats that replay reads, for
// benchmarks. The texts are made up. The logs are like real ones in the length of lines, in
// the number of escapes, in what repeats, and in the members that no reader needs.
//
// Results of tools have 200 bytes to 20 kB, with a uniform logarithm. Half of them are
// program text with a line end every 40 bytes, and an eighth has characters beyond ASCII.
// A user's message is followed by 2 to 20 calls of tools, also with a uniform logarithm.
//
// Equal arguments write equal bytes.
//
// It writes logs of about so many bytes into a folder.
func Write(folder string, f Format, bytes int64) error {
	w := &writer{folder: folder, left: bytes, rand: rand.New(rand.NewPCG(1, 2))}
	return Formats[f](w)
}

// writer writes logs.
type writer struct {
	folder string
	left   int64 // bytes to write
	rand   *rand.Rand
	out    *bufio.Writer
	size   int64 // of the file
	most   int64
	number int // of the file
	ids    int
	err    error
}

// files returns what writes files of up to so many bytes until there are enough.
func files(name string, most int64, write func(w *writer)) func(*writer) error {
	return func(w *writer) error {
		for w.number = 0; w.left > 0 && w.err == nil; w.number++ {
			f, err := os.Create(filepath.Join(w.folder, fmt.Sprintf(name, w.number)))
			if err != nil {
				return err
			}
			w.out, w.size, w.most = bufio.NewWriterSize(f, 1<<20), 0, most
			write(w)
			w.err = errors.Join(w.err, w.out.Flush(), f.Close())
		}
		return w.err
	}
}

// more reports whether the file goes on.
func (w *writer) more() bool { return w.left > 0 && w.size < w.most && w.err == nil }

// line writes a line.
func (w *writer) line(format string, args ...any) { w.text(fmt.Sprintf(format, args...) + "\n") }

// text writes a text.
func (w *writer) text(s string) {
	if _, err := io.WriteString(w.out, s); err != nil {
		w.err = err
	}
	w.size += int64(len(s))
	w.left -= int64(len(s))
}

// id returns a number in hexadecimal digits that no other call returns.
func (w *writer) id() string {
	w.ids++
	return fmt.Sprintf("%024x", uint64(w.ids)*0x9e3779b97f4a7c15)
}

// uuid returns a UUID that no other call returns.
func (w *writer) uuid() string {
	w.ids++
	a, b := uint64(w.ids)*0x9e3779b97f4a7c15, uint64(w.ids)
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>36&0xfff, b&0xfffffffff)
}

// time returns the time of the n-th line.
func (w *writer) time(n int) string {
	return fmt.Sprintf("2026-09-%02dT%02d:%02d:%02d.%03dZ", 1+n/86400%28, n/3600%24, n/60%60, n%60, n%1000)
}

// length returns a length between two, each as likely in its logarithm.
func (w *writer) length(least, most int) int {
	return int(float64(least) * math.Pow(float64(most)/float64(least), w.rand.Float64()))
}

// steps returns how many calls follow a user's message.
func (w *writer) steps() int { return w.length(2, 20) }

var vocabulary = strings.Fields(`the a of to and in is was for on harbour berth vessel pilot tide orchard tree graft harvest lot water
	zone print proof page cover paper ink ledger entry account sum total unit slot crane cargo manifest window house garden bridge mill
	pond glass hall north south early late open closed held done moved booked released quoted listed recorded returned checked`)

// words returns a text of some bytes or a little more.
func (w *writer) words(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[w.rand.IntN(len(vocabulary))])
	}
	return b.String()
}

// output returns what a tool returned, as it stands inside of a JSON string.
func (w *writer) output() string {
	size, kind := w.length(200, 20_000), w.rand.IntN(8)
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		switch {
		case kind < 4:
			fmt.Fprintf(&b, `%6d\tif %s.%s != nil {\n\t\treturn \"%s\"\n`, n, w.words(1), w.words(1), w.words(20))
		case kind == 4:
			fmt.Fprintf(&b, "%s – Größe %d °C, ", w.words(30), n)
		default:
			fmt.Fprintf(&b, "%s.%d ", w.words(60), n)
		}
	}
	return b.String()
}

// toolCount is the number of tools in the registry.
const toolCount = 40

// tool returns the name of a tool.
func tool(n int) string {
	servers := []string{"harbor", "orchard", "atelier", "ledger"}
	verbs := []string{"inspect", "release", "move", "book", "quote"}
	things := []string{"berth", "tree"}
	return "mcp__" + servers[n%4] + "__" + verbs[n/4%5] + "_" + things[n/20%2]
}

// schema returns the JSON schema of a tool's arguments.
func schema() string {
	return `{"type":"object","properties":{"reference":{"type":"string","description":"Reference, as the list call of this server returns it"},` +
		`"amount":{"type":"number","description":"How much, in the unit that it is kept in"},"limit":{"type":"integer","description":"Most results to return, at most two hundred"},` +
		`"from_date":{"type":"string","description":"First day that counts, in the form of ISO 8601; today where nothing is said"}},"required":["reference"]}`
}

// definitions returns the tools array of a provider; wrap has the place of a name, a
// description and a schema.
func definitions(wrap string) string {
	var list []string
	for n := range toolCount {
		name := tool(n)
		list = append(list, fmt.Sprintf(wrap, name, "Answers with what "+name[5:]+" then is, or with the reason why it could not be done.", schema()))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// Registry returns the registry of the tools that the logs call.
func Registry() []byte {
	return []byte(definitions(`{"name":"%s","description":"%s","parameters":%s}`) + "\n")
}

// arguments returns the arguments of a call.
func (w *writer) arguments() string {
	return fmt.Sprintf(`{"reference":"R-%05d","amount":%d,"from_date":"2026-09-%02d"}`, w.rand.IntN(100_000), w.rand.IntN(1000), 1+w.rand.IntN(28))
}

// asks returns the words of a user who wants a tool.
func (w *writer) asks(tool string) string {
	return "Please " + strings.ReplaceAll(tool[strings.LastIndex(tool, "__")+2:], "_", " the ") + ", " + w.words(w.length(20, 400)) + "."
}

// quoted returns JSON as it stands inside of a JSON string.
func quoted(json string) string { return strings.ReplaceAll(json, `"`, `\"`) }
