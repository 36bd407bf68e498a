"""Trains rows so that their sums are like the teacher's vectors of texts."""
import numpy as np
import scipy.sparse as sparse

EPOCHS = 6
BATCH = 1024
RATE = 3e-3
LIKENESS = 0.1  # the weight of the second loss
WARMTH = 0.1  # of the second loss


def bags(texts, row_of, rows):
    """Returns a matrix with a row a text: 1 + ln of how often it has each row of the table."""
    at, row = [], []
    for i, words in enumerate(texts):
        for word in words:
            r = row_of(word)
            if r is not None:
                at.append(i)
                row.append(r)
    x = sparse.csr_matrix((np.ones(len(row), np.float32), (at, row)), shape=(len(texts), rows))
    x.sum_duplicates()
    x.data = 1 + np.log(x.data)
    return x


def train(table, x, y, log=print):
    """Returns the table after training. x has the bags of texts and y the teacher's vectors of them,
    of unit length. Two losses are added: 1 - cosine(sum of rows, y), and LIKENESS times the divergence
    of how the likeness of each text to the others of its batch is spread (softmax of cosine / WARMTH)
    from how the teacher spreads it. The steps are those of Adam, for the rows that a batch has."""
    known = np.diff(x.indptr) > 0
    x, y = x[known], y[known]
    e, mean, square = table.astype(np.float32).copy(), np.zeros_like(table), np.zeros_like(table)
    chance, step, steps = np.random.default_rng(0), 0, EPOCHS * (x.shape[0] // BATCH)
    for epoch in range(EPOCHS):
        order, loss = chance.permutation(x.shape[0]), 0.0
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            b, target = x[batch], y[batch]
            rows, place = np.unique(b.indices, return_inverse=True)
            b = sparse.csr_matrix((b.data, place.astype(np.int32), b.indptr), shape=(BATCH, len(rows)))
            sums = b @ e[rows]
            length = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
            unit = sums / length
            cosine = (unit * target).sum(1, keepdims=True)
            loss += 1 - float(cosine.mean())
            gradient = -(target - unit * cosine) / length / BATCH
            spread = (softmax(unit @ unit.T) - softmax(target @ target.T)) / WARMTH / BATCH
            toward = spread @ unit + spread.T @ unit
            gradient += LIKENESS * (toward - unit * (toward * unit).sum(1, keepdims=True)) / length
            gradient = b.T @ gradient
            step += 1
            mean[rows] = m = 0.9 * mean[rows] + 0.1 * gradient
            square[rows] = s = 0.999 * square[rows] + 0.001 * gradient * gradient
            rate = RATE * min(1, step / 50) * (1 - step / (steps + 1))
            e[rows] -= rate * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
        log(f"epoch {epoch + 1}: 1 - cosine {loss / (len(order) // BATCH):.4f}")
    return e


def softmax(likeness):
    """Returns how likeness is spread in each row, without that of a text to itself."""
    likeness = likeness / WARMTH
    np.fill_diagonal(likeness, -np.inf)
    likeness = np.exp(likeness - likeness.max(1, keepdims=True))
    return likeness / likeness.sum(1, keepdims=True)
