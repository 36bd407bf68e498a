package meaning

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/retrieval"
	"caliper/model/require"
)

// table returns the table in the binary.
func table(t testing.TB) *Table {
	t.Helper()
	table, err := LoadTable()
	require.NoError(t, err)
	return table
}

// similarity returns how near two words are in meaning.
func similarity(t *Table, a, b string) float64 {
	v, _ := t.Word(a)
	u, _ := t.Word(b)
	return v.Similarity(u)
}

// weight returns how much a word means by itself; 0 for one that the table does not have.
func weight(t *Table, word string) float64 {
	i, ok := t.Find(retrieval.Stem(word))
	if !ok {
		return 0
	}
	_, weight := t.Entry(i)
	return weight
}

// The rows, weights and neighbours are those that the script computed which made the
// table: a row is its vector but for rounding, and what is whole is equal.
func TestMadeAsScriptSays(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	var made []struct {
		Word   string
		Weight int
		Vector []float64
		Near   []struct {
			Word       string
			Similarity float64
		}
	}
	if err := json.Unmarshal(data, &made); err != nil || len(made) == 0 {
		t.Fatal(len(made), err)
	}
	words := table(t)
	for _, m := range made {
		v, ok := words.Word(m.Word)
		sum := make([]float64, words.dimension)
		v.AddTo(sum, 1)
		if !ok || weight(words, m.Word) != float64(m.Weight)/255 || len(m.Vector) != len(sum) {
			t.Errorf("%s: found %v, weight %v, want %d/255", m.Word, ok, weight(words, m.Word), m.Weight)
			continue
		}
		cosine, squares := 0.0, 0.0 // the sum has the length 1
		for i, x := range m.Vector {
			cosine += x * sum[i]
			squares += x * x
		}
		if cosine /= math.Sqrt(squares); cosine < 0.97 {
			t.Errorf("%s: cosine %v with the vector of the script", m.Word, cosine)
		}
		for _, want := range m.Near {
			if got := similarity(words, m.Word, want.Word); math.Abs(got-want.Similarity) > 1e-12 {
				t.Errorf("%s: %s is as near as %v, want %v", m.Word, want.Word, got, want.Similarity)
			}
		}
	}
}

// Words that mean the same are nearer than words that do not.
func TestMeaning(t *testing.T) {
	for _, c := range []struct{ word, near, far string }{
		{"refund", "reimbursement", "weather"},
		{"happy", "satisfied", "container"},
		{"hotel", "lodging", "compiler"},
		{"delete", "remove", "holiday"},
		{"forecast", "prediction", "invoice"},
	} {
		near, far := similarity(table(t), c.word, c.near), similarity(table(t), c.word, c.far)
		if far == 0 || near < far+0.2 {
			t.Errorf("%s: %v to %s, %v to %s", c.word, near, c.near, far, c.far)
		}
	}
}

// What the page of the package promises, for any words of the table.
func TestTableInvariants(t *testing.T) {
	words := table(t)
	rapid.Check(t, func(t *rapid.T) {
		a := words.words[rapid.IntRange(0, len(words.words)-1).Draw(t, "a")]
		b := words.words[rapid.IntRange(0, len(words.words)-1).Draw(t, "b")]
		one, there, back := similarity(words, a, a), similarity(words, a, b), similarity(words, b, a)
		if one != 1 || there != back || math.Abs(there) > 1 {
			t.Errorf("%s %s: %v, %v, %v", a, b, one, there, back)
		}
		if w := weight(words, a); !(w > 0 && w <= 1) {
			t.Errorf("%s: weight %v", a, w)
		}
	})
}

// The word that a stem is shown by has that stem, and every form of a word is one.
func TestStems(t *testing.T) {
	words := table(t)
	for i, word := range words.Words() {
		if got := retrieval.Stem(word); got != words.stems[i] {
			t.Errorf("%q has the stem %q, not %q", word, got, words.stems[i])
		}
	}
}

// A word that the table does not have is like none, and has no weight.
func TestUnknownWords(t *testing.T) {
	words := table(t)
	for _, word := range []string{"", "qzxqzx", "天气"} {
		v, ok := words.Word(word)
		if ok || similarity(words, word, "refund") != 0 || v.Similarity(v) != 0 || weight(words, word) != 0 {
			t.Errorf("%q: %v, %v, weight %v", word, ok, similarity(words, word, "refund"), weight(words, word))
		}
	}
}

// small is a table of two stems with rows of four numbers.
func small(rows ...string) string {
	data := magic
	for _, n := range []uint32{2, 4} {
		data += string(binary.LittleEndian.AppendUint32(nil, n))
	}
	return data + "\xff\x80" + strings.Join(rows, "") + "cat\nsatisfi\t1ied\n"
}

// The example of the page.
func TestExample(t *testing.T) {
	words, err := parse([]byte(small("\x07\x03", "\x77\x00")))
	require.NoError(t, err)
	if s := similarity(words, "cats", "satisfy"); math.Abs(s-0.650) > 0.0005 {
		t.Error(s)
	}
	if !slices.Equal(words.Words(), []string{"cat", "satisfied"}) || weight(words, "satisfied") != 128.0/255 {
		t.Error(words.Words(), weight(words, "satisfied"))
	}
	sum := []float64{1, 1, 1, 1}
	v, _ := words.Word("cat")
	v.AddTo(sum, 2)
	if length := math.Sqrt(7*7 + 3*3); sum[0] != 1+2/length*7 || sum[1] != 1 || sum[2] != 1+2/length*3 {
		t.Error(sum)
	}
}

// A damaged table is an error that tells its fault.
func TestDamaged(t *testing.T) {
	good := small("\x07\x03", "\x77\x00")
	for _, c := range []struct{ name, data, want string }{
		{"empty", "", "version"},
		{"of another version", "caliper words 1\n" + good[len(magic):], "version"},
		{"too short", good[:header+5], "fit"},
		{"odd", strings.Replace(good, "\x04", "\x03", 1), "fit"},
		{"a stem short", good[:len(good)-len("satisfi\t1ied\n")], "1 stems, and 2 rows"},
		{"out of order", strings.Replace(good, "satisfi", "ant", 1), `"ant" comes after "cat"`},
		{"no word", strings.Replace(good, "\t1ied", "\t", 1), "says nothing"},
		{"too much cut", strings.Replace(good, "\t1", "\t8", 1), "says nothing"},
		{"no weight", strings.Replace(good, "\xff\x80", "\xff\x00", 1), `"satisfi" has the weight 0`},
	} {
		if _, err := parse([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// No bytes break the reader, and what it takes it can answer from.
func FuzzParse(f *testing.F) {
	f.Add(small("\x07\x03", "\x77\x00"))
	f.Add(magic)
	f.Fuzz(func(t *testing.T, data string) {
		words, err := parse([]byte(data))
		if err != nil {
			return
		}
		for i := range min(8, len(words.stems)) {
			v, _ := words.Entry(i)
			if s := v.Similarity(v); s != 1 && v.square != 0 {
				t.Errorf("%q: %v", words.words[i], s)
			}
		}
	})
}

// BenchmarkParse is the cost of the first use.
func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := readPacked(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	words := table(b)
	x, _ := words.Word("refund")
	y, _ := words.Word("weather")
	for b.Loop() {
		x.Similarity(y)
	}
}

// The product of two rows is the sum of the products of their numbers, of any number of them.
func TestDot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 2 * rapid.IntRange(1, 100).Draw(t, "half")
		numbers := func(name string) ([]int32, string) {
			of := rapid.SliceOfN(rapid.Int32Range(-7, 7), n, n).Draw(t, name)
			row := make([]byte, n/2)
			for i := range row {
				row[i] = byte(of[2*i]&15 | of[2*i+1]<<4)
			}
			return of, string(row)
		}
		a, rowA := numbers("a")
		b, rowB := numbers("b")
		want := int32(0)
		for i := range a {
			want += a[i] * b[i]
		}
		if got := dot(appendPlanes(nil, []byte(rowA)), appendPlanes(nil, []byte(rowB))); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
