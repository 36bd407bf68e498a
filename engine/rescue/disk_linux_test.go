package rescue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a disk from a process of its own: once against a limit on
// the size of a file, once on a small file system in a namespace of its own.
func TestFullDisk(t *testing.T) {
	for _, role := range []string{"limited", "small"} {
		t.Run(role, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), job+"="+role+jobMark+t.TempDir())
			if role == "small" {
				cmd.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
					UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
				}
			}
			out, err := cmd.CombinedOutput()
			text := string(out)
			switch {
			case strings.HasPrefix(text, "skip:"), err != nil && cmd.ProcessState == nil:
				t.Skipf("%s%v", text, err)
			case err != nil:
				t.Fatalf("%s%v", text, err)
			}
			t.Log(text)
		})
	}
}

// fill puts results until none fits any more, and then checks that the error
// is clear, that everything stored before is there, and that the store works
// on.
func fill(role, dir string) error {
	if role == "small" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,nr_inodes=200"); err != nil {
			fmt.Println("skip:", err)
			return nil
		}
	}
	s, err := OpenStore(filepath.Join(dir, "store"), StoreOptions{})
	if err != nil {
		return err
	}
	if role == "limited" {
		limit := syscall.Rlimit{Cur: 100_000, Max: 100_000}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			fmt.Println("skip:", err)
			return nil
		}
	}
	ctx := context.Background()
	text := func(i, size int) string { return strings.Repeat(fmt.Sprintln("result", i), size) }
	failures := map[string]int{}
	var stored []string
	for i := range 120 {
		content := text(i, 1+i*137%11_000)
		m, err := s.Put(ctx, "s", "", Text, []byte(content))
		if err != nil {
			var f *StoreFull
			if !errors.As(err, &f) || f.Err == nil {
				return fmt.Errorf("put %d: %T %w, not a *Full", i, err, err)
			}
			failures[err.Error()]++
			continue
		}
		if m.ID != ID([]byte(content)) {
			return fmt.Errorf("put %d: id %s", i, m.ID)
		}
		stored = append(stored, content)
	}
	if len(failures) == 0 || len(stored) == 0 {
		return fmt.Errorf("%d stored, failures: %v", len(stored), failures)
	}
	check := func() error {
		for _, content := range stored {
			_, data, err := s.Open(ctx, "s", ID([]byte(content)))
			if err != nil || string(data) != content {
				return fmt.Errorf("%s: not whole: %w", ID([]byte(content)), err)
			}
		}
		return nil
	}
	if err := check(); err != nil {
		return err
	}
	w, err := s.Sweep(ctx, false)
	if err != nil {
		return err
	}
	if w != (Swept{}) {
		return fmt.Errorf("failed puts left %+v", w)
	}
	if err := check(); err != nil {
		return err
	}
	for message, n := range failures {
		fmt.Printf("%d of 120 times: %s\n", n, message)
	}
	return nil
}
