"""Drawings of chapter 32: a tile of eight rows in a shared memory of eight banks, stored three ways; the rounds of two
trees; and vectors of four words, of which two lanes take part in a turn."""

from __future__ import annotations

from typing import Callable

from drawings import cell, text

BANKS = 8


def busiest(words: list[int]) -> int:
    """Passes that a request for these words takes: as many as its busiest bank has of them."""
    return max(sum(1 for word in set(words) if word % BANKS == bank) for bank in range(BANKS))


def passes_in_words(passes: int) -> str:
    return f"{passes} pass" + ("es" if passes > 1 else "")


def memory(left: float, title: str, place: Callable[[int, int], int], length: int) -> list[str]:
    """Shared memory, a line of it across: who reads word 2 of each row, and where in memory the words of a row lie."""
    side, column, rows, height = 30, 2, 8, 25
    wanted = {place(row, column): row for row in range(rows)}
    used = {place(row, word): (row, word) for row in range(rows) for word in range(BANKS)}
    out = [text(left, 16, title, "start", "name")]
    out += [text(left + (bank + 0.5) * side, 40, str(bank), "middle", "small") for bank in range(BANKS)]
    for word in range(-(-(rows * length) // BANKS) * BANKS):
        x, y = left + word % BANKS * side, 48 + word // BANKS * height
        if word in wanted:
            out += [cell(x, y, side, height, "input"), text(x + side / 2, y + 17, f"{wanted[word]},{column}", "middle", "on")]
        elif word in used:
            out += [cell(x, y, side, height, "cell"), text(x + side / 2, y + 17, "{},{}".format(*used[word]), "middle", "small")]
        else:
            out.append(cell(x, y, side, height, "faint"))
    out.append(text(left, 48 + 9 * height + 20, f"column {column}: {passes_in_words(busiest(list(wanted)))}"))
    return out


def tiles() -> tuple[int, str]:
    out = []
    out += memory(20, "plain", lambda row, word: row * BANKS + word, BANKS)
    out += memory(310, "padded", lambda row, word: row * (BANKS + 1) + word, BANKS + 1)
    out += memory(600, "swizzled", lambda row, word: row * BANKS + (word ^ row), BANKS)
    return 302, "".join(out)


def trees() -> tuple[int, str]:
    """Sixteen slots and a warp of eight lanes: what is stored in each round of either tree."""
    slots, side, step, out = 16, 25, 58, []
    for left, title, word_of in (
        (10, "interleaved", lambda lane, number: 2 ** (number + 1) * lane),
        (445, "sequential", lambda lane, number: lane),
    ):
        out.append(text(left, 16, title, "start", "name"))
        for number in range(4):
            lanes = slots // 2 ** (number + 1)
            stored = {word_of(lane, number): lane for lane in range(lanes)}
            y = 34 + number * step
            for word in range(slots):
                met = word in stored
                out.append(cell(left + word * side, y, side, 26, "input" if met else "cell"))
                out.append(text(left + (word + 0.5) * side, y + 18, str(word % BANKS), "middle", "on" if met else "small"))
            said = f"{lanes} lane{'s' if lanes > 1 else ''}: {passes_in_words(busiest(list(stored)))}"
            out.append(text(left, y + 42, said, "start", "small"))
    return 34 + 4 * step, "".join(out)


def vectors() -> tuple[int, str]:
    """Rows of eight words as two vectors of four; the first vector of each row, which four lanes ask for."""
    side, height, lanes, wide, out = 36, 30, 4, 4, []
    for left, title, length in ((20, "rows of two vectors", 8), (450, "rows a vector longer", 12)):
        out.append(text(left, 16, title, "start", "name"))
        out += [text(left + (bank + 0.5) * side, 40, str(bank), "middle", "small") for bank in range(BANKS)]
        lane_of = {lane * length + k: lane for lane in range(lanes) for k in range(wide)}
        for word in range(-(-(lanes * length) // BANKS) * BANKS):
            x, y = left + word % BANKS * side, 48 + word // BANKS * height
            met = word in lane_of
            out.append(cell(x, y, side, height, "input" if met else "cell"))
            out.append(text(x + side / 2, y + 20, f"l{lane_of[word]}" if met else str(word), "middle", "on" if met else "small"))
        together = BANKS // wide
        turns = [[word for word, lane in lane_of.items() if lane // together == turn] for turn in range(lanes // together)]
        out.append(text(left, 48 + 6 * height + 20, " + ".join(str(busiest(turn)) for turn in turns) + " passes, for two turns of two lanes"))
    return 256, "".join(out)


DRAWINGS = {"tiles": tiles, "trees": trees, "vectors": vectors}
