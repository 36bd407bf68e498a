//go:build unix

package live

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// ownGroup makes cmd the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// startGroup starts cmd as the leader of a process group, with a watchdog that kills the group
// when this process ends without dismissing it. The watchdog reads from a pipe that only this
// process holds open. It may fail to start.
func startGroup(cmd *exec.Cmd) (keeper, error) {
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd.Process.Pid, func() {}}
	read, write, err := os.Pipe()
	if err != nil {
		return g, nil
	}
	dog := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", fmt.Sprintf("read x; kill -s KILL -- -%d", g.leader)},
		Env: []string{}, Stdin: read}
	ownGroup(dog) // so that an interrupt of the terminal does not reach it
	err = dog.Start()
	_ = read.Close() // the watchdog has its own
	if err != nil {
		_ = write.Close()
		return g, nil
	}
	g.dog = func() {
		_ = dog.Process.Kill()
		_ = dog.Wait() // it was killed
		_ = write.Close()
	}
	return g, nil
}

// group is a process group.
type group struct {
	leader int
	dog    func() // dismisses the watchdog
}

func (g *group) terminate() { _ = syscall.Kill(-g.leader, syscall.SIGTERM) } // nobody left is the goal
func (g *group) kill()      { _ = syscall.Kill(-g.leader, syscall.SIGKILL) }
func (g *group) dismiss()   { g.dog() }

// findCommand returns the file of a command: itself, or the first in the PATH of its environment.
func findCommand(command string, env []string) (string, error) {
	if strings.Contains(command, "/") {
		return command, nil
	}
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue // SECURITY: never a file of the folder one happens to be in
		}
		file := filepath.Join(dir, command)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", cleaned{fmt.Sprintf("command %q is not found", command), exec.ErrNotFound}
}
