"""Makes table.bin.zst and testdata/vectors.json; README.md says from what and why."""
import argparse
import collections
import json
import os
import re
import struct
import subprocess

import numpy as np
from snowballstemmer import stemmer

import corpus
import train
from teacher import Teacher

ROWS = 28_600
DIMENSION = 256
SPOKEN = 0.3  # how much the share of a word among WordNet's tagged senses adds to its frequency
CANDIDATES = 60_000  # words of the corpus, by frequency
RARE = 1e-3  # the length of a row before training is RARE / (RARE + frequency)
STEPS = 7  # numbers of a row are from -STEPS to STEPS
SHOWN = "refund reverse happy satisfaction delete remove weather forecast booking reservation invoice repository".split()
stem = stemmer("english").stemWord


def spoken(folder):
    """Returns the share of each word among the tagged senses of WordNet's concordance."""
    counts = collections.Counter()
    with open(os.path.join(folder, "cntlist.rev"), encoding="utf-8") as lines:
        for line in lines:
            sense, _, n = line.split()
            counts[sense.partition("%")[0]] += int(n)
    size = sum(counts.values())
    return {word: n / size for word, n in counts.items()}


def vocabulary(share, tagged, pieces):
    """Returns how common each candidate is. pieces are the teacher's, the most common first: those that
    are whole words come with the frequency that Zipf's law gives their rank."""
    score = {w: p + SPOKEN * tagged.get(w, 0) for w, p in share.items() if 2 <= len(w) <= 20}
    words = sorted(score, key=lambda w: (-score[w], w))[:CANDIDATES]
    whole = [w for w in pieces if re.fullmatch("[a-z]{2,20}", w)]
    ranked = {w: 0.05 / (i + 100) for i, w in enumerate(whole)}
    return {w: (share.get(w, 0) + ranked.get(w, 0)) / 2 + 1e-7 for w in sorted({*words, *whole})}


def stems(common):
    """Returns the words of the most common stems, sorted by stem: [(stem, words)], the most common
    word first."""
    groups = collections.defaultdict(list)
    for word in common:
        groups[stem(word)].append(word)
    most = sorted(groups, key=lambda s: (-sum(common[w] for w in groups[s]), s))[:ROWS]
    return [(s, sorted(groups[s], key=lambda w: (-common[w], w))) for s in sorted(most)]


def remembered(teacher, texts, folder):
    """Returns the teacher's vectors of texts. Those that were made before are read from the folder."""
    path = os.path.join(folder, "vectors.npz")
    known = {}
    if os.path.exists(path):
        with np.load(path) as f:
            known = dict(zip(f["texts"].tolist(), f["vectors"]))
    new = [t for t in dict.fromkeys(texts) if t not in known]
    for start in range(0, len(new), 10_000):
        part = new[start : start + 10_000]
        known.update(zip(part, teacher.encode(part).astype(np.float16)))
        np.savez(path, texts=np.array(list(known)), vectors=np.array(list(known.values())))
        print(f"{start + len(part)} of {len(new)} texts", flush=True)
    return np.array([known[t] for t in texts], np.float32)


def whole_numbers(vectors):
    """Returns rows of numbers from -STEPS to STEPS, each with the scale that turns it least."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    most, best, rows = np.abs(unit).max(1, keepdims=True), np.full(len(unit), -1.0), np.zeros(unit.shape, np.int8)
    for part in np.linspace(0.35, 1, 14):
        tried = np.clip(np.rint(unit / (most * part) * STEPS), -STEPS, STEPS)
        cosine = (tried * unit).sum(1) / np.maximum(np.linalg.norm(tried, axis=1), 1e-9)
        better = cosine > best
        rows[better], best[better] = tried[better], cosine[better]
    return rows


def main():
    p = argparse.ArgumentParser()
    for name in ("model", "tokenizer", "debian", "wordnet", "registry"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--work", required=True, help="folder for the teacher's vectors, which take the most time")
    p.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    a = p.parse_args()
    found = corpus.texts(corpus.debian(a.debian), corpus.wordnet(a.wordnet), corpus.registry(a.registry))
    teacher = Teacher(a.model, a.tokenizer)
    common = vocabulary(corpus.frequencies(found), spoken(a.wordnet), teacher.pieces())
    groups = stems(common)
    row_of = {s: i for i, (s, _) in enumerate(groups)}

    texts = corpus.taken(found)
    y = remembered(teacher, texts, a.work)
    y -= y.mean(0)
    _, directions = np.linalg.eigh((y.T @ y).astype(np.float64))
    directions = directions[:, ::-1][:, :DIMENSION]
    directions = (directions * np.sign(directions[np.abs(directions).argmax(0), np.arange(DIMENSION)])).astype(np.float32)
    y = y @ directions
    y /= np.linalg.norm(y, axis=1, keepdims=True)

    words = [w for _, group in groups for w in group]
    x = remembered(teacher, words, a.work)
    x = (x - x.mean(0)) @ directions
    single = dict(zip(words, x / np.linalg.norm(x, axis=1, keepdims=True)))
    table = np.zeros((len(groups), DIMENSION), np.float32)
    for i, (_, group) in enumerate(groups):
        share = np.array([common[w] for w in group], np.float32)
        v = share @ np.array([single[w] for w in group])
        table[i] = v / np.linalg.norm(v) * (RARE / (RARE + share.sum()))
    table = train.train(table, train.bags([[stem(w) for w in corpus.words(t)] for t in texts], row_of.get, len(table)), y)
    np.save(os.path.join(a.work, "table.npy"), table)

    length = np.linalg.norm(table, axis=1)
    weights = np.clip(np.rint(255 * length / np.quantile(length, 0.999)), 1, 255).astype(np.uint8)
    rows = whole_numbers(table)
    write(os.path.join(a.out, "table.bin"), groups, rows, weights)
    subprocess.run(["zstd", "-q", "-f", "--rm", "--ultra", "-22", "--no-check", os.path.join(a.out, "table.bin")], check=True)
    golden(os.path.join(a.out, "testdata", "vectors.json"), groups, table, rows, weights)


def write(path, groups, rows, weights):
    """Writes the table in the form that the reader's page says."""
    with open(path, "wb") as f:
        f.write(b"caliper words 2\n" + struct.pack("<II", len(rows), DIMENSION) + weights.tobytes())
        f.write(((rows[:, ::2] & 15) | (rows[:, 1::2] << 4)).astype(np.uint8).tobytes())
        for s, (word, *_) in groups:
            same = len(os.path.commonprefix([s, word]))
            f.write((s if s == word else f"{s}\t{len(s) - same}{word[same:]}").encode() + b"\n")


def golden(path, groups, table, rows, weights):
    """Writes what the reader has to find: vectors before they were rounded, and the nearest words."""
    whole = rows.astype(np.int64)
    norms = np.sqrt((whole * whole).sum(1))
    out = []
    for word in SHOWN:
        i = next(i for i, (s, _) in enumerate(groups) if s == stem(word))
        similarity = whole @ whole[i] / (norms * norms[i])
        near = sorted((j for j in range(len(rows)) if j != i), key=lambda j: (-similarity[j], groups[j][0]))[:5]
        out.append({"word": word, "weight": int(weights[i]), "vector": [round(float(x), 4) for x in table[i]],
                    "near": [{"word": groups[j][1][0], "similarity": float(similarity[j])} for j in near]})
    with open(path, "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(json.dumps(x) for x in out) + "\n]\n")


main()
