#!/usr/bin/env python3
"""How many tensors GELU moves through memory, by the way it is written: each operator reads its operands and writes a result.

Chapter 36 shows the table; book/refresh.py stores it in data/tables/. A tensor that an operator reads twice (x * x) counts
once: DRAM delivers it once.
"""

import ast
import json

FUSED = 2  # x in, y out
WAYS = [
    ("operator by operator", "0.5*x * (1 + tanh(k*(x + c*x*x*x)))"),
    ("the chain of this puzzle", "0.5*x * (1 + tanh(k*(x + c*(x*x*x))))"),
    ("the cube in one operator", "0.5*x * (1 + tanh(k*(x + c*x**3)))"),
    ("sigmoid in place of tanh", "x * sigmoid(2*k*(x + c*x**3))"),
    ("three kernels", "rest(x, tanh(inner(x)))"),
    ("one kernel", "gelu(x)"),
]


def is_tensor(node: ast.expr) -> bool:
    """Whether x is in it: all else is a number before anything is launched."""
    return any(isinstance(part, ast.Name) and part.id == "x" for part in ast.walk(node))


class Count(ast.NodeVisitor):
    """Launches and tensors of an expression."""

    def __init__(self) -> None:
        self.launches = self.tensors = 0

    def operator(self, operands: list[ast.expr]) -> None:
        read = {ast.dump(operand) for operand in operands if is_tensor(operand)}
        if read:
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
    table = {"head": ["GELU", "Written", "Launches", "Tensors moved", "Of one kernel"], "rows": [],
             "note": "Counted on the expression, with k = 0.7979 and c = 0.0447: an operator reads its operands, unless they are numbers, and writes a tensor."}
    for words, expression in WAYS:
        count = Count()
        count.visit(ast.parse(expression, mode="eval"))
        table["rows"].append([words, f"`{expression}`", f"{count.launches}", f"{count.tensors}", f"{count.tensors / FUSED:.3g} times"])
    print(json.dumps(table, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
