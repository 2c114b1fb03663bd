"""The tables of counters.py: what the simulator counted and modelled beside what a GPU counted and measured."""
import statistics

RATIO_GOAL, LAUNCH_GOAL = 0.15, 0.30


def sites(record, *kinds):
    return [s for s in record["counters"]["sites"] if s["kind"] in kinds]


def summed(record, field, *kinds):
    return sum(s[field] for s in sites(record, *kinds))


def atomics(record, shared):
    return sum(s["requests"] for s in sites(record, "atomic") if (s["bank_passes"] > 0) == shared)


def metric(*names):
    """The sum of those metrics that were measured; None when none was."""
    def read(metrics):
        found = [metrics[name] for name in names if name in metrics]
        return sum(found) if found else None
    return read


L1, LTS = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum", "lts__t_sectors_op_{}.sum"

# What it is called, how the GPU counts it, how the simulator does.
COUNTERS = [
    ("global load requests", metric(L1.format("requests", "ld")), lambda l: summed(l["record"], "requests", "global load")),
    ("global store requests", metric(L1.format("requests", "st")), lambda l: summed(l["record"], "requests", "global store")),
    ("global load sectors", metric(L1.format("sectors", "ld")), lambda l: summed(l["record"], "sectors", "global load")),
    ("global store sectors", metric(L1.format("sectors", "st")), lambda l: summed(l["record"], "sectors", "global store")),
    ("global atomic requests", metric(L1.format("requests", "red"), L1.format("requests", "atom")), lambda l: atomics(l["record"], False)),
    ("shared load passes", metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
     lambda l: summed(l["record"], "bank_passes", "shared load")),
    ("shared store passes", metric("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
     lambda l: summed(l["record"], "bank_passes", "shared store")),
    ("L2 sectors read", metric("lts__t_sectors_srcunit_tex_op_read.sum"),
     lambda l: summed(l["record"], "sectors", "global load") - summed(l["record"], "l1_sectors", "global load")),
    ("theoretical occupancy %", metric("sm__maximum_warps_per_active_cycle_pct"), lambda l: 100 * l["modelled"]["occupancy"]),
    ("DRAM bytes read", metric("dram__bytes_read.sum"), lambda l: l["record"]["counters"]["dram_bytes_read"]),
    ("DRAM bytes written", metric("dram__bytes_write.sum"), lambda l: l["modelled"]["dram_bytes_written"]),
]


def error(ours, theirs):
    """Relative to the GPU; 0 where both are 0, None where it says nothing."""
    if theirs is None:
        return None
    if theirs == 0:
        return 0.0 if ours == 0 else None
    return ours / theirs - 1


def percent(value):
    return "-" if value is None else f"{100 * value:+.1f} %" if abs(value) >= 0.0005 else "0 %"


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}".replace(",", " ")


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|:--|:--|" + "--:|" * (len(header) - 2)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def sizes_text(sizes):
    return ", ".join(f"{name} {value}" for name, value in sizes.items())


def paired(gpu, sim):
    """(sizes, GPU's run, simulator's run) for the sizes that both have."""
    for theirs in gpu["runs"]:
        for ours in sim["runs"]:
            if ours["sizes"] == theirs["sizes"]:
                yield theirs["sizes"], theirs, ours


def launches_of(theirs, ours):
    """Launches of both in order, each kernel of a name once."""
    by_place = {(l["case"], l["kernel"]): l for l in theirs["launches"]}
    seen = set()
    for launch in ours["launches"]:
        other = by_place.get((launch["case"], launch["kernel"]))
        if other is None or "metrics" not in other or launch["kernel"] in seen:
            continue
        seen.add(launch["kernel"])
        yield launch, other


def write_counters(gpu, sim, folder):
    lines = [f"# Counters: simulator and {gpu['device']}", "",
             "Written by `harness/bench/gpu/counters.py join`. The GPU's figures are Nsight Compute's, a launch at a time with cold "
             "caches; each cell is the simulator's figure and how far it is off. All figures of both: counters.tsv.", ""]
    rows_tsv = [["elements", "case", "kernel", "counter", "simulator", "gpu", "error"]]
    for sizes, theirs, ours in paired(gpu, sim):
        table, errors = [], {name: [] for name, _, _ in COUNTERS}
        for launch, other in launches_of(theirs, ours):
            cells = []
            for name, read, count in COUNTERS:
                measured, counted = read(other["metrics"]), count(launch)
                off = error(counted, measured)
                rows_tsv.append([str(sizes["elements"]), launch["case"], launch["kernel"], name, f"{counted:.0f}",
                                 "" if measured is None else f"{measured:.0f}", "" if off is None else f"{off:.4f}"])
                if off is not None and (measured or counted):
                    errors[name].append(abs(off))
                cells.append("" if not measured and not counted else f"{number(counted)} ({percent(off)})")
            table.append([launch["case"], f"`{launch['kernel']}`", *cells])
        lines += [f"## {sizes_text(sizes)}", ""]
        for name, offs in errors.items():
            if offs:
                lines.append(f"- {name}: within 1 % on {sum(o <= 0.01 for o in offs)} of {len(offs)} kernels, within 10 % on "
                             f"{sum(o <= 0.1 for o in offs)}, median error {100 * statistics.median(offs):.1f} %")
        lines += ["", *markdown(["case", "kernel", *[name for name, _, _ in COUNTERS]], table), ""]
        same = [(c, v, theirs["checks"][c]) for c, v in ours["checks"].items() if c in theirs["checks"]]
        if same:
            far = [c for c, a, b in same if abs(a - b) > 1e-4 * max(abs(a), abs(b))]
            lines += [f"Results: the checksums of {len(same) - len(far)} of {len(same)} cases agree to 4 digits."
                      + (f" Not those of {', '.join(far)}." if far else ""), ""]
    (folder / "counters.md").write_text("\n".join(lines))
    (folder / "counters.tsv").write_text("".join("\t".join(row) + "\n" for row in rows_tsv))
    return len(rows_tsv) - 1


def modelled_times(ours):
    """Microseconds by (case, kernel): alone; and of the case as a whole under kernel "*", in sequence."""
    times = {}
    for launch in ours["launches"]:
        case, modelled = launch["case"], launch["modelled"]
        times[case, launch["kernel"]] = (modelled["alone"]["total_us"], modelled["alone"]["bound"])
        total, bound = times.get((case, "*"), (0.0, ""))
        times[case, "*"] = (total + modelled["in_sequence"]["total_us"], bound or modelled["alone"]["bound"])
    return times


def spread(numbers):
    return f"{numbers[0]:.2f} [{numbers[1]:.2f} {numbers[2]:.2f}]"


def write_times(gpu, sim, folder):
    lines = [f"# Modelled and measured times on {gpu['device']}", "",
             "Written by `harness/bench/gpu/counters.py join`. Microseconds inside a CUDA graph, median [p10 p90] of interleaved rounds; "
             "cold: the inputs are in no cache. The model is for cold caches; a case of several launches is modelled and "
             f"measured as a whole. Goals: single launches within {100 * LAUNCH_GOAL:.0f} %, the ratio of a pair within "
             f"{100 * RATIO_GOAL:.0f} %.", ""]
    rows_tsv = [["elements", "case", "kernel", "cold_us", "warm_us", "modelled_us", "error_to_cold", "bound"]]
    for sizes, theirs, ours in paired(gpu, sim):
        modelled, table, met, ratios = modelled_times(ours), [], [], {}
        for time in theirs["times"]:
            key = (time["case"], time["kernel"])
            if key not in modelled:
                continue
            us, bound = modelled[key]
            off = us / time["cold_us"][0] - 1
            several = time["kernel"] == "*" and sum(l["case"] == time["case"] for l in ours["launches"]) > 1
            if not several:
                met.append(abs(off) <= LAUNCH_GOAL)
            rows_tsv.append([str(sizes["elements"]), *key, f"{time['cold_us'][0]:.3f}", f"{time['warm_us'][0]:.3f}", f"{us:.3f}",
                             f"{off:.4f}", bound])
            table.append([time["case"], "all of it" if several else f"`{time['kernel'] if time['kernel'] != '*' else ''}`".replace("``", ""),
                          spread(time["cold_us"]), f"{us:.2f}", percent(off), spread(time["warm_us"]), bound])
            pair, _, role = time["case"].rpartition("_")
            if time["kernel"] == "*" and role in ("unfused", "fused"):
                ratios.setdefault(pair, {})[role] = (time["cold_us"][0], us, time["warm_us"][0])
        pairs, pairs_met = [], []
        for pair, both in ratios.items():
            if len(both) < 2:
                continue
            cold, ours_ratio, warm = (both["unfused"][i] / both["fused"][i] for i in range(3))
            off = ours_ratio / cold - 1
            pairs_met.append(abs(off) <= RATIO_GOAL)
            pairs.append([pair, f"{both['unfused'][0]:.2f} / {both['fused'][0]:.2f}", f"x{cold:.2f}", f"x{ours_ratio:.2f}", percent(off),
                          f"x{warm:.2f}"])
        lines += [f"## {sizes_text(sizes)}", "",
                  f"- single launches within {100 * LAUNCH_GOAL:.0f} %: {sum(met)} of {len(met)}",
                  f"- unfused / fused within {100 * RATIO_GOAL:.0f} %: {sum(pairs_met)} of {len(pairs_met)}", "",
                  *markdown(["pair", "unfused / fused, cold", "measured", "modelled", "error", "measured warm"], pairs), "",
                  *markdown(["case", "kernel", "measured cold", "modelled", "error", "measured warm", "bound"], table), ""]
    (folder / "times.md").write_text("\n".join(lines))
    (folder / "times.tsv").write_text("".join("\t".join(row) + "\n" for row in rows_tsv))
    return len(rows_tsv) - 1


def write(gpu, sim, folder):
    folder.mkdir(parents=True, exist_ok=True)
    counted, timed = write_counters(gpu, sim, folder), write_times(gpu, sim, folder)
    print(f"{counted} counters and {timed} times compared")
    return 0 if counted and timed else 1
