#!/usr/bin/env python3
"""The functions that emitted kernels call, as headers: harness/optimizer/device, by device_test.cu.

    check_device.py WORKBOOK     runs it on the simulator
    check_device.py --nvcc       compiles it for the architectures that found kernels are for; 77 where there is no nvcc

Each does so twice: as the headers stand, and with those that stand in for others (launch/device.h).
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve()
HARNESS = HERE.parents[2]
INSTEAD = {"half": "bfloat16", "row_of_block": "row_of_warp"}
ARCHITECTURES = ("80", "90", "90a")

work = pathlib.Path(tempfile.mkdtemp())
others = work / "optimizer/device"
shutil.copytree(HARNESS / "optimizer/device", others)
for usual, other in INSTEAD.items():
    shutil.copy(others / f"{other}.cuh", others / f"{usual}.cuh")
source = HERE.with_name("device_test.cu")
for header in sorted(others.glob("*.cuh")):  # those that stand in for others are read as these
    if header.stem not in INSTEAD.values() and f'"optimizer/device/{header.name}"' not in source.read_text():
        sys.exit(f"{source.name} does not include {header.name}")
nvcc = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")
if sys.argv[1] == "--nvcc" and not nvcc:
    sys.exit(77)
for headers in (HARNESS, work):
    if sys.argv[1] == "--nvcc":
        for architecture in ARCHITECTURES:
            subprocess.run([nvcc, "-std=c++20", f"-gencode=arch=compute_{architecture},code=sm_{architecture}", "-cubin", "-Werror=all-warnings", f"-I{headers}",
                            "-o", work / "device.cubin", source], check=True)
    else:
        for own in ([], ["-D__CUDA_ARCH_FEAT_SM90_ALL=1"]):  # what other GPUs do, and Hopper's own instructions
            subprocess.run([sys.argv[1], "sim", "-std=c++20", f"-I{headers}", *own, source], check=True)
shutil.rmtree(work)
