"""The decision tree against scikit-learn's, side by side on the same data (used by explain.py)."""
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROWS, COLUMNS, ROUNDS = 10000, 2000, 3
QUICK_ROWS, QUICK_COLUMNS = 10000, 500


def tree_speed(build, quick=False):
    """How many times faster ours grows the same tree: median ratio of CPU times, alternating. None where
    scikit-learn is missing."""
    try:
        import numpy as np
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        return None
    rows, columns = (QUICK_ROWS, QUICK_COLUMNS) if quick else (ROWS, COLUMNS)
    random = np.random.RandomState(1)
    x = np.stack([random.permutation(rows) for _ in range(columns)], axis=1).astype(np.float32)
    y = ((x[:, 0] + x[:, 1] * 0.7 + random.normal(0, rows / 4, rows)) > rows * 0.8).astype(np.int32)
    program = build / "test/unit/tree_oracle"
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "table"
        data.write_bytes(x.T.astype(np.float64).tobytes() + y.tobytes())
        for _ in range(ROUNDS):
            start = time.process_time()
            model = DecisionTreeClassifier(max_depth=4, class_weight="balanced", random_state=0).fit(x, y)
            theirs = time.process_time() - start
            answer = subprocess.run([program], input="speed %d %d %s\n" % (rows, columns, data), check=True,
                                    capture_output=True, text=True).stdout.split()
            ours, nodes, root = float(answer[1]), int(answer[2]), int(answer[3])
            assert nodes == model.tree_.node_count and root == model.tree_.feature[0], "the trees differ"
            ratios.append(theirs / ours)
    return statistics.median(ratios)
