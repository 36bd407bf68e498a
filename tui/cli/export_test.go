package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "out.json")
	for _, text := range []string{"first, which is long", "second", ""} {
		if err := writeFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(name, link); err != nil {
		t.Skip(err)
	}
	if err := writeFile(link, []byte("by the link")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "by the link" {
		t.Errorf("%q", got)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: something is left behind", entries, err)
	}
	if err := writeFile(dir, nil); err == nil || !strings.HasSuffix(err.Error(), "is a directory") {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		if err := writeFile("/dev/null", []byte("gone")); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
			t.Error("a device is replaced")
		}
	}
}
