package transcript

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// TestRoundTrip: an appended event is one line, and is read as it was.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[\x00-\x{2fff}]{0,12}`)
		e := Event{V: EventVersion, Time: time.UnixMilli(rapid.Int64Range(0, 1<<41).Draw(t, "time")).UTC(), Seq: rapid.IntRange(1, 9).Draw(t, "seq"),
			Session: text.Draw(t, "session"), Connection: text.Draw(t, "connection"), Kind: EventSearch, Client: &EventClient{Name: text.Draw(t, "client")},
			Request: &EventRequest{Queries: rapid.SliceOfN(text, 1, 3).Draw(t, "queries")}, Error: text.Draw(t, "error")}
		line, err := AppendEvent(nil, e)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%q, %v", line, err)
		}
		if got, ok := ParseEvent(line); !ok || !reflect.DeepEqual(got, e) {
			t.Fatalf("%+v is read as %+v", e, got)
		}
	})
	for _, line := range []string{"", "{}", `{"v":2,"kind":"list"}`, `{"v":1}`, `{"v":1,"kind":"li`, `[]`} {
		if e, ok := ParseEvent([]byte(line)); ok {
			t.Errorf("%s is read as %+v", line, e)
		}
	}
}

// record opens a record that is full after so many bytes.
func record(t *testing.T, path string, most int64) *Record {
	t.Helper()
	f, err := OpenRecord(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	f.most = most
	return f
}

// TestRotation: a full record goes on in an empty file, and no line is lost or cut.
func TestRotation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	f := record(t, path, 1000)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				if err := f.Add(Event{V: EventVersion, Kind: EventList, Error: strings.Repeat("x", 100)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	files, _ := filepath.Glob(path + "*")
	lines := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil || len(data) > 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		for line := range bytes.Lines(data) {
			if _, ok := ParseEvent(line); ok {
				lines++
			}
		}
		if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
			t.Errorf("%s may be read by %v", name, info.Mode())
		}
	}
	if lines != 100 || len(files) < 10 {
		t.Errorf("%d events in %d files", lines, len(files))
	}
}

// TestTornLine: what a killed process left is closed, and stays what it is.
func TestTornLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(`{"v":1,"kind":"li`), 0o600))
	require.NoError(t, record(t, path, largestRecord).Add(Event{V: EventVersion, Kind: EventList}))
	data, _ := os.ReadFile(path)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if _, ok := ParseEvent(lines[len(lines)-1]); !ok || len(lines) != 2 {
		t.Errorf("the file is %q", data)
	}
}

// TestPrivate: only its owner reads a record, whatever its mode was before.
func TestPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	record(t, path, largestRecord)
	if info, _ := os.Stat(path); info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("it may be read by %v", info.Mode())
	}
}

// TestMoved: a record that somebody removes, renames or puts another file in the place of
// says so, and goes on at its path; every event is in a file.
func TestMoved(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(path string) error{
		"removed": os.Remove,
		"renamed": func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o644))
		},
	} {
		path := filepath.Join(t.TempDir(), "record.jsonl")
		f := record(t, path, largestRecord)
		require.NoError(t, f.Add(Event{V: EventVersion, Kind: EventList, Seq: 1}))
		require.NoError(t, move(path))
		if err := f.Add(Event{V: EventVersion, Kind: EventList, Seq: 2}); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Add(Event{V: EventVersion, Kind: EventList, Seq: 3}); err != nil {
			t.Errorf("%s: afterwards %v", name, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(`"seq":2`)) || !bytes.Contains(data, []byte(`"seq":3`)) || bytes.Contains(data, []byte(`"seq":1`)) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
		if info, _ := os.Stat(path); info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
			t.Errorf("%s: it may be read by %v", name, info.Mode())
		}
		if name != "removed" {
			if old, _ := os.ReadFile(path + ".old"); bytes.Count(old, []byte("\n")) != 1 {
				t.Errorf("%s: the old one has %s", name, old)
			}
		}
	}
	// Where there is no place for another, that is a fault, which stays.
	folder := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.Mkdir(folder, 0o700))
	f := record(t, filepath.Join(folder, "record.jsonl"), largestRecord)
	if err := os.RemoveAll(folder); err != nil {
		t.Skip(err) // of a system that removes no open file
	}
	for range 2 {
		if err := f.Add(Event{V: EventVersion, Kind: EventList}); err == nil || errors.Is(err, ErrMoved) {
			t.Errorf("without a folder: %v", err)
		}
	}
}

// TestFault: a record that cannot be written says so, each time.
func TestFault(t *testing.T) {
	t.Parallel()
	if _, err := OpenRecord(t.TempDir()); err == nil {
		t.Error("a folder is a record")
	}
	f := record(t, filepath.Join(t.TempDir(), "record.jsonl"), largestRecord)
	_ = f.Close()
	if f.Add(Event{}) == nil {
		t.Error("a closed record takes events")
	}
}
