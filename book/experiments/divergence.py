#!/usr/bin/env python3
"""Chapter 03: what branches cost near_kernel of Puzzle 03: the same result with branches in different places, at the real shape."""

from experiment import print_table, solution, time, with_region

INDEX = "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= size) return;\n"
BODIES = {
    "a guard for each access": None,  # the solution
    "first, last, all between": INDEX + """
  if (size == 1) near[i] = a[i];
  else if (i == 0) near[i] = a[i + 1];
  else if (i == size - 1) near[i] = a[i] - a[i - 1];
  else near[i] = a[i + 1] - a[i - 1];
""",
    "the index clamped, no branch": INDEX + """
  const float left = a[max(i - 1, 0)] * min(i, 1);
  near[i] = a[min(i + 1, size - 1)] - left;
""",
    "even and odd elements apart": INDEX + """
  if (i % 2 == 0) {
    const float left = i > 0 ? a[i - 1] : 0.0f;
    near[i] = a[min(i + 1, size - 1)] - left;
  } else {
    const float right = i + 1 < size ? a[i + 1] : a[size - 1];
    near[i] = -(a[i - 1] - right);
  }
""",
}


def main() -> None:
    rows = []
    with solution("03_guards") as copy:
        for name, body in BODIES.items():
            if body:
                copy.change("kernels.cu", *with_region("near", body))
            launch = copy.launch("near")
            warps = launch["grid"][0] * launch["block"][0] / 32
            loads, stores = (sum(site["requests"] for site in launch["counters"]["sites"] if site["kind"] == kind) / warps
                             for kind in ("global load", "global store"))
            modelled = launch["modelled"]
            rows.append([name, f"{loads:.3g}", f"{stores:.3g}", time(modelled["total_us"])])
    print_table(["Branches of near_kernel", "Loads a warp", "Stores a warp", "Modelled"], rows,
                "All four store the same. Loads and stores are instructions, counted over all warps of the real shape; "
                f"modelled: the simulator's clock for the {modelled['gpu']}.")


if __name__ == "__main__":
    main()
