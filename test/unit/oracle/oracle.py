#!/usr/bin/python3
"""Compares the decision tree with scikit-learn's and the cost functions with numpy and scipy.

Usage: oracle.py TREE_ORACLE. Exits with 77 (skipped) where the two packages are missing.

Data sets with tied splits are useless for this: scikit-learn breaks ties at random or by rounding. They
are found by trying every split, and passed over. Values are multiples of 2^-10, which its 32-bit features
hold exactly.
"""

import subprocess
import sys

try:
    import numpy as np
    from scipy.optimize import nnls
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

DATA_SETS = 200
FITS = 40


def classifier(case, alpha=0.0):
    return DecisionTreeClassifier(
        criterion=case["criterion"],
        class_weight="balanced" if case["balance"] else None,
        max_depth=case["depth"],
        min_samples_leaf=case["leaf"],
        ccp_alpha=alpha,
        random_state=0,
    ).fit(case["x"], case["y"])


def make_case(seed):
    random = np.random.RandomState(seed)
    rows, columns, labels = random.randint(60, 400), random.randint(2, 9), random.randint(2, 5)
    x = np.stack([random.permutation(rows * 40)[:rows] for _ in range(columns)], axis=1) / 1024.0
    score = x[:, 0] + 0.7 * x[:, 1] * random.choice([-1, 1]) + random.normal(0, x.std(), rows)
    cuts = np.quantile(score, np.sort(random.uniform(0.1, 0.9, labels - 1)))
    return {
        "x": x,
        "y": np.searchsorted(cuts, score),
        "criterion": ["gini", "entropy"][seed % 2],
        "balance": seed // 2 % 2,
        "depth": int(random.randint(1, 6)),
        "leaf": int(random.randint(1, 15)),
        "labels": labels,
    }


def masses(case, rows, column, weights):
    """Weight times impurity, both children together, of every split of the rows by the column."""
    order = rows[np.argsort(case["x"][rows, column])]
    left = np.cumsum(np.eye(case["labels"])[case["y"][order]] * weights, axis=0)
    right = left[-1] - left
    inner = slice(case["leaf"] - 1, len(rows) - case["leaf"])

    def mass(counts):
        total = counts.sum(axis=1, keepdims=True)
        share = counts / total
        if case["criterion"] == "gini":
            return (total * share * (1 - share)).sum(axis=1)
        return -(total * share * np.log2(np.where(share > 0, share, 1))).sum(axis=1)

    return mass(left[inner]), mass(right[inner])


def has_ties(case):
    """Whether some node has two splits that are equally good but for rounding."""
    model = classifier(case)
    counts = np.bincount(case["y"], minlength=case["labels"])
    weights = len(case["y"]) / (case["labels"] * counts) if case["balance"] else np.ones(case["labels"])
    paths = model.decision_path(case["x"]).toarray()
    for node in np.flatnonzero(model.tree_.children_left >= 0):
        rows = np.flatnonzero(paths[:, node])
        parts = [sum(masses(case, rows, c, weights)) for c in range(case["x"].shape[1])]
        best, second = np.sort(np.concatenate(parts))[:2]
        if second - best < 1e-9 * (1 + best):
            return True
    return False


def ask(program, question):
    answer = subprocess.run([program], input=question, capture_output=True, text=True, check=True)
    return [line.split() for line in answer.stdout.splitlines()]


def ask_tree(program, case, alpha):
    rows, columns = case["x"].shape
    lines = [
        f"tree {case['criterion']} {case['balance']} {case['depth']} {case['leaf']} {alpha!r}"
        f" {rows} {columns} {case['labels']}"
    ]
    for values, label in zip(case["x"], case["y"]):
        lines.append(" ".join(repr(float(v)) for v in values) + f" {label}")
    answer = ask(program, "\n".join(lines) + "\n")
    nodes = [[float(v) for v in line[1:]] for line in answer if line[0] == "node"]
    path = [float(v) for line in answer if line[0] == "path" for v in line[1:]]
    predictions = [int(v) for line in answer if line[0] == "predictions" for v in line[1:]]
    return nodes, path, predictions


def distinct(values):
    result = []
    for value in values:
        if not result or value > result[-1] + 1e-12:
            result.append(value)
    return result


def check(condition, seed, what):
    if not condition:
        sys.exit(f"seed {seed}: {what}")


def compare_trees(seed, nodes, tree):
    check(len(nodes) == tree.node_count, seed, f"{len(nodes)} nodes, not {tree.node_count}")
    for i, (left, right, column, threshold, impurity, weight) in enumerate(nodes):
        check(left == tree.children_left[i], seed, f"left child of node {i}")
        check(right == tree.children_right[i], seed, f"right child of node {i}")
        check(np.isclose(impurity, tree.impurity[i], atol=1e-9), seed, f"impurity of node {i}")
        check(np.isclose(weight, tree.weighted_n_node_samples[i]), seed, f"weight of node {i}")
        if left >= 0:
            check(column == tree.feature[i], seed, f"column of node {i}")
            check(threshold == tree.threshold[i], seed, f"threshold of node {i}")


def compare_predictions(seed, predictions, model, case):
    """Rows in leaves where two labels weigh the same may go either way."""
    shares = np.sort(model.predict_proba(case["x"]), axis=1)
    clear = shares[:, -1] - shares[:, -2] > 1e-9
    same = np.array(predictions) == model.predict(case["x"])
    check(np.all(same | ~clear), seed, "predictions differ")


def tree_cases(program):
    seed, done = 0, {"gini": 0, "entropy": 0}
    while sum(done.values()) < DATA_SETS:
        seed += 1
        case = make_case(seed)
        if len(set(case["y"])) < case["labels"] or has_ties(case):
            continue
        done[case["criterion"]] += 1
        model = classifier(case)
        nodes, path, predictions = ask_tree(program, case, 0.0)
        compare_trees(seed, nodes, model.tree_)
        compare_predictions(seed, predictions, model, case)
        expected = distinct(model.cost_complexity_pruning_path(case["x"], case["y"]).ccp_alphas)
        path = distinct(path)
        check(len(path) == len(expected), seed, f"pruning path {path}, not {expected}")
        check(np.allclose(path, expected, atol=1e-10), seed, f"pruning path {path}, not {expected}")
        for below, above in zip(expected, expected[1:]):
            alpha = float((below + above) / 2)
            pruned = classifier(case, alpha)
            nodes, _, predictions = ask_tree(program, case, alpha)
            compare_trees(seed, nodes, pruned.tree_)
            compare_predictions(seed, predictions, pruned, case)
    check(min(done.values()) >= DATA_SETS // 4, seed, f"too few of one criterion: {done}")
    return f"{done['gini']} + {done['entropy']} trees"


def growth(shape, power, n):
    log = np.log2(n)
    return [0 * n, log, n, n * log, n**power, n**2, n**3, 2.0 ** (power * n)][shape]


def best_fit(shape, power, n, cost):
    g = growth(shape, power, n)
    scale = g.max() if g.max() > 0 else 1.0
    matrix = np.stack([np.ones_like(n), g / scale], axis=1) / cost[:, None]
    x, norm = nnls(matrix, np.ones_like(n))
    return x[0], x[1] / scale, norm**2


def fit_cases(program):
    shapes = {0: 0, 1: 1, 2: 1, 3: 1, 4: 1.6, 5: 1, 6: 1, 7: 0.5}
    hits = 0
    for seed in range(FITS):
        random = np.random.RandomState(seed)
        shape = seed % 8
        n = np.arange(4.0, 28, 2) if shape == 7 else 2.0 ** np.arange(5, 14)
        cost = random.uniform(1, 100) * growth(shape, shapes[shape], n) + random.uniform(10, 50)
        cost *= random.uniform(0.98, 1.02, len(n))
        lines = [f"fit {len(n)}"] + [f"{a!r} {b!r}" for a, b in zip(n.tolist(), cost.tolist())]
        answer = [float(v) for v in ask(program, "\n".join(lines) + "\n")[0][1:]]
        found, power = int(answer[0]), answer[3]
        hits += found == shape
        intercept, factor, squares = best_fit(found, power, n, cost)
        check(np.isclose(answer[1], intercept, rtol=1e-6, atol=1e-6), seed, f"intercept {answer}, not {intercept}")
        check(np.isclose(answer[2], factor, rtol=1e-6), seed, f"factor {answer}, not {factor}")
        if found in (4, 7):  # no exponent or rate near or far may do better
            grid = np.linspace(0.05, 6, 400) if found == 4 else np.linspace(0.15, min(8, 900 / n.max()), 400)
            least = min(best_fit(found, p, n, cost)[2] for p in grid)
            check(squares <= least * (1 + 1e-9), seed, f"power {power} is not the best")
    check(hits >= FITS * 0.85, FITS, f"only {hits} of {FITS} shapes recognised")
    return f"{hits} of {FITS} shapes"


if __name__ == "__main__":
    print("agreed on", tree_cases(sys.argv[1]), "and", fit_cases(sys.argv[1]))
