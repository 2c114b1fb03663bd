#!/usr/bin/env python3
"""What PyTorch takes for LayerNorm + Linear and its gradients on an H200, in float without TF32.

Chapter 22 shows the table; book/refresh.py stores it in data/tables/. It reads what was measured there,
data/h200/torch/layernorm_linear.txt: microseconds inside a CUDA graph, with inputs that no cache holds (cold) and
with the same ones again (warm); median of 15 rounds, then the second fastest and the second slowest.
"""

import json
import re
from pathlib import Path

MEASURED = Path(__file__).resolve().parents[1] / "data" / "h200" / "torch" / "layernorm_linear.txt"
ROWS = {"y": "forward {}", "y and all gradients": "forward+backward {}", "all gradients alone": "backward by hand {}"}
PRODUCTS = {"cublas x W^T": "x Wᵀ", "cublas dy W": "dy W", "cublas dy^T x": "dyᵀ x"}


def main() -> None:
    text = MEASURED.read_text(encoding="utf-8")
    version, gpu = re.match(r"(\S+) (.+)", text).groups()
    cold = {name.strip(): float(time) for name, time in re.findall(r"^(.+?) +cold +([\d.]+)", text, re.M)}
    rows = [[what, *(f"{cold[name.format(kind)]:.0f} µs" for kind in ("eager", "compile"))] for what, name in ROWS.items()]
    rows += [[f"the product {shown} alone, by cuBLAS", f"{cold[name]:.0f} µs", "–"] for name, shown in PRODUCTS.items()]
    print(json.dumps({
        "head": ["PyTorch, measured", "eager", "torch.compile"],
        "rows": rows,
        "note": f"{gpu}, PyTorch {version}; B 8, S 512, H 768, O 3072, float without TF32, inside a CUDA graph, cold caches; medians of 15 rounds.",
    }, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
