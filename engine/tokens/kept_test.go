package tokens

import (
	"bytes"
	"slices"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// disk is a place for counts that tests look into.
type disk struct {
	data  []byte
	saves int
}

func (d *disk) kept() Kept {
	return Kept{
		Load: func() []byte { return d.data },
		Save: func(data []byte) { d.data, d.saves = data, d.saves+1 },
	}
}

// units counts a registry with a new cache on the disk, and returns the number of
// tools that it had to count.
func (d *disk) units(t *testing.T, m Method, r *model.Registry) ([]int32, int64) {
	t.Helper()
	c := NewCache(m)
	c.Kept = d.kept()
	c.Kept.Save = nil
	units, err := c.Registry(t.Context(), r)
	require.NoError(t, err)
	counted := c.fresh.Load()
	if c.Kept = d.kept(); counted > 0 {
		c.keep(c.build.Load(), len(r.Tools))
	}
	return units, counted
}

// TestKept: with counts kept or not, damaged or not, the units are the same, and
// what was kept is not counted again.
func TestKept(t *testing.T) {
	const n = 300
	r, other := registryOf("berth", n), registryOf("quay", n)
	r.Tools[7].Envelope = &model.Envelope{Before: `{"strict":true,"function":`, After: "}"}
	for _, m := range Methods() {
		want, err := NewCache(m).Registry(t.Context(), r)
		require.NoError(t, err)
		var d disk
		check := func(what string, counted int64) {
			t.Helper()
			if got, n := d.units(t, m, r); !slices.Equal(got, want) || n != counted {
				t.Errorf("%s, %s: %d tools counted, want %d; units equal: %t", m, what, n, counted, slices.Equal(got, want))
			}
		}
		check("cold", n)
		check("warm", 0)
		if _, n := d.units(t, m, other); n != int64(len(other.Tools)) {
			t.Errorf("%s: %d tools of another registry are counted", m, n)
		}
		check("beside another registry", 0)
		whole := d.data
		for what, data := range map[string][]byte{
			"cut": whole[:len(whole)-1], "no units": bytes.Repeat([]byte{0xff}, entrySize*3), "empty": nil,
		} {
			d.data = data
			check(what, n)
		}
	}
}

// TestKeptEnvelope: a function object with something else around it has another
// count, in one registry and from one process to the next.
func TestKeptEnvelope(t *testing.T) {
	plain := registryOf("berth", 100)
	around := &model.Registry{}
	for _, tool := range plain.Tools {
		copied := *tool
		copied.Envelope = &model.Envelope{Before: `{"type":"function","strict":true,"function":`, After: `}`}
		around.Tools = append(around.Tools, &copied)
	}
	var d disk
	d.units(t, O200k, plain)
	want, _ := NewCache(O200k).Registry(t.Context(), around)
	if got, _ := d.units(t, O200k, around); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got[:3], want[:3])
	}
}

// TestKeptIsWrittenSeldom: an edit of one tool writes nothing.
func TestKeptIsWrittenSeldom(t *testing.T) {
	var d disk
	r := registryOf("berth", 300)
	c := NewCache(Chars4)
	c.Kept = d.kept()
	for i := range 50 {
		r.Tools[i] = registryOf("edited", i+1).Tools[i]
		if _, err := c.Registry(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if d.saves != 1 {
		t.Errorf("written %d times", d.saves)
	}
}

// TestKeptIsBounded: of many registries not all counts are kept.
func TestKeptIsBounded(t *testing.T) {
	var d disk
	d.data = make([]byte, 0, 3*spare*entrySize)
	for i := range 3 * spare {
		d.data = append(d.data, byte(i), byte(i>>8), byte(i>>16))
		d.data = append(d.data, make([]byte, entrySize-3)...)
	}
	d.units(t, Chars4, registryOf("berth", 100))
	if n := len(d.data) / entrySize; n != 100 {
		t.Errorf("%d counts are kept, want those of the last registry", n)
	}
}

func FuzzReadCounts(f *testing.F) {
	c := NewCache(Chars4)
	c.Tool(registryOf("berth", 1).Tools[0])
	f.Add(c.bytes(0))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := NewCache(Chars4)
		if err := c.read(data); err != nil && c.Len() > 0 {
			t.Errorf("%d tools of what cannot be read", c.Len())
		}
	})
}
