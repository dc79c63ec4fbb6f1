#!/usr/bin/python3
"""Compares forest, logistic regression and tree with scikit-learn's on the same splits.

Usage: learners_oracle.py LEARNERS_ORACLE. Exits with 77 (skipped) where scikit-learn is missing. The tree must
predict the same (the data has no ties); for the others the mean balanced accuracy must agree within 0.02.
"""

import subprocess
import sys

try:
    import numpy as np
    from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def data_sets():
    for load in (load_breast_cancer, load_digits, load_wine):
        yield load(return_X_y=True)
    for seed in range(3):
        yield make_classification(800, 20, n_informative=6, n_classes=4, weights=[0.5, 0.3, 0.1], flip_y=0.05,
                                  random_state=seed)


def splits(x, y, seed):
    order = np.random.RandomState(seed).permutation(len(y))
    cut = len(y) * 2 // 3
    return x[order], y[order], cut


def ask(program, kind, x, y, cut):
    lines = [f"{kind} {cut} {len(y) - cut} {x.shape[1]} {y.max() + 1}"]
    lines += [" ".join(repr(float(v)) for v in row) + f" {label}" for row, label in zip(x, y)]
    answer = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return np.array([int(v) for v in answer.stdout.split()])


def model(kind):
    if kind == "forest":
        return RandomForestClassifier(200, class_weight="balanced", min_samples_leaf=2, random_state=1)
    return make_pipeline(StandardScaler(), LogisticRegression(C=1, class_weight="balanced", max_iter=2000))


def main(program):
    for kind in ("forest", "logistic"):
        ours, theirs = [], []
        for x, y in data_sets():
            for seed in range(2):
                a, b, cut = splits(x, y, seed)
                ours.append(balanced_accuracy_score(b[cut:], ask(program, kind, a, b, cut)))
                theirs.append(balanced_accuracy_score(b[cut:], model(kind).fit(a[:cut], b[:cut]).predict(a[cut:])))
        print(f"{kind}: ours {np.mean(ours):.4f}, scikit-learn {np.mean(theirs):.4f}, largest difference "
              f"{np.max(np.abs(np.subtract(ours, theirs))):.4f}")
        if abs(np.mean(ours) - np.mean(theirs)) > 0.02:
            sys.exit(f"{kind} differs")
    # Distinct values, and labels that one column decides at every node: no ties.
    for seed in range(10):
        random = np.random.RandomState(seed)
        x = np.stack([random.permutation(600) for _ in range(4)], axis=1) / 8.0
        y = (x[:, 0] > 30).astype(int) + (x[:, 1] > 50).astype(int)
        theirs = DecisionTreeClassifier(max_depth=12, min_samples_leaf=5, class_weight="balanced", random_state=0)
        expected = theirs.fit(x[:400], y[:400]).predict(x[400:])
        if not np.array_equal(ask(program, "tree", x, y, 400), expected):
            sys.exit(f"tree differs for seed {seed}")
    print("tree: the same predictions")


main(sys.argv[1])
