#!/usr/bin/python3
"""Constructed worst cases of Suite A: worst_cases.py TARGET SIZE writes candidate 0 to stdout.

For each target a function size -> list of inputs of exactly that many bytes. There is more than one
candidate where only measuring tells which of a few mirror images or split points is the dearest; the
known worst case is the dearest candidate, by the count of the instrumented target. Nothing here looks
at what a search has found."""
import itertools
import sys


def words16(values, size):
    data = b"".join(bytes((value >> 8, value & 0xff)) for value in values)
    return data + bytes(size - len(data))


def balanced(count, values):
    """`count` items spread over the values as evenly as can be, in order."""
    return [values[i * len(values) // count] for i in range(count)]


def spread(count, top):
    """`count` increasing numbers below top, distinct as far as there are enough."""
    return [i * top // max(count, 1) for i in range(count)]


def orders(count, top=65536):
    """Sorted, reversed, and from the outside in (largest and smallest in turn, both ways)."""
    up = spread(count, top)
    down = up[::-1]
    zigzag = [up[i // 2] if i % 2 else up[count - 1 - i // 2] for i in range(count)]
    return [up, down, zigzag, [up[-1] + up[0] - value for value in zigzag] if count else []]


def insertion_sort(size):
    return [bytes(reversed(balanced(size, list(range(min(size, 256))))))]


def quicksort(size):
    return [words16(values, size) for values in orders(size // 2)]


def quicksort_middle(size):
    """Runs the algorithm on positions whose values are not fixed yet; each pivot gets the largest
    (smallest) value left, and exchanges are made as the algorithm would make them."""
    def build(largest):
        count = size // 2
        position, value = list(range(count)), [0] * count
        low, high = 0, count
        for rank in range(count):
            if high - low == 0:
                break
            middle = low + (high - low) // 2
            position[low], position[middle] = position[middle], position[low]
            value[position[low]] = count - 1 - rank if largest else rank
            if largest:  # everything else is smaller: the pivot is exchanged with the last
                position[low], position[high - 1] = position[high - 1], position[low]
                high -= 1
            else:
                low += 1
        return value
    return [words16(build(True), size), words16(build(False), size)]


def three_way_quicksort(size):
    distinct = min(size, 256)
    rest = size - distinct
    falling = list(range(distinct - 1, -1, -1)) + [0] * rest

    def rising(first_repeated):
        """The other direction, backwards: pivots are the smallest left, and the partition turns the
        rest by one place each time."""
        position, value = list(range(size)), [distinct - 1] * size
        low, rank = 0, 0
        while low < size and rank < distinct - 1:
            value[position[low]] = rank
            others = position[low + 1:]
            position[low + 1:] = others[1:] + others[:1]
            low, rank = low + 1, rank + 1
        return value

    def alternating():
        """Largest and smallest in turn, so that the rest is exchanged in either way."""
        position, value = list(range(size)), [distinct // 2] * size
        small, large, turn = 0, distinct - 1, False
        low = 0
        while low < size and small < large:
            value[position[low]] = small if turn else large
            if turn:
                others = position[low + 1:]
                position[low + 1:] = others[1:] + others[:1]
                small += 1
            else:  # the rest keeps its order and moves down one place, below the pivot
                large -= 1
            low, turn = low + 1, not turn
        return value
    return [bytes(falling), bytes(rising(False)), bytes(alternating())]


def merge_sort(size):
    def apart(values, left_first):
        if len(values) < 2:
            return values
        half = len(values) // 2
        left, right = [], []
        # From the top down, so that the last merged elements come from both halves.
        for i, value in enumerate(reversed(values)):
            to_left = (i % 2 == 0) == left_first
            if len(left) == half:
                to_left = False
            elif len(right) == len(values) - half:
                to_left = True
            (left if to_left else right).append(value)
        return apart(left[::-1], left_first) + apart(right[::-1], left_first)
    up = spread(size // 2, 65536)
    down = up[::-1]
    return [words16(values, size) for values in (apart(up, True), apart(up, False), down, up)]


def sequential_search(size):
    half = size // 2
    return [b"a" * half + b"b" * half + b"\0" * (size % 2)]


def bst_insert(size):
    count = size // 2
    inward = orders(count)
    outward = [values[::-1] for values in inward]
    return [words16(values, size) for values in inward + outward[2:]]


def prim_mst(size):
    """A star around node 0, weights falling with the number of the node as far as 256 values go. The
    one edge left over is a parallel one, a loop, or between the last nodes."""
    nodes = size // 5
    star = [(0, node, max(255 - node, 0)) for node in range(1, nodes)]

    def encode(edges):
        data = b"".join(bytes((a >> 8, a & 255, b >> 8, b & 255, w)) for a, b, w in edges)
        return data + bytes(size - len(data))
    over = [(0, nodes - 1, 255), (0, 0, 0), (nodes - 2, nodes - 1, 255), (0, 1, 255)]
    return [encode(edges) for one in over for edges in (star + [one], [one] + star, [one] + star[::-1])]


def boyer_moore(size):
    found = []
    for length in range(max(1, size // 4 - 8), size // 4 + 8):
        text = size - length - 1
        if length < 2 or text < length:
            continue
        found.append(b"a" * length + b"\0" + b"a" * text)
        found.append(b"b" + b"a" * (length - 1) + b"\0" + b"a" * text)
    return found or [b"a\0" + b"a" * (size - 2)]


def is_bst(size):
    count = (size - 1) // 2
    tail = bytes(size - 1 - 2 * count)

    def path(directions):
        """A path with valid keys: each step narrows the bounds from one side."""
        low, high, words = 0, 0x3fff, []
        for i in range(count):
            left = directions(i)
            key = high if left else low
            if left:
                high -= 1
            else:
                low += 1
            last = i + 1 == count
            words.append((0 if last else 0x8000 if left else 0x4000) | key)
        return b"".join(bytes((word >> 8, word & 0xff)) for word in words) + tail
    shapes = [lambda i: True, lambda i: False, lambda i: i % 2 == 0, lambda i: i % 2 == 1,
              lambda i: i < count // 2, lambda i: i >= count // 2]
    return [bytes((method,)) + path(shape) for method in (1, 2) for shape in shapes]


def binary_search(size):
    half = size // 2
    tail = bytes(size - 2 * half)
    found = []
    # Table of odd numbers, so that nothing even is found; a lookup below all of them, above all, or
    # between two goes to one leaf. The scale is total/256 + 1.
    for gap in (1, 2, 3, 4, 8, 255):
        total = gap * half
        for query in {0, 1, 2, 3, 5, 7, 85, 127, 128, 170, 171, 254, 255}:
            key = query * (total // 256 + 1)
            if gap > 1 and key % gap == 0 and 0 < key <= total:
                key += 0
            found.append(bytes([gap]) * half + bytes([query]) * half + tail)
    found.append(bytes(half) + bytes([1]) * half + tail)
    return found


def weak_hash(size):
    count = size // 4
    keys = []
    for i in range(count):
        a, b = i % 256, i // 256
        keys.append(bytes((a, b, (256 - a - b) % 256, 0)))
    return [b"".join(keys) + bytes(size - 4 * count)]


def word_frequency(size):
    """k different words of two letters with the sum of the letter `last`, then that letter as a word
    of its own again and again; the best k is left to measuring."""
    def letters(total):
        return [byte for byte in range(total % 64, 256, 64) if byte not in (10, 32)]
    total = 1
    singles = letters(total)
    pairs = [bytes((a, (total - a) % 64 + 64 * turn)) for turn in range(4) for a in range(256)]
    pairs = [pair for pair in pairs if not set(pair) & {10, 32}]
    found = []
    for count in range(0, min(len(pairs), size // 3) + 1, max(1, size // 256)):
        for single in (1, len(singles)):
            text = b" ".join(pairs[:count] + [bytes((letter,)) for letter in singles[:single]]) + b" "
            last = bytes((singles[single - 1],)) + b" "
            if len(text) <= size:
                found.append((text + last * size)[:size])
    return found


def backtracking(size):
    """All patterns of four bytes with two stars that can fail at the end only."""
    found = []
    for stars in itertools.combinations(range(4), 2):
        for others in itertools.product(b"a?b", repeat=2):
            rest = iter(others)
            pattern = bytes(42 if i in stars else next(rest) for i in range(4))
            for end in b"a", b"c":
                found.append(pattern + b"\n" + b"a" * (size - 6) + end)
    return found


def string_concat(size):
    found = []
    for plain in range(0, size // 2, max(1, size // 128)):
        found.append((b"a" * plain + b"\\a" * size)[:size])
    return found


def lru_list(size):
    keys = range(min(size, 90), min(size, 256) + 1)
    return [bytes(i % count for i in range(size)) for count in keys]


def lz77(size):
    """A long run to fill the chain of its triple, then short ones between separators that differ:
    each of their positions is compared with all of the run, and no comparison is good enough."""
    found = []
    for first in range(0, size * 3 // 4, max(1, size // 64)):
        for run in range(6, 13):
            data, separator = bytearray(first), 1
            while len(data) < size:
                data += bytes((separator,)) + b"\0" * run
                separator = separator % 255 + 1
            found.append(bytes(data[:size]))
    return found


def base64_quotes(size):
    found = []
    for inner in list(range(1, 12)) + list(range(12, size // 2, 8)):
        depth = (size - inner) // 2
        # An odd byte goes into an outer quote that stays open, or into the text.
        for open_ones in {0, size - inner - 2 * depth}:
            text = size - open_ones - 2 * depth
            found.append(b"<" * (open_ones + depth) + b"a" * text + b">" * depth)
    return found


TARGETS = {function.__name__: function for function in (
    insertion_sort, quicksort, quicksort_middle, three_way_quicksort, merge_sort, sequential_search,
    bst_insert, prim_mst, boyer_moore, is_bst, binary_search, weak_hash, word_frequency, backtracking,
    string_concat, lru_list, lz77, base64_quotes)}


def candidates(target, size):
    made = TARGETS[target](size)
    assert all(len(data) == size for data in made), (target, size, {len(data) for data in made})
    return list(dict.fromkeys(made))


if __name__ == "__main__":
    sys.stdout.buffer.write(candidates(sys.argv[1], int(sys.argv[2]))[0])
