//go:build !linux

package live

import "os/exec"

// Supervise returns ok false: only Linux lets a process inherit its descendants' orphans.
func Supervise(args, env []string) (code int, ok bool) { return 0, false }

func startSupervised(*exec.Cmd) (keeper, error) { return nil, errNoSupervisor }
