package workbench

import "caliper/config"

// OriginWords returns where a context length comes from, as both faces print
// it.
func OriginWords(o config.ContextOrigin) string {
	switch o {
	case config.ContextTable:
		return "table " + config.ModelTableDate[:len("2026-06")]
	case config.ContextUnknown:
		return "no model named"
	}
	return string(o)
}
