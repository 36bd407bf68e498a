package kept

import (
	"os"
	"reflect"
	"sync"
	"testing"
	"time"

	"caliper/engine/transcript"
)

// spilled returns a session with words that tell it from others, and a call.
func spilled(n int) transcript.Session {
	usage := transcript.Usage{Input: n, Output: 1}
	call := transcript.Call{ID: "c", Tool: "mail_send", Kind: transcript.Use, Answered: true}
	return transcript.Session{ID: "s", Agent: transcript.OpenAI, Arrays: []transcript.ToolArray{{}}, Contexts: []transcript.Context{{Entries: []transcript.Entry{
		{Parent: transcript.None, Kind: transcript.User, Words: string(rune('a' + n%26)), Time: time.Unix(int64(n), 5).UTC()},
		{Parent: 0, Kind: transcript.Answer, Request: &transcript.Request{ID: "r", Usage: &usage, Calls: []transcript.Call{call}}},
		{Parent: 1, Kind: transcript.Result, CallEntry: 1},
	}}}}
}

// TestSpill: what is packed is what was there, whether it waits, is in the file or has to
// stay in memory; packing and unpacking twice changes nothing; nothing is left in the
// folder for temporary files, even while the file is used.
func TestSpill(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	inside := &Spill{scratch: scratch{full: true}}
	for name, p := range map[string]*Spill{"file": new(Spill), "memory": inside, "none": nil} {
		const n = 20_000 // more than the buffer takes
		sessions := make([]transcript.Session, n)
		for i := range sessions {
			sessions[i] = spilled(i)
			p.Pack(&sessions[i])
			p.Pack(&sessions[i])
			if packed := sessions[i].Packed != nil; packed != (p != nil) {
				t.Fatalf("%s: packed %t", name, packed)
			}
		}
		for _, i := range []int{0, 1, 77, n / 2, n - 1} {
			got, err := sessions[i].Opened()
			if err != nil || !reflect.DeepEqual(got, spilled(i)) {
				t.Errorf("%s: session %d is\n%+v, %v, want\n%+v", name, i, got, err, spilled(i))
			}
			if ended := time.Unix(int64(i), 5); sessions[i].Before(ended) || !sessions[i].Before(ended.Add(1)) {
				t.Errorf("%s: session %d does not end at %v", name, i, ended)
			}
			p.Unpack(&sessions[i])
			p.Unpack(&sessions[i])
			if !reflect.DeepEqual(sessions[i], spilled(i)) {
				t.Errorf("%s: session %d was unpacked as\n%+v", name, i, sessions[i])
			}
		}
		if p != nil && p != inside && !p.scratch.full && p.scratch.written == 0 {
			t.Errorf("%s: nothing was written", name)
		}
		if p.Err() != nil {
			t.Errorf("%s: %v", name, p.Err())
		}
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v", left)
	}
}

// TestSpillIsShared: several goroutines open what was packed.
func TestSpillIsShared(t *testing.T) {
	p := new(Spill)
	sessions := make([]transcript.Session, 5000)
	for i := range sessions {
		sessions[i] = spilled(i)
		p.Pack(&sessions[i])
	}
	var all sync.WaitGroup
	for from := range 4 {
		all.Go(func() {
			for i := from; i < len(sessions); i += 2 {
				if got, err := sessions[i].Opened(); err != nil || !reflect.DeepEqual(got, spilled(i)) {
					t.Errorf("session %d is\n%+v, %v", i, got, err)
				}
			}
		})
	}
	all.Wait()
}

// TestSpillBroken: what cannot be written stays in memory; what cannot be read is an
// error, and the session has a context all the same.
func TestSpillBroken(t *testing.T) {
	p := new(Spill)
	first := spilled(1)
	p.Pack(&first)
	if p.scratch.full {
		t.Skip("there are no files without a name here")
	}
	_ = p.scratch.file.Close() // as if the disk were gone
	var second transcript.Session
	for range 20_000 {
		second = spilled(2)
		p.Pack(&second)
	}
	for i, s := range []transcript.Session{first, second} {
		if got, err := s.Opened(); err != nil || !reflect.DeepEqual(got, spilled(i+1)) {
			t.Errorf("%d: %+v, %v", i, got, err)
		}
	}
	p.scratch.written, p.scratch.waiting = int64(len(p.scratch.waiting)), nil
	if p.Unpack(&first); p.Err() == nil || len(first.Contexts) != 1 {
		t.Errorf("%v, %+v; want an error and a context", p.Err(), first)
	}
}

// TestOpeningAllocates: an answer with one call is opened in one piece of memory, and a
// result in none but that of all entries. Packing takes none for either.
func TestOpeningAllocates(t *testing.T) {
	entries := []transcript.Entry{}
	const calls = 1000
	for i := range calls {
		call := transcript.Call{Tool: "mail_send", Kind: transcript.Use, Answered: true, Size: transcript.Size{Tokens: i}}
		entries = append(entries,
			transcript.Entry{Parent: 2*i - 1, Kind: transcript.Answer, Request: transcript.Request{Tools: transcript.None}.With(call)},
			transcript.Entry{Parent: 2 * i, Kind: transcript.Result, CallEntry: 2 * i, Size: transcript.Size{Chars: [transcript.Classes]int{0, 1, 2}}})
	}
	contexts := []transcript.Context{{Entries: entries}}
	var e Encoder
	pack := func() { e.reset(); e.contexts(contexts) }
	pack()
	if n := testing.AllocsPerRun(10, pack); n > 1 {
		t.Errorf("packing %d calls allocates %v times", calls, n)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = (&encoded{data: e.Data}).Open() }); n > calls+10 {
		t.Errorf("opening %d calls allocates %v times", calls, n)
	}
}
