#!/usr/bin/env python3
"""Predicted counters of emitted kernels beside those that the simulator counts.

    price_check.py WORKBOOK PROGRAM [NAME=SIZE...]     PROGRAM: a name, or a file NAME.wbp

Emits the best plan at these sizes, runs it once on the simulator at the same sizes, and holds the prediction to
what was counted: bytes of DRAM within 1 %, requests and barriers within 5 %. Ends with status 1 where it is not. Of
groups of warps only bytes are compared: requests are those of GPUs on which threads copy and warps multiply.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

workbook, program, sizes = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
if program.endswith(".wbp"):
    program = os.path.abspath(program)
state = os.environ.get("WORKBOOK_STATE")
folder = tempfile.mkdtemp(dir=state)
options = [word for size in sizes for word in ("--size", size)]
found = json.loads(subprocess.run(
    [workbook, "optimize", program, "--emit-only", "--json", *options], cwd=folder, check=True,
    stdout=subprocess.PIPE).stdout)
program, schedule = found["program"], found["schedule"]
plan = schedule["plans"][schedule["best"]]
extents = {index["name"]: index["real"] for index in found["indices"]}
cases = os.path.join(folder, "cases.bin")
with open(cases, "wb") as file:
    file.write(struct.pack(f"{len(extents)}i", *extents.values()))
    for tensor in found["inputs"]:
        if tensor["given"] or not tensor["stored"]:
            continue
        count = 1
        for dim in tensor["dims"]:
            count *= extents[dim]
        file.write(struct.pack("f", 0.5) * count)
emitted = pathlib.Path(folder, "optimized", program)
check = emitted / "check.cu"
# Where `workbook optimize` has built the very same sources, which have no mark below, its program is there already.
for built in pathlib.Path(state, "optimize", program).glob("*") if state else ():
    if all((built / name).is_file() and (built / name).read_text() == (emitted / name).read_text().rpartition("\n// As long as ")[0]
           for name in ("check.cu", "kernels.cu")):
        check = built / "check.cu"
report = json.loads(subprocess.run(
    [workbook, "sim", "--json", "-std=c++20", check, "--", cases, os.path.join(folder, "results.bin")], check=True,
    stdout=subprocess.PIPE).stdout)
kernels = report["totals"]["kernels"]
wrong = report["totals"]["errors"] + report["totals"]["warnings"]
if wrong:
    print("findings:", report["findings"])
if len(kernels) != len(plan["launches"]):
    sys.exit(f"{len(kernels)} kernels ran, {len(plan['launches'])} were planned")
for kernel, launch in zip(kernels, plan["launches"]):
    counted, predicted = kernel["counters"], launch["predicted"]["counters"]
    print(f"{program}, {launch['path']}: {kernel['kernel']}")
    for name, most in (("dram_bytes_read", 0.01), ("dram_bytes_written", 0.01), ("global_requests", 0.05),
                       ("shared_requests", 0.05), ("barriers", 0.05), ("shared_passes", None),
                       ("warp_operations", None), ("l2_sectors", None), ("chained_misses", None)):
        a, b = counted[name], predicted[name]
        off = abs(a - b) / max(a, 1)
        if launch["path"].endswith("groups") and not name.startswith("dram"):
            most = None
        fault = most is not None and not off <= most
        wrong += fault
        print(f"  {name:20} counted {a:12} predicted {b:12} {100 * off:7.1f} %{'  TOO FAR' if fault else ''}")
    print(f"  {'modelled us':20} counted {kernel['modelled_us']:12.3f} predicted "
          f"{launch['predicted']['modelled']['total_us']:12.3f}")
sys.exit(1 if wrong else 0)
