package tui

import "caliper/engine/replay/price"

// ArePrices reports whether a file has prices that can be read. A file that is being
// written is looked at again.
func ArePrices(path string, data []byte) bool {
	_, err := price.Read(path, data)
	return err == nil
}
