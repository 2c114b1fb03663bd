#!/usr/bin/env python3
"""How many tensors GELU moves through memory, by the way it is written: each operator reads its operands and writes a result.

Chapter 36 shows the table; book/refresh.py stores it in data/tables/. A tensor that an operator reads twice (x * x) counts
once: DRAM delivers it once.
"""

import ast
import json

FUSED = 2  # x in, y out
WAYS = [
    ("operator by operator, as written", "0.5 * x * (1 + tanh(0.797885 * (x + 0.044715 * x * x * x)))"),
    ("the chain of this puzzle", "(0.5 * x) * (1 + tanh(0.797885 * (x + 0.044715 * (x * x * x))))"),
    ("with a power in one operator", "0.5 * x * (1 + tanh(0.797885 * (x + 0.044715 * x ** 3)))"),
    ("with the sigmoid for the tanh", "x * sigmoid(1.595769 * (x + 0.044715 * x ** 3))"),
    ("three kernels: inner, tanh, rest", "rest(x, tanh(inner(x)))"),
    ("one kernel", "gelu(x)"),
]


class Count(ast.NodeVisitor):
    """Launches and tensors of an expression; a constant is no tensor."""

    def __init__(self) -> None:
        self.launches = self.tensors = 0

    def operator(self, operands: list[ast.expr]) -> None:
        read = {ast.dump(operand) for operand in operands if not isinstance(operand, ast.Constant)}
        self.launches += 1
        self.tensors += len(read) + 1

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        self.operator([node.left, node.right])

    def visit_Call(self, node: ast.Call) -> None:
        for argument in node.args:
            self.visit(argument)
        self.operator(node.args)


def main() -> None:
    table = {"head": ["Written", "As", "Launches", "Tensors moved", "Against one kernel"], "rows": [],
             "note": "Counted on the expression: an operator reads each of its operands that is no constant, and writes one tensor."}
    for words, expression in WAYS:
        count = Count()
        count.visit(ast.parse(expression, mode="eval"))
        table["rows"].append([words, f"`{expression}`", f"{count.launches}", f"{count.tensors}", f"{count.tensors / FUSED:.3g} times"])
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
