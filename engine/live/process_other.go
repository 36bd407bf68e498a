//go:build !unix

package live

import (
	"fmt"
	"os/exec"
)

// startGroup starts cmd: there are no process groups.
func startGroup(cmd *exec.Cmd) (keeper, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &alone{cmd}, nil
}

// alone is a process that is ended by itself. It cannot be asked to end.
type alone struct{ cmd *exec.Cmd }

func (a *alone) terminate() {}
func (a *alone) kill()      { _ = a.cmd.Process.Kill() } // it may have ended
func (a *alone) dismiss()   {}

// findCommand returns the file of a command.
func findCommand(command string, _ []string) (string, error) {
	file, err := exec.LookPath(command)
	if err != nil {
		return "", cleaned{fmt.Sprintf("command %q is not found", command), exec.ErrNotFound}
	}
	return file, nil
}
