package workbench

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"

	"caliper/engine/embed"
	"caliper/model"
	"caliper/model/newfile"
)

// keptFuzzy is what the workbench keeps from one process to the next, because it costs less to read
// than to compute: the index of the built-in embedder.
const keptFuzzy newfile.CacheKind = "fuzzy"

// fewestIndexed is how many tools an index must have to be kept. One of fewer is
// made in the time that it takes to write a file.
const fewestIndexed = 500

// Computed returns the folder for values computed of tools, which keeps nothing
// when there is no cache folder or the build of the program is unknown.
func (e Embedding) Computed() newfile.CacheFolder {
	if e.Cache == "" || e.Build == "" {
		return newfile.CacheFolder{}
	}
	return newfile.CacheFolder{Path: filepath.Join(e.Cache, "computed"), Build: e.Build}
}

// openFuzzy returns the index of the built-in embedder, from the folder if it is
// there. A folder that cannot be written is no error: the index is then made anew
// the next time.
func openFuzzy(ctx context.Context, tools []*model.Tool, kept newfile.CacheFolder) (*embed.FuzzyIndex, error) {
	if len(tools) < fewestIndexed {
		return embed.NewFuzzy(ctx, tools)
	}
	// An index depends on the definitions, by their hashes, on the toolsets, and on the order.
	hashes := make([]byte, 0, len(tools)*len(model.Hash{}))
	var toolsets []byte
	for _, t := range tools {
		hash := t.Content()
		hashes = append(hashes, hash[:]...)
		toolsets = append(binary.LittleEndian.AppendUint32(toolsets, uint32(len(t.Toolset))), t.Toolset...)
	}
	key := kept.KeyOf(hashes, toolsets)
	if data := kept.Read(keptFuzzy, key); data != nil {
		if x, err := embed.ReadFuzzy(tools, data); err == nil {
			return x, nil
		}
	}
	x, err := embed.NewFuzzy(ctx, tools)
	if err == nil {
		var data bytes.Buffer
		_, _ = x.WriteTo(&data)
		_ = kept.Write(keptFuzzy, key, data.Bytes())
	}
	return x, err
}
