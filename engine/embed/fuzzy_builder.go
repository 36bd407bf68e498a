package embed

import (
	"math"

	"caliper/engine/retrieval"
	"caliper/model"
)

// fuzzyBuilder counts the words of tools, one tool after another.
type fuzzyBuilder struct {
	lexicon *retrieval.Lexicon
	words   retrieval.Dictionary
	room    cutter
	tools   []int // of each word: how many hold it
	place   []int // of each word: its last count, counted from the first tool on

	names   []string // of the parameters of the tool that is read
	counts  []count  // of this tool
	held    []count  // of all tools
	ends    []int    // of each tool in held
	lengths []float64
	total   float64 // of lengths
}

// count is how much a word counts in a tool.
type count struct {
	word  uint32
	field field   // that times is of
	times float64 // occurrences in field
	sum   float64 // of the fields before; of all when the tool was read
}

// field is a part of a tool's definition.
type field uint8

const (
	name field = iota
	toolset
	description
	parameters
)

var fieldWeights = [...]float64{name: nameWeight, toolset: toolsetWeight, description: descriptionWeight, parameters: parameterWeight}

func newBuilder() *fuzzyBuilder {
	return &fuzzyBuilder{lexicon: retrieval.EnglishLexicon(), words: retrieval.NewDictionary()}
}

// tool reads a tool.
func (b *fuzzyBuilder) tool(t *model.Tool) {
	b.counts = b.counts[:0]
	b.read(name, t.Name)
	if t.Toolset != model.NoToolset {
		b.read(toolset, t.Toolset)
	}
	b.read(description, t.Description)
	b.names = t.AppendPropertyNames(b.names[:0])
	for _, p := range b.names {
		b.read(parameters, p)
	}
	length := 0.0
	for i := range b.counts {
		c := &b.counts[i]
		c.sum += c.weight()
		length += c.sum
		b.held = append(b.held, *c)
	}
	b.ends = append(b.ends, len(b.held))
	b.lengths = append(b.lengths, length)
	b.total += length
}

// read counts the words of a text of the tool that is read.
func (b *fuzzyBuilder) read(f field, text string) {
	from := len(b.held)
	b.room.each(text, func(word []byte) bool {
		if b.lexicon.Kind(word) == retrieval.StopWord {
			return true
		}
		w := b.words.Intern(word)
		if int(w) == len(b.tools) {
			b.tools, b.place = append(b.tools, 0), append(b.place, -1)
		}
		if b.place[w] < from {
			b.place[w] = from + len(b.counts)
			b.tools[w]++
			b.counts = append(b.counts, count{word: w, field: f, times: 1})
			return true
		}
		c := &b.counts[b.place[w]-from]
		if c.field != f {
			c.sum += c.weight()
			c.field, c.times = f, 0
		}
		c.times++
		return true
	})
}

// weight returns what the occurrences in the last field count: sublinear, so
// that a text that repeats itself gains little.
func (c *count) weight() float64 { return fieldWeights[c.field] * (1 + math.Log(c.times)) }

// lay lays out what each word tells of the tools that hold it.
func (b *fuzzyBuilder) lay(x *FuzzyIndex) {
	x.from = make([]uint32, len(b.tools)+1)
	rarities := make([]float64, len(b.tools))
	for w, df := range b.tools {
		x.from[w+1] = x.from[w] + uint32(df)
		rarities[w] = rarity(df, len(b.ends))
	}
	x.rowOf, x.weight = make([]uint32, len(b.held)), make([]float32, len(b.held))
	next := append([]uint32(nil), x.from...)
	average := b.total / float64(max(len(b.ends), 1))
	begin := 0
	for row, end := range b.ends {
		against := saturation * (1 - lengthShare + lengthShare*b.lengths[row]/average)
		for _, c := range b.held[begin:end] {
			x.rowOf[next[c.word]] = uint32(row)
			x.weight[next[c.word]] = float32(rarities[c.word] * c.sum / (c.sum + against))
			next[c.word]++
		}
		begin = end
	}
}
