#!/usr/bin/env python3
"""What fusing LoRA + Linear saves as the matrix grows: bytes and modelled times of Puzzle 42's variants, by the hidden size.

Chapter 42 shows the table; book/refresh.py stores it in data/tables/.
"""

from experiment import print_table, size, solution, time

HIDDEN = (256, 1024, 4096)


def main() -> None:
    rows = []
    with solution("42_lora_linear") as copy:
        for hidden in HIDDEN:
            copy.restore("puzzle.cpp")
            copy.change("puzzle.cpp", r'(\.bench = [^\n]*\{"H", )\d+', rf"\g<1>{hidden}")
            bench = {variant: copy.benchmark(variant)["launches"] for variant in ("unfused", "two", "fused", "merged", "tensor")}
            moved = {variant: sum(launch["counters"]["dram_bytes_read"] + launch["counters"]["dram_bytes_written"] for launch in launches)
                     for variant, launches in bench.items()}
            taken = {variant: sum(launch["modelled"]["total_us"] for launch in launches) for variant, launches in bench.items()}
            low = bench["two"][0]["modelled"]["total_us"]
            call = bench["merged"][-1]
            assert call["kernel"] == "product_kernel"
            rows.append([f"{hidden}", size(moved["unfused"]), size(moved["fused"]), f"{100 * (1 - moved['fused'] / moved['unfused']):.1f} %",
                         time(taken["unfused"]), time(low), time(taken["two"]), time(taken["fused"]), time(call["modelled"]["total_us"]), time(taken["tensor"])])
    print_table(["$H$", "Bytes, `--unfused`", "`--fused`", "fewer", "Time, `--unfused`", "of it x a alone", "`--two`", "`--fused`", "a call of `--merged`", "`--tensor`"],
                rows, f"The solutions at B 16, O 4096, R 16. Modelled: the simulator's clock for the {call['modelled']['gpu']}.")


if __name__ == "__main__":
    main()
