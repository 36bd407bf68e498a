//go:build unix && !linux

package main

import "time"

// limitCPU does nothing: here a process cannot limit another.
func limitCPU(int, time.Duration) error { return nil }
