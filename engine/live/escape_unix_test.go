//go:build unix

package live

import (
	"os/exec"
	"syscall"
)

// escape makes a command leave the process group of its parent.
func escape(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
