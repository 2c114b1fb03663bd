#!/usr/bin/env python3
"""Chapter 12: how far float sums of the same products are from the exact one, by the order in which they are added."""

import math
import random

from experiment import f32, print_table

SIZE, BLOCKS, BLOCK_SIZE, ORDERS = 100_003, 66, 256, 1000


def one_after_another(values) -> float:
    total = 0.0
    for value in values:
        total = f32(total + value)
    return total


def tree(sums: list[float]) -> float:
    half = len(sums) // 2
    while half:
        sums = [f32(sums[t] + sums[t + half]) for t in range(half)]
        half //= 2
    return sums[0]


def main() -> None:
    source = random.Random(12)
    products = [f32(f32(source.uniform(-0.5, 1.0)) * f32(source.uniform(-0.5, 1.0))) for _ in range(SIZE)]
    exact = math.fsum(products)
    threads = BLOCKS * BLOCK_SIZE
    own = [one_after_another(products[first::threads]) for first in range(threads)]
    partial = [tree(own[block * BLOCK_SIZE:(block + 1) * BLOCK_SIZE]) for block in range(BLOCKS)]
    shuffled = [one_after_another(source.sample(partial, BLOCKS)) for _ in range(ORDERS)]
    padded = partial + [0.0] * (BLOCK_SIZE - BLOCKS)
    print_table(["Order of the additions", "Sums", "Different results", "Largest error"], [
        ["one thread, one product after another", *shown([one_after_another(products)], exact)],
        ["`--two-stage`: registers, trees, a tree of partial sums", *shown([tree(padded)], exact)],
        [f"`--atomic`: the same partial sums, in {ORDERS} random orders", *shown(shuffled, exact)],
    ], f"{SIZE} products of two uniform numbers from -0.5 to 1, {BLOCKS} blocks of {BLOCK_SIZE} threads, in float, against the exact sum of {exact:.2f}.")


def shown(sums: list[float], exact: float) -> list[str]:
    return [f"{len(sums)}", f"{len(set(sums))}", f"{max(abs(total - exact) for total in sums):.0e}"]


if __name__ == "__main__":
    main()
