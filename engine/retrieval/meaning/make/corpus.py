"""The texts that the table is trained on and words are counted in: descriptions of Debian's packages,
the glosses and examples of WordNet, and the descriptions of published MCP servers. None of them is a
text that tool search is measured on."""
import collections
import json
import os
import random
import re

import lz4.frame

LONGEST = 300  # characters of a text that is trained on
TAKEN = {  # how many texts of a kind are trained on, at most
    "debian-short": 60_000, "debian-long": 35_000, "wordnet-gloss": 40_000, "wordnet-example": 25_000,
    "registry-text": 10**9, "registry-parameter": 10**9, "registry-name": 10**9, "registry-tool": 10**9,
}
SHARES = {"debian": 0.45, "wordnet": 0.45, "registry": 0.10}  # of a word's frequency


def sentences(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)


def debian(path):
    """Yields the kinds and texts of an index of translations (Translation-en.lz4) of a release."""
    for block in lz4.frame.open(path, "rt", encoding="utf-8").read().split("\n\n"):
        found = re.search(r"^Description-en: (.*)\n((?: .*\n?)*)", block, re.M)
        if not found:
            continue
        yield "debian-short", found[1]
        for paragraph in re.split(r"\n \.\n", found[2]):
            text = " ".join(line.strip() for line in paragraph.split("\n"))
            if text.lower().startswith(("this package", "this dummy")) and len(text) < 60:
                continue  # thousands say the same
            for sentence in sentences(text):
                if len(sentence) > 20:
                    yield "debian-long", sentence[:400]


def wordnet(folder):
    """Yields the kinds and texts of the files data.* of WordNet 3.0."""
    for part in ("noun", "verb", "adj", "adv"):
        with open(os.path.join(folder, "data." + part), encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("  "):
                    continue  # the licence
                parts = [x.strip() for x in line.partition("|")[2].strip().split("; ")]
                yield "wordnet-gloss", "; ".join(x for x in parts if not x.startswith('"'))
                for x in parts:
                    if x.startswith('"'):
                        yield "wordnet-example", x.strip('"')


def registry(path):
    """Yields the kinds and texts of a dump of tools."""
    def parameters(schema, depth=0):
        if not isinstance(schema, dict):
            return
        named = schema.get("properties")
        for value in named.values() if isinstance(named, dict) else ():
            if isinstance(value, dict):
                if isinstance(value.get("description"), str):
                    yield value["description"][:400]
                if depth < 5:
                    yield from parameters(value, depth + 1)
        yield from parameters(schema.get("items"), depth)

    with open(path, encoding="utf-8") as file:
        for tool in json.load(file)["tools"]:
            f = tool["function"]
            name = re.sub(r"^mcp_", "", re.sub(r"([a-z])([A-Z])", r"\1 \2", f["name"]))
            name = re.sub(r"[_\-]+", " ", name)
            text = f.get("description") or ""
            yield "registry-name", name
            yield "registry-tool", name + ": " + text[:400]
            for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n+", text):
                yield "registry-text", sentence[:400]
            for description in parameters(f.get("parameters")):
                yield "registry-parameter", description


def texts(*sources):
    """Returns the texts of all sources by kind, each text once."""
    found, seen = {}, set()
    for source in sources:
        for kind, text in source:
            text = re.sub(r"\s+", " ", text).strip()
            if len(text) >= 3 and text not in seen:
                seen.add(text)
                found.setdefault(kind, []).append(text)
    return found


def taken(found):
    """Returns the texts that are trained on, in a fixed order without any meaning."""
    chance = random.Random(5)
    chosen = []
    for kind, most in TAKEN.items():
        of_kind = list(found[kind])
        chance.shuffle(of_kind)
        chosen += [text[:LONGEST] for text in of_kind[:most]]
    chance.shuffle(chosen)
    return chosen


def words(text):
    """Returns the words of a text in lower case: runs of letters and digits, cut at changes of case."""
    cut = []
    for run in re.findall("[A-Za-z0-9]+", text):
        pieces = [run] if run.islower() else re.findall("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+", run)
        cut += [p.lower() for p in pieces] if len(pieces) > 1 else [run.lower()]
    return cut


def frequencies(found):
    """Returns the share that each word of letters has of the words of the texts."""
    counts = collections.defaultdict(collections.Counter)
    for kind, of_kind in found.items():
        if kind != "registry-tool":  # it repeats the others
            for text in of_kind:
                counts[kind.split("-")[0]].update(w for w in words(text) if w.isalpha())
    share = collections.Counter()
    for source, of_source in counts.items():
        size = sum(of_source.values())
        for word, n in of_source.items():
            share[word] += SHARES[source] * n / size
    return share
