package engine

import (
	"fmt"
	"slices"

	"caliper/model/safetext"
)

// The gates that Inputs.WithoutGates may name, which are the two scope gates.
const (
	GateScopeCatalog  = "scope_catalog"
	GateScopeExecutor = "scope_executor"
)

// removableGates are the gates that can be left out of a dry run, in the order
// in which they are asked.
var removableGates = []string{GateScopeCatalog, GateScopeExecutor}

// ParseRemovableGate returns the gate of a name. The error names those that can
// be left out.
func ParseRemovableGate(name string) (string, error) {
	if !slices.Contains(removableGates, name) {
		return "", fmt.Errorf("gate %q: want %s or %s", safetext.Line(name), GateScopeCatalog, GateScopeExecutor)
	}
	return name, nil
}

// WithoutGates returns the scope gates that the snapshot is built without.
func (s *Snapshot) WithoutGates() []string { return s.inputs.WithoutGates }

// lacks reports whether a gate is left out.
//
// SECURITY: only a dry run asks. A snapshot that lacks a gate must never be
// served to an agent.
func (s *Snapshot) lacks(gate string) bool { return slices.Contains(s.inputs.WithoutGates, gate) }

// passWithout is the detail of a gate that was left out.
const passWithout = "left out: everything passes"
