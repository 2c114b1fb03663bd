"""What a program of the corpus says about itself, in comments at the end of its lines.

    expect: CLASS           an error finding of that class names this line, as its own or as the other party's
    expect-warning: CLASS   the same with severity warning
    expect-advice: CLASS    the same with severity advice
    expect-other: CLASS     such a finding may name this line too: the other party of a race, the end of a branch
    says: WORDS             some finding that names this line has these words, however many blanks are between them
    may: CLASS              a finding of that class may appear here as a consequence, and need not
    refused: WORDS, WORDS   the compiler has an error at this line in which all of these stand
    counts: KIND N          so many requests of warps at this line, "global load 4, shared store 4"

Several marks of one line are separated by semicolons, several classes of one mark by commas. A program without
marks is a clean one.
"""
import re

MARK = re.compile(r"\b(expect|expect-warning|expect-advice|expect-other|may): ([a-z_]+(?:, [a-z_]+)*)")
REFUSED = re.compile(r"\brefused: ([^;]+)")
SAYS = re.compile(r"\bsays: ([^;]+)")
COUNTS = re.compile(r"\bcounts: ([a-z]+ [a-z]+ \d+(?:, [a-z]+ [a-z]+ \d+)*)")
SEVERITY = {"expect": "error", "expect-warning": "warning", "expect-advice": "advice"}
CLASSES = frozenset("oob_global oob_shared oob_local use_after_free double_free misaligned uninit_global uninit_shared uninit_local race_shared race_global stream_race copy_not_waited divergent_barrier "
                    "barrier_count barrier_phase barrier_exit barrier_deadlock bad_warp_mask infinite_loop host_deref bad_launch bad_api_call leak uncoalesced bank_conflict".split())


class Marks:
    """expected: (class, severity, line), each once; allowed: {(class, line)}; counts: {(line, "global load"): requests}."""

    def __init__(self, text):
        self.expected, self.allowed, self.counts, self.refused, self.words = [], set(), {}, [], []
        for number, line in enumerate(text.splitlines(), 1):
            comment = line.partition("//")[2]
            self.refused += [(number, words.strip().split(", ")) for words in REFUSED.findall(comment)]
            self.words += [(number, " ".join(words.split())) for words in SAYS.findall(comment)]
            for counted in COUNTS.findall(comment):
                for kind, requests in (words.rsplit(" ", 1) for words in counted.split(", ")):
                    self.counts[number, kind] = int(requests)
            for kind, classes in MARK.findall(comment):
                for klass in classes.split(", "):
                    if klass not in CLASSES:
                        raise ValueError(f"line {number} marks a class that does not exist: {klass}")
                    self.allowed.add((klass, number))
                    if kind in SEVERITY:
                        self.expected.append((klass, SEVERITY[kind], number))

    def lines_of(self, klass):
        """Every line on which a finding of this class is right."""
        return {line for known, line in self.allowed if known == klass}

    def expects_error(self):
        return any(severity == "error" for _, severity, _ in self.expected)
