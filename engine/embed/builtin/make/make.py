"""Makes table.bin and testdata/vectors.json; README.md says from what and why."""
import argparse
import collections
import json
import os
import struct

import numpy as np

import corpus
from teacher import Teacher

WORDS = 27_000
DIMENSION = 128
SPOKEN = 0.3  # how much the share of a word among WordNet's tagged senses adds to its frequency
RARE = 1e-3  # weight = RARE / (RARE + frequency)
SHOWN = "refund reverse happy satisfaction delete remove weather forecast booking reservation invoice repository the".split()


def spoken(folder):
    """Returns the share of each word among the tagged senses of WordNet's concordance."""
    counts = collections.Counter()
    with open(os.path.join(folder, "cntlist.rev"), encoding="utf-8") as lines:
        for line in lines:
            sense, _, n = line.split()
            counts[sense.partition("%")[0]] += int(n)
    size = sum(counts.values())
    return {word: n / size for word, n in counts.items()}


def vocabulary(frequency, tagged):
    """Returns the words of the table, sorted."""
    score = {w: p + SPOKEN * tagged.get(w, 0) for w, p in frequency.items() if 2 <= len(w) <= 20}
    return sorted(sorted(score, key=lambda w: (-score[w], w))[:WORDS])


def reduce(vectors):
    """Returns unit vectors of the DIMENSION directions in which the vectors differ most."""
    x = vectors.astype(np.float64)
    x -= x.mean(0)
    _, _, directions = np.linalg.svd(x, full_matrices=False)
    signs = np.sign(directions[np.arange(len(directions)), np.abs(directions).argmax(1)])
    y = x @ (directions * signs[:, None])[:DIMENSION].T
    return y / np.linalg.norm(y, axis=1, keepdims=True)


def main():
    p = argparse.ArgumentParser()
    for name in ("model", "tokenizer", "debian", "wordnet", "registry"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    a = p.parse_args()
    frequency = corpus.frequencies({"debian": corpus.debian(a.debian), "wordnet": corpus.wordnet(a.wordnet),
                                    "registry": corpus.registry(a.registry)})
    words = vocabulary(frequency, spoken(a.wordnet))
    vectors = reduce(Teacher(a.model, a.tokenizer).encode(words))
    rows = np.rint(vectors / np.abs(vectors).max(1, keepdims=True) * 127).astype(np.int8)
    share = np.array([frequency[w] for w in words])
    weights = np.maximum(1, np.rint(255 * RARE / (RARE + share))).astype(np.uint8)
    with open(os.path.join(a.out, "table.bin"), "wb") as f:
        f.write(b"caliper words 1\n" + struct.pack("<III", len(words), len(rows), DIMENSION))
        f.write(np.arange(len(words), dtype="<u2").tobytes() + weights.tobytes() + rows.tobytes())
        f.write("".join(w + "\n" for w in words).encode())
    golden(os.path.join(a.out, "testdata", "vectors.json"), words, vectors, rows, weights)


def golden(path, words, vectors, rows, weights):
    """Writes what the reader has to find: vectors before they were rounded, and the nearest words."""
    whole = rows.astype(np.int64)
    norms = np.sqrt((whole * whole).sum(1))
    out = []
    for word in SHOWN:
        i = words.index(word)
        similarity = whole @ whole[i] / (norms * norms[i])
        near = sorted((j for j in range(len(words)) if j != i), key=lambda j: (-similarity[j], words[j]))[:5]
        out.append({"word": word, "weight": int(weights[i]), "vector": [round(float(x), 6) for x in vectors[i]],
                    "near": [{"word": words[j], "similarity": float(similarity[j])} for j in near]})
    with open(path, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(x) for x in out) + "\n]\n")


main()
