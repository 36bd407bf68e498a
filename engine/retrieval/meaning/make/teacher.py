"""The teacher: texts to vectors, as sentence-transformers computes them."""
import numpy as np
import onnxruntime
from tokenizers import Tokenizer

TOKENS = 1024  # in a batch


class Teacher:
    """An encoder in the form of ONNX, whose vector of a text is the mean over all tokens. prefix stands
    before each text, as e5 wants it."""

    def __init__(self, model, tokenizer, longest=256, threads=1, prefix=""):
        self.prefix = prefix
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def pieces(self):
        """Returns the pieces of words that it knows, in the order of their numbers."""
        known = self.tokenizer.get_vocab()
        return sorted(known, key=known.get)

    def encode(self, texts):
        """Returns one vector of unit length a text. Texts of nearly one length make a batch."""
        tokens = [e.ids for e in self.tokenizer.encode_batch([self.prefix + t for t in texts])]
        order = sorted(range(len(tokens)), key=lambda i: (len(tokens[i]), i))
        vectors = [None] * len(tokens)
        while order:
            n, first = 1, len(tokens[order[0]])
            while n < len(order) and len(tokens[order[n]]) <= 1.3 * first + 1 and len(tokens[order[n]]) * (n + 1) <= TOKENS:
                n += 1
            batch, order = order[:n], order[n:]
            ids = np.zeros((n, len(tokens[batch[-1]])), np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(tokens[i])], mask[row, : len(tokens[i])] = tokens[i], 1
            x = self.session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0]
            for i, v in zip(batch, (x * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]):
                vectors[i] = v / np.linalg.norm(v)
        return np.array(vectors, np.float32)
