"""The texts that words are counted in: descriptions of Debian's packages, the glosses and examples of
WordNet, and the descriptions of published MCP servers. None of them is a text that tool search is
measured on."""
import collections
import json
import os
import re

import lz4.frame

SHARES = {"debian": 0.45, "wordnet": 0.45, "registry": 0.10}  # of a word's frequency


def debian(path):
    """Yields the descriptions in an index of translations (Translation-en.lz4) of a release."""
    for block in lz4.frame.open(path, "rt", encoding="utf-8").read().split("\n\n"):
        found = re.search(r"^Description-en: (.*)\n((?: .*\n?)*)", block, re.M)
        if found:
            yield found[1]
            for paragraph in found[2].split("\n .\n"):
                yield " ".join(line.strip() for line in paragraph.split("\n"))


def wordnet(folder):
    """Yields the glosses and examples of the files data.* of WordNet 3.0."""
    for kind in ("noun", "verb", "adj", "adv"):
        with open(os.path.join(folder, "data." + kind), encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith("  "):
                    yield line.partition("|")[2]


def registry(path):
    """Yields the names and descriptions of tools and their parameters."""
    def parameters(schema):
        if not isinstance(schema, dict):
            return
        for name, value in (schema.get("properties") or {}).items():
            yield name
            if isinstance(value, dict):
                if isinstance(value.get("description"), str):
                    yield value["description"]
                yield from parameters(value)
        yield from parameters(schema.get("items"))

    with open(path, encoding="utf-8") as file:
        for tool in json.load(file)["tools"]:
            f = tool["function"]
            yield f["name"].removeprefix("mcp_")
            yield f.get("description") or ""
            yield from parameters(f.get("parameters"))


def words(text):
    """Returns the words of a text, cut at changes of case, in lower case."""
    return re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", text).lower())


def frequencies(sources):
    """Returns the share that each word has of the words of all sources, {name: texts}; a text counts
    once in a source."""
    total = collections.Counter()
    for name, texts in sources.items():
        counts = collections.Counter()
        for text in dict.fromkeys(texts):
            counts.update(words(text))
        size = sum(counts.values())
        for word, n in counts.items():
            total[word] += SHARES[name] * n / size
    return total
