//go:build !linux

package live

import "os/exec"

// Supervise returns ok false: only Linux lets a process inherit the orphans
// among its descendants.
func Supervise(args, env []string) (code int, ok bool) { return 0, false }

// startSupervised returns errNoSupervisor.
func startSupervised(*exec.Cmd) (keeper, error) { return nil, errNoSupervisor }
