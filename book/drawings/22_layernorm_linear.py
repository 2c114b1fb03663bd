"""Drawings of chapter 22: what travels through memory, warp_sum in four lanes, how the block kernel shares rows, the norm
behind the product, who has what of a register tile, and how the gradients of rows meet in columns."""

from __future__ import annotations

from drawings import cell, text


SIDE = 26  # of an element in the memory of through_memory()


def linear_of_norm(x, gamma, beta, weight, bias):
    """One row through all steps: normalised, multiplied by the weights, with the bias added."""
    mean = sum(x) / len(x)
    deviation = (sum((value - mean) ** 2 for value in x) / len(x)) ** 0.5
    normalized = [(value - mean) / deviation * g + b for value, g, b in zip(x, gamma, beta)]
    product = [sum(w * n for w, n in zip(row, normalized)) for row in weight]
    return normalized, product, [p + b for p, b in zip(product, bias)]


def tensor(x: float, y: float, name: str, rows: list[list[float]], kind: str) -> str:
    cells = [cell(x + SIDE * column, y + SIDE * row, SIDE, SIDE, kind) +
             text(x + SIDE * (column + 0.5), y + SIDE * row + 18, f"{value:g}".replace("-", "−"), "middle", "on small")
             for row, values in enumerate(rows) for column, value in enumerate(values)]
    return "".join(cells) + text(x + SIDE * len(rows[0]) / 2, y + SIDE * len(rows) + 18, name, "middle", "name small")


def through_memory() -> tuple[int, str]:
    """A row of four elements and two outputs: four launches above, one below; arrows are reads and writes."""
    x, gamma, beta, bias = [2, 4, 2, 4], [1, 2, 1, 1], [0, 0, 1, 0], [1, 3]
    weight = [[1, 2, 0, 1], [2, 0, 3, 1]]
    normalized, product, y = linear_of_norm(x, gamma, beta, weight, bias)
    transposed = [list(column) for column in zip(*weight)]
    place = {"x": 0, "normalized": 178, "W": 356, "W turned": 534, "product": 670, "y": 808}
    wide = {"x": 4, "normalized": 4, "W": 4, "W turned": 2, "product": 2, "y": 2}
    tensors = {"x": ([x], "input"), "normalized": ([normalized], "intermediate"), "W": (weight, "input"),
               "W turned": (transposed, "intermediate"), "product": ([product], "intermediate"), "y": ([y], "output")}

    def band(top: float, launches: list[tuple[str, list[str], str]], names: list[str]) -> str:
        """The launches, above the tensors in memory: a kernel writes on the left of a tensor and reads on its right."""
        memory, out = top + 100, []
        for kernel, reads, writes in launches:
            up = [place[name] + SIDE * (wide[name] - 0.5) for name in reads]
            down = place[writes] + SIDE * 0.5
            begin, end = min(up) - 10, down + 10
            row = top if len(reads) > 1 else top + 40  # the lower ones end before the arrows of the upper one
            out.append(cell(begin, row, end - begin, 26, "cell"))
            out.append(text((begin + end) / 2, row + 18, kernel, "middle", "name"))
            for name, at in zip(reads, up):
                kind = "sent" if tensors[name][1] == "intermediate" else "own"
                out.append(f'<path class="{kind}" d="M{at:g} {memory - 4} V{row + 27} m-4 6 l4 -6 l4 6"/>')
            kind = "sent" if tensors[writes][1] == "intermediate" else "own"
            out.append(f'<path class="{kind}" d="M{down:g} {row + 27} V{memory - 4} m-4 -6 l4 6 l4 -6"/>')
        return "".join(out) + "".join(tensor(place[name], memory, name, *tensors[name]) for name in names)

    steps = [("layernorm", ["x"], "normalized"), ("transpose", ["W"], "W turned"),
             ("matmul_tiled", ["normalized", "W turned"], "product"), ("add_bias", ["product"], "y")]
    unfused = band(24, steps, list(tensors))
    fused = band(280, [("one fused kernel", ["x", "W"], "y")], ["x", "W", "y"])
    return 456, (text(0, 14, "Unfused: four launches") + unfused + text(0, 270, "Fused: one launch") + fused)


def butterfly(values: list[int]) -> list[list[int]]:
    """What the lanes of a warp of `len(values)` hold before warp_sum, and after each of its rounds."""
    rounds = [values]
    offset = len(values) // 2
    while offset:
        before = rounds[-1]
        rounds.append([value + before[lane ^ offset] for lane, value in enumerate(before)])
        offset //= 2
    return rounds


def warp_sum() -> tuple[int, str]:
    rounds = butterfly([3, 1, 4, 2])
    lanes = len(rounds[0])
    left, apart, box, row, top = 170, 130, 44, 84, 34
    centre = [left + apart * lane + box / 2 for lane in range(lanes)]
    out = [text(x, 18, f"lane {lane}", "middle", "name") for lane, x in enumerate(centre)]
    said = ["each lane's own value"] + [f"after offset {lanes >> number}" for number in range(1, len(rounds))]
    offset = lanes // 2
    for number, held in enumerate(rounds):
        y = top + number * row
        if number:
            for lane, x in enumerate(centre):
                out.append(f'<path class="own" d="M{x:g} {y - row + 30} V{y}"/>')
                out.append(f'<path class="sent" d="M{centre[lane ^ offset]:g} {y - row + 30} L{x:g} {y}"/>')
            offset //= 2
        out.append(text(0, y + 20, said[number]))
        for x, value in zip(centre, held):
            out.append(cell(x - box / 2, y, box, 30, "input"))
            out.append(text(x, y + 20, str(value), "middle", "on"))
    end = left + apart * (lanes - 1) + box + 24
    out.append(text(end, top + row + 20, "2 numbers each"))
    out.append(text(end, top + 20, "1 number each"))
    out.append(text(end, top + 2 * row + 20, "all 4, in every lane"))
    return top + (len(rounds) - 1) * row + 40, "".join(out)


def shared_rows() -> tuple[int, str]:
    """Block 0 at the teaching shape: H 8, O 16. Warp 1 stands out."""
    rows, hidden, outputs, each, shown = 8, 8, 16, 4, 1
    side, rows_left, y_left, w_top, y_top = 24, 150, 440, 30, 256
    out = []
    for h in range(hidden):  # W, its rows standing up
        for o in range(outputs):
            out.append(cell(y_left + o * side, w_top + h * side, side, side, "input" if o // each == shown else "cell"))
    for r in range(rows):
        out.append(text(rows_left - 10, y_top + r * side + 17, f"warp {r} fills row {r}", "end", "name"))
        for h in range(hidden):
            out.append(cell(rows_left + h * side, y_top + r * side, side, side, "input" if r == shown else "faint"))
        for o in range(outputs):
            mine = o // each == shown
            out.append(cell(y_left + o * side, y_top + r * side, side, side, "output" if mine else "cell"))
            if mine:
                out.append(text(y_left + o * side + side / 2, y_top + r * side + 17, str(r * each + o % each), "middle", "on small"))
    middle = (rows_left + hidden * side + y_left) / 2
    bottom = y_top + rows * side
    out.append(f'<path class="barrier" d="M{middle:g} {y_top - 12} V{bottom + 8}"/>')
    out.append(text(middle, bottom + 26, "__syncthreads()", "middle", "name"))
    out.append(text(rows_left, y_top - 12, "shared_rows [8][H]"))
    out.append(text(y_left, w_top - 12, "W, one row of it a column here"))
    for warp in range(outputs // each):
        out.append(text(y_left + (warp + 0.5) * each * side, y_top - 8, f"warp {warp}", "middle", "name"))
    out.append(text(y_left + outputs * side, bottom + 26, "y, 8 positions × 16 outputs", "end"))
    for line, words in enumerate(["Before the barrier:", "warp 1 writes row 1 only.", "", "After it:", "warp 1 reads all eight rows",
                                 "and its four rows of W, and", "computes 8 × 4 results.", "The number in a result is", "the lane that stores it."]):
        out.append(text(0, w_top + 16 + 20 * line, words))
    return bottom + 36, "".join(out)


def number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def norm_behind() -> tuple[int, str]:
    """The row of through_memory again, with the norm applied to the finished sums."""
    x, gamma, beta, bias = [2, 4, 2, 4], [1, 2, 1, 1], [0, 0, 1, 0], [1, 3]
    weight = [[1, 2, 0, 1], [2, 0, 3, 1]]
    shift = x[0]
    shifted = [value - shift for value in x]
    mean = sum(shifted) / len(x)
    inv_std = (sum(value * value for value in shifted) / len(x) - mean * mean) ** -0.5
    rows = [("(x − shift) γ", [value * g for value, g in zip(shifted, gamma)]), ("γ", gamma), ("β", beta)]
    products = [[sum(a * w for a, w in zip(row, own)) for own in weight] for _, row in rows]
    side, top, left, right = SIDE, 30, 110, 470
    out = [text(left, 16, "three rows of the tile"), text(left + 190, 16, "times W"), text(right, 16, "products, a column an output")]

    def cells(x0: float, y0: float, values: list[float], kind: str) -> None:
        for c, value in enumerate(values):
            out.append(cell(x0 + side * c, y0, side, side, kind))
            out.append(text(x0 + side * (c + 0.5), y0 + 18, number(value), "middle", "on small"))

    for r, ((name, row), product) in enumerate(zip(rows, products)):
        out.append(text(left - 10, top + side * r + 18, name, "end", "name"))
        cells(left, top + side * r, row, "input")
        cells(right, top + side * r, product, "intermediate")
    for o, own in enumerate(weight):
        cells(left + 190, top + side * o + side / 2, own, "input")
    out.append(text(0, top + 3 * side + 34, f"x is {', '.join(number(value) for value in x)}: shift {number(shift)}, its first element; "
                    f"of x − shift the mean is {number(mean)} and inv_std {number(inv_std)}"))
    results = []
    for o in range(2):
        product, gammas, betas = (row[o] for row in products)
        results.append(inv_std * (product - mean * gammas) + betas + bias[o])
        y = top + 3 * side + 66 + 32 * o
        out.append(text(0, y, f"y{o} = inv_std · ({number(product)} − mean · {number(gammas)}) + {number(betas)} + b{o} = "
                        f"{number(inv_std)} · ({number(product)} − {number(mean)} · {number(gammas)}) + {number(betas)} + {number(bias[o])} ="))
        cells(right + 60, y - 18, [results[-1]], "output")
    _, _, expected = linear_of_norm(x, gamma, beta, weight, bias)
    assert all(abs(a - b) < 1e-12 for a, b in zip(results, expected)), "the two drawings show the same y"
    return top + 3 * side + 114, "".join(out)


def register_tile() -> tuple[int, str]:
    """A block's 128 x 128 tile: four warps on the left, one warp's four-by-four pieces on the right."""
    out, top = [text(0, 16, "A block: 128 × 128 results, four warps")], 40
    side = 80  # of a warp's share on the left, in pixels
    for warp in range(4):
        x, y = warp % 2 * side, top + warp // 2 * side
        out.append(cell(x, y, side, side, "input" if warp == 0 else "cell"))
        out.append(text(x + side / 2, y + side / 2 + 5, f"warp {warp}", "middle", "on" if warp == 0 else "name"))
    wide, high, left, shown = 26, 18, 400, 6
    out.append(text(left, 16, "Warp 0: 64 × 64 results, in pieces of 4 × 4 of a lane each"))
    for row in range(16):
        for column in range(16):
            lane = row % 8 * 4 + column % 4
            x, y = left + column * wide, top + row * high
            out.append(cell(x, y, wide, high, "output" if lane == shown else "cell"))
            out.append(text(x + wide / 2, y + 13, str(lane), "middle", "on small" if lane == shown else "small"))
    words = [f"Lane {shown} has eight pieces: 8 × 16 results.", "For each element of H it reads 8 values of", "x and 16 of W, and makes 128 multiply-adds.",
             "Four lanes read the same values of x, eight", "lanes the same values of W."]
    for line, said in enumerate(words):
        out.append(text(0, top + 2 * side + 34 + 20 * line, said))
    return top + 16 * high + 10, "".join(out)


def rows_to_columns() -> tuple[int, str]:
    """Three blocks with two rows each, four columns: sums in the block, then two ways for them to meet."""
    rows = [[1, 0, 2, -1], [3, 1, 0, 2], [0, 2, 1, 1], [-1, 1, 2, 0], [2, 0, 1, 1], [1, 1, 0, 3]]
    shares = [[sum(column) for column in zip(*rows[first:first + 2])] for first in (0, 2, 4)]
    total = [sum(column) for column in zip(*shares)]
    side, gap, top = SIDE, 36, 40
    out = [text(0, 16, "dn · xhat, a row a position"), text(250, 16, "in a block: a thread a column")]

    def cells(x: float, y: float, values: list[float], kind: str) -> None:
        for c, value in enumerate(values):
            out.append(cell(x + side * c, y, side, side, kind))
            out.append(text(x + side * (c + 0.5), y + 18, number(value), "middle", "on small"))

    for block, share in enumerate(shares):
        y = top + block * (2 * side + gap)
        for r in range(2):
            cells(0, y + r * side, rows[block * 2 + r], "input")
        cells(250, y + side / 2, share, "intermediate")
        out.append(text(118, y + side + 5, f"block {block}", kind="name"))
        out.append(f'<path class="own" d="M{190} {y + side} H{244} m-6 -4 l6 4 l-6 4"/>')
        out.append(f'<path class="sent" d="M{250 + 4 * side + 4} {y + side} L{496} {top + 40} m-7 -1 l7 1 l-4 6"/>')
    out.append(text(500, 16, "atomicAdd: whoever comes, adds"))
    cells(500, top + 24, total, "output")
    out.append(text(500 + 4 * side + 10, top + 42, "dgamma", kind="name"))
    y = top + 2 * side + gap + 20
    out.append(text(500, y - 8, "or: each stores a row, and a"))
    out.append(text(500, y + 12, "second launch adds them up"))
    for block, share in enumerate(shares):
        cells(500, y + 26 + block * side, share, "intermediate")
    cells(500 + 4 * side + 60, y + 26 + side, total, "output")
    out.append(f'<path class="own" d="M{500 + 4 * side + 6} {y + 26 + 1.5 * side} h46 m-6 -4 l6 4 l-6 4"/>')
    out.append(text(500 + 8 * side + 70, y + 26 + side + 18, "dgamma", kind="name"))
    return y + 26 + 3 * side + 16, "".join(out)


DRAWINGS = {"through_memory": through_memory, "warp_sum": warp_sum, "shared_rows": shared_rows, "norm_behind": norm_behind,
            "register_tile": register_tile, "rows_to_columns": rows_to_columns}
