package event

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestRoundTrip: what is appended is one line, and is read as it was.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[\x00-\x{2fff}]{0,12}`)
		e := Event{V: Version, Time: time.UnixMilli(rapid.Int64Range(0, 1<<41).Draw(t, "time")).UTC(), Seq: rapid.IntRange(1, 9).Draw(t, "seq"),
			Session: text.Draw(t, "session"), Connection: text.Draw(t, "connection"), Kind: Search, Client: &Client{Name: text.Draw(t, "client")},
			Request: &Request{Queries: rapid.SliceOfN(text, 1, 3).Draw(t, "queries")}, Error: text.Draw(t, "error")}
		line, err := Append(nil, e)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("%q, %v", line, err)
		}
		if got, ok := Parse(line); !ok || !reflect.DeepEqual(got, e) {
			t.Fatalf("%+v is read as %+v", e, got)
		}
	})
	for _, line := range []string{"", "{}", `{"v":2,"kind":"list"}`, `{"v":1}`, `{"v":1,"kind":"li`, `[]`} {
		if e, ok := Parse([]byte(line)); ok {
			t.Errorf("%s is read as %+v", line, e)
		}
	}
}

// record opens a record that is full after so many bytes.
func record(t *testing.T, path string, most int64) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
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
				if err := f.Add(Event{V: Version, Kind: List, Error: strings.Repeat("x", 100)}); err != nil {
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
			if _, ok := Parse(line); ok {
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
	if err := os.WriteFile(path, []byte(`{"v":1,"kind":"li`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := record(t, path, most).Add(Event{V: Version, Kind: List}); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if _, ok := Parse(lines[len(lines)-1]); !ok || len(lines) != 2 {
		t.Errorf("the file is %q", data)
	}
}

// TestFault: a record that cannot be written says so, each time.
func TestFault(t *testing.T) {
	t.Parallel()
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder is a record")
	}
	f := record(t, filepath.Join(t.TempDir(), "record.jsonl"), most)
	_ = f.Close()
	if f.Add(Event{}) == nil {
		t.Error("a closed record takes events")
	}
}
