package replay

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"

	"caliper/model"

	"go.yaml.in/yaml/v3"
)

//go:embed prices.yaml
var builtInPrices []byte

// maxPriceList is the largest list that is read, in bytes.
const maxPriceList = 1 << 20

// BuiltInPrices returns the list that comes with caliper.
var BuiltInPrices = sync.OnceValue(func() PriceList {
	l, err := ReadPrices("prices.yaml", builtInPrices)
	if err != nil {
		panic(err) // a test reads it
	}
	return l
})

// ReadPrices returns the list of a file's bytes. The error is a model.Diagnostic with the
// file, and the place where there is one: bytes that are no YAML, more than 1 MB, a key that
// no list has, or a price that is missing, negative or no number.
func ReadPrices(file string, data []byte) (PriceList, error) {
	if len(data) > maxPriceList {
		return PriceList{}, model.Diagnostic{File: file, Message: fmt.Sprintf("a list of prices has at most %d bytes", maxPriceList)}
	}
	var doc struct {
		AsOf     yaml.Node            `yaml:"as_of"`
		Currency string               `yaml:"currency"`
		Models   map[string]yaml.Node `yaml:"models"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil && err != io.EOF {
		return PriceList{}, model.Diagnostic{File: file, Message: err.Error()}
	}
	if len(doc.Models) == 0 {
		return PriceList{}, model.Diagnostic{File: file, Message: "no models"}
	}
	l := PriceList{AsOf: doc.AsOf.Value, Currency: doc.Currency, families: make(map[string]Price, len(doc.Models))}
	first := 0 // the line of the first fault
	var fault error
	for _, family := range slices.Sorted(maps.Keys(doc.Models)) {
		node := doc.Models[family]
		p, err := priceOf(&node)
		if err != nil && (fault == nil || node.Line < first) {
			first, fault = node.Line, model.Diagnostic{File: file, Line: node.Line, Col: node.Column, Path: family, Message: err.Error()}
		}
		if p.AsOf == "" {
			p.AsOf = l.AsOf
		}
		l.families[familyOf(family)] = p
	}
	if fault == nil && len(l.families) < len(doc.Models) {
		fault = model.Diagnostic{File: file, Message: "a family is there twice, with other capitals or dots"}
	}
	return l, fault
}

// priceOf returns the price that a line of the list has.
func priceOf(node *yaml.Node) (Price, error) {
	var line struct {
		Input      *float64  `yaml:"input"`
		CacheRead  *float64  `yaml:"cache_read"`
		CacheWrite *float64  `yaml:"cache_write"`
		Output     *float64  `yaml:"output"`
		AsOf       yaml.Node `yaml:"as_of"`
		Changes    string    `yaml:"tool_changes"`
	}
	if err := node.Decode(&line); err != nil {
		return Price{}, err
	}
	var p Price
	for _, f := range []struct {
		name  string
		given *float64
		to    *float64
	}{
		{"input", line.Input, &p.Input},
		{"cache_read", line.CacheRead, &p.CacheRead},
		{"cache_write", line.CacheWrite, &p.CacheWrite},
		{"output", line.Output, &p.Output},
	} {
		switch {
		case f.given == nil:
			return Price{}, fmt.Errorf("want a price for %s", f.name)
		case !(*f.given >= 0) || math.IsInf(*f.given, 0):
			return Price{}, fmt.Errorf("%s: want a price that is not negative", f.name)
		}
		*f.to = *f.given
	}
	p.AsOf, p.ToolChanges = line.AsOf.Value, line.Changes
	return p, nil
}
