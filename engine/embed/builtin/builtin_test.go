package builtin

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// table returns the table in the binary.
func table(t testing.TB) *Table {
	t.Helper()
	table, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The rows, weights and neighbours are those that the script computed which made the
// table: a row is its vector but for rounding, and what is whole is equal.
func TestMadeAsScriptSays(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var made []struct {
		Word   string
		Weight int
		Vector []float64
		Near   []Neighbour
	}
	if err := json.Unmarshal(data, &made); err != nil || len(made) == 0 {
		t.Fatal(len(made), err)
	}
	words := table(t)
	for _, m := range made {
		v, ok := words.Word(m.Word)
		if !ok || words.Weight(m.Word) != float64(m.Weight)/255 {
			t.Errorf("%s: found %v, weight %v, want %d/255", m.Word, ok, words.Weight(m.Word), m.Weight)
			continue
		}
		cosine, squares := 0.0, 0.0
		for i, x := range m.Vector {
			cosine += x * v.At(i)
			squares += x * x
		}
		if cosine /= math.Sqrt(squares); cosine < 0.9995 {
			t.Errorf("%s: cosine %v with the vector of the script", m.Word, cosine)
		}
		near := words.Neighbours(m.Word, len(m.Near))
		for i, want := range m.Near {
			if got := near[i]; got.Word != want.Word || math.Abs(got.Similarity-want.Similarity) > 1e-12 {
				t.Errorf("%s: neighbour %d is %v, want %v", m.Word, i, got, want)
			}
		}
	}
}

// Words that mean the same are nearer than words that do not.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ word, near, far string }{
		{"refund", "reimbursement", "weather"},
		{"happy", "satisfied", "container"},
		{"booking", "reservation", "compiler"},
		{"delete", "remove", "holiday"},
		{"forecast", "prediction", "invoice"},
	} {
		near, known := table(t).Similarity(c.word, c.near)
		far, also := table(t).Similarity(c.word, c.far)
		if !known || !also || near < far+0.2 {
			t.Errorf("%s: %v to %s, %v to %s; known %v, %v", c.word, near, c.near, far, c.far, known, also)
		}
	}
}

// What the page of the package promises, for any words of the table.
func TestInvariants(t *testing.T) {
	words := table(t)
	rapid.Check(t, func(t *rapid.T) {
		a := words.words[rapid.IntRange(0, words.Len()-1).Draw(t, "a")]
		b := words.words[rapid.IntRange(0, words.Len()-1).Draw(t, "b")]
		one, _ := words.Similarity(a, a)
		there, _ := words.Similarity(a, b)
		back, _ := words.Similarity(b, a)
		if one != 1 || there != back || math.Abs(there) > 1 {
			t.Errorf("%s %s: %v, %v, %v", a, b, one, there, back)
		}
		if w := words.Weight(a); !(w > 0 && w <= 1) {
			t.Errorf("%s: weight %v", a, w)
		}
		n := rapid.IntRange(0, 6).Draw(t, "n")
		near := words.Neighbours(a, n)
		if len(near) != n || slices.ContainsFunc(near, func(x Neighbour) bool { return x.Word == a }) {
			t.Errorf("%s: %d neighbours: %v", a, n, near)
		}
		if !slices.IsSortedFunc(near, func(x, y Neighbour) int {
			if nearer(x, y) {
				return -1
			}
			return 1
		}) {
			t.Errorf("%s: not in order: %v", a, near)
		}
	})
}

// A word that the table does not have is like none, and weighs 1.
func TestUnknown(t *testing.T) {
	words := table(t)
	for _, word := range []string{"", "Refund", "qzxqzx", "天气", "refund\n"} {
		v, ok := words.Word(word)
		similarity, known := words.Similarity(word, "refund")
		if ok || known || similarity != 0 || v.Similarity(v) != 0 || words.Weight(word) != 1 || words.Neighbours(word, 3) != nil {
			t.Errorf("%q: %v, %v, %v, weight %v", word, ok, known, similarity, words.Weight(word))
		}
	}
}

// small is a table of three words, of which two share a row.
func small(rows ...string) string {
	data := magic
	for _, n := range []uint32{3, 2, 3} {
		data += string(binary.LittleEndian.AppendUint32(nil, n))
	}
	return data + "\x00\x00\x01\x00\x00\x00" + "\xff\x80\x01" + strings.Join(rows, "") + "cat\ndog\nkitten\n"
}

// The example of the page.
func TestExample(t *testing.T) {
	words, err := parse(small("\x7f\x00\x40", "\x7f\x7f\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := words.Similarity("cat", "dog"); !ok || math.Abs(s-0.631) > 0.0005 {
		t.Error(s, ok)
	}
	if s, ok := words.Similarity("cat", "kitten"); !ok || s != 1 {
		t.Error(s, ok)
	}
}

// A damaged table is an error that says what is wrong with it.
func TestDamaged(t *testing.T) {
	good := small("\x7f\x00\x40", "\x7f\x7f\x00")
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "version"},
		{"of another version", "caliper words 0\n" + good[len(magic):], "version"},
		{"too short", good[:len(magic)+20], "fit"},
		{"a word short", strings.TrimSuffix(good, "kitten\n"), "2 words, and 3 said"},
		{"out of order", strings.Replace(good, "dog", "ant", 1), `"ant" comes after "cat"`},
		{"row that is not there", strings.Replace(good, "\x01\x00\x00\x00\xff", "\x02\x00\x00\x00\xff", 1), "row 2 of 2"},
		{"no weight", strings.Replace(good, "\xff\x80\x01", "\xff\x80\x00", 1), "weight 0"},
		{"row of zeros", small("\x7f\x00\x40", "\x00\x00\x00"), "row 1 is all zero"},
	} {
		if _, err := parse(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// No bytes break the reader, and what it takes it can answer from.
func FuzzParse(f *testing.F) {
	f.Add(small("\x7f\x00\x40", "\x7f\x7f\x00"))
	f.Add(magic)
	f.Add(stored[:1024])
	f.Fuzz(func(t *testing.T, data string) {
		words, err := parse(data)
		if err != nil {
			return
		}
		for _, word := range words.words[:min(8, words.Len())] {
			words.Neighbours(word, 2)
			if s, ok := words.Similarity(word, word); !ok || s != 1 {
				t.Errorf("%q: %v, %v", word, s, ok)
			}
		}
	})
}

// BenchmarkParse is what the first use costs.
func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := parse(stored); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSimilarity(b *testing.B) {
	words := table(b)
	x, _ := words.Word("refund")
	y, _ := words.Word("weather")
	for b.Loop() {
		x.Similarity(y)
	}
}

func BenchmarkNeighbours(b *testing.B) {
	for words := table(b); b.Loop(); {
		words.Neighbours("refund", 16)
	}
}
