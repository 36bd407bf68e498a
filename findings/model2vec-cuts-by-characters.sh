#!/usr/bin/env bash
# A good engineer would guess: StaticModel.encode of model2vec reads the first 512 tokens of a text, as max_length=512 says
# ("the maximum length of the tokens"), so that a tool's description of 120 words is read whole.
#
# True of model2vec 0.10.0 (PyPI, 2026-11): before it tokenizes, it cuts the text at 512 times the median length of the
# vocabulary's tokens, in characters. In a vocabulary with more Chinese characters than English words the median is 1, so
# that an English text ends after 512 characters, some 64 to 90 words: what stands behind adds nothing to the vector, and
# nothing says so. max_length=None reads all.
#
# Output seen (how much the last word of a text adds to its vector, by default and with max_length=None):
#   median length of a token: 1
#   64 words, 510 characters: 0.0156 0.0156
#   120 words, 958 characters: 0.0000 0.0083
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv env && env/bin/pip install -q --disable-pip-version-check model2vec==0.10.0 tokenizers==0.23.3 numpy==2.4.6
env/bin/python - <<'EOF' | tee seen
import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, pre_tokenizers

tokens = ["[UNK]", "payment", "refund", *"天地人山水火木金土日月星"]
tokenizer = Tokenizer(models.WordLevel({t: i for i, t in enumerate(tokens)}, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
model = StaticModel(np.eye(len(tokens), dtype=np.float32), tokenizer)
print("median length of a token:", model.median_token_length)
for n in (64, 120):
    text = " ".join(["payment"] * (n - 1) + ["refund"])
    last = [f"{v[tokens.index('refund')]:.4f}" for v in (model.encode(text), model.encode(text, max_length=None))]
    print(f"{n} words, {len(text)} characters:", *last)
EOF
diff seen - <<'EOF'
median length of a token: 1
64 words, 510 characters: 0.0156 0.0156
120 words, 958 characters: 0.0000 0.0083
EOF
