//go:build !unix

package live

import "os/exec"

// ownGroup does nothing: there are no process groups to signal.
func ownGroup(*exec.Cmd) {}

// signalGroup ends the process of cmd. It cannot be asked to end by itself.
func signalGroup(cmd *exec.Cmd, kill bool) {
	if kill {
		_ = cmd.Process.Kill()
	}
}

// watchGroup does nothing: there are no process groups.
func watchGroup(*exec.Cmd) (dismiss func()) { return func() {} }

// findCommand returns the file of a command.
func findCommand(command string, _ []string) (string, error) {
	file, err := exec.LookPath(command)
	if err != nil {
		return "", notFound(command)
	}
	return file, nil
}
