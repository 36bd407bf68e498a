package embed_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

// asked are what an index that was read is asked.
var asked = []string{"crate a barnch", "delete the record", "названием", "天気予報", "update the status of a record", "zzzqx", ""}

// TestReadScoresAsNew: the index from bytes has the same scores, to the bit, and
// the same bytes.
func TestReadScoresAsNew(t *testing.T) {
	for name, tools := range map[string][]*model.Tool{
		"none": nil, "harbour": harbour(), "synthetic": fixture.Tools(300, 1), "twice": append(harbour(), harbour()[0]),
	} {
		fresh := index(t, tools)
		read, err := embed.ReadFuzzy(tools, fresh.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, message := range asked {
			if got, want := scores(t, read, message, tools), scores(t, fresh, message, tools); !slices.Equal(got, want) {
				t.Errorf("%s, %q: %v, want %v", name, message, got, want)
			}
		}
		if !bytes.Equal(read.Bytes(), fresh.Bytes()) {
			t.Errorf("%s: the bytes are others", name)
		}
	}
}

// TestReadDamaged: bytes that are cut or changed are refused, or are an index that
// can be asked.
func TestReadDamaged(t *testing.T) {
	tools := harbour()
	whole := index(t, tools).Bytes()
	for i := range whole {
		if _, err := embed.ReadFuzzy(tools, whole[:i]); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error", i, len(whole))
		}
	}
	if _, err := embed.ReadFuzzy(tools, append(bytes.Clone(whole), 0)); err == nil {
		t.Error("one byte more: no error")
	}
	if _, err := embed.ReadFuzzy(tools[:3], whole); err == nil {
		t.Error("fewer tools: no error")
	}
	for i := 0; i+4 <= len(whole); i += 4 {
		changed := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(changed[i:], math.MaxUint32-7)
		ask(t, tools, changed)
	}
}

// ask asks the index of bytes, if there is one.
func ask(t *testing.T, tools []*model.Tool, data []byte) {
	t.Helper()
	x, err := embed.ReadFuzzy(tools, data)
	if err != nil {
		return
	}
	for _, message := range asked {
		scores(t, x, message, tools)
	}
}

func FuzzRead(f *testing.F) {
	tools := harbour()[:3]
	x, err := embed.NewFuzzy(f.Context(), tools)
	require.NoError(f, err)
	f.Add(x.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { ask(t, tools, data) })
}
