"""Puzzles that are programs: what of a submission is graded, on data that nobody has seen, and what cheats get."""
import json
import unittest

from course import GradeTest, edited

PROGRAMS = {"09_detective_work": "weather", "10_sanitizers": "volume", "28_async_copy": "streams", "30_profiling": "questions",
            "46_reading_sass": "rewrite"}
COURSE = "seed = 11\n" + "".join(f'[[task]]\npuzzle = "{name}"\nvariant = "{variant}"\n' for name, variant in PROGRAMS.items())
FILES = {"09_detective_work": ("weather.cu", "answers.txt"), "10_sanitizers": ("volume.cu",), "28_async_copy": ("streams.cu",),
         "30_profiling": ("answers.txt",), "46_reading_sass": ("rewrite.cu",)}
ALL = {name: 1 for name in PROGRAMS}


class Programs(GradeTest):
    PUZZLES = tuple(PROGRAMS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.root / "course.toml").write_text(COURSE)
        cls.subs, cls.out = cls.root / "handed-in", cls.root / "grades"
        cls.wanted = {}
        weather, volume = cls.solution("09_detective_work", "weather.cu"), cls.solution("10_sanitizers", "volume.cu")
        streams, rewrite = cls.solution("28_async_copy", "streams.cu"), cls.solution("46_reading_sass", "rewrite.cu")
        cls.hand_in("all right", {}, ALL)
        cls.hand_in("as found", {"09_detective_work": {"weather.cu": cls.found("09_detective_work", "weather.cu")},
                                 "10_sanitizers": {"volume.cu": cls.found("10_sanitizers", "volume.cu")},
                                 "28_async_copy": {"streams.cu": cls.found("28_async_copy", "streams.cu")},
                                 "30_profiling": {"answers.txt": cls.found("30_profiling", "answers.txt")},
                                 "46_reading_sass": {"rewrite.cu": cls.found("46_reading_sass", "rewrite.cu")}}, {})
        # What it should print, known by heart.
        prints = 'int main() { std::printf("mean of the year: 3.42 degrees\\n0 of 365 days differ\\n"); }'
        by_heart = weather[:weather.index("int main()")] + prints + "\n"
        # The right numbers of fresh data, too, from a plain loop; the kernel that looks busy has them wrong.
        on_host = edited(volume, "wrong += louder[i] != kGain * recording[i];", "louder[i] = kGain * recording[i];")
        on_host = edited(on_host, "out[i] = kGain * sample;", "out[i] = sample;")
        cls.hand_in("by heart", {"09_detective_work": {"weather.cu": by_heart}, "10_sanitizers": {"volume.cu": on_host}},
                    {**ALL, "09_detective_work": 0, "10_sanitizers": 0})
        # Data that cannot be drawn anew; and a kernel that nobody launches.
        other = edited(volume, "kSamples = 10'002", "kSamples = 10'000 + 2")
        nothing = weather.replace("daily_mean_kernel<<<", "if (false) daily_mean_kernel<<<")
        nothing = edited(nothing, "  int wrong = 0;", "  for (int i = 0; i < kDays; ++i) means[i] = 0;\n  int wrong = 0;")
        cls.hand_in("other data", {"10_sanitizers": {"volume.cu": other}, "09_detective_work": {"weather.cu": nothing}},
                    {**ALL, "09_detective_work": 0, "10_sanitizers": 0})
        # Regions that print, end and leave the program that they are put into.
        say = 'std::printf("results: right\\noverlap: yes\\n");\n  // END: overlap'
        leave = "}\nstatic bool forged = true;\nvoid more() {\n  // END: lean"
        cls.hand_in("regions", {"28_async_copy": {"streams.cu": edited(streams, "// END: overlap", say)},
                                "46_reading_sass": {"rewrite.cu": edited(rewrite, "// END: lean", leave)}},
                    {**ALL, "28_async_copy": 0, "46_reading_sass": 0})
        # Outside of regions nothing counts, for better or worse.
        silent = edited(rewrite, "++wrong;", "wrong = 0;")
        cls.hand_in("elsewhere", {"46_reading_sass": {"rewrite.cu": silent},
                                  "28_async_copy": {"streams.cu": streams.replace("// END: pinned", "")}},
                    {**ALL, "28_async_copy": 0})
        # What is not there for it.
        cls.hand_in("includes", {"09_detective_work": {"weather.cu": f'#include "{cls.root}/solutions/09_detective_work/weather.cu"\n'},
                                 "10_sanitizers": {"volume.cu": "#include <fstream>\n" + volume}},
                    {**ALL, "09_detective_work": 0, "10_sanitizers": 0})
        cls.status, cls.said = cls.grade(cls.subs, "--course", "course.toml", "--out", cls.out)

    @classmethod
    def found(cls, name, file):
        return (cls.root / "puzzles" / name / file).read_text()

    @classmethod
    def hand_in(cls, learner, others, wanted):
        """The solutions, but for `others`."""
        cls.wanted[learner] = wanted
        for name, files in FILES.items():
            for file in files:
                text = others.get(name, {}).get(file) or cls.solution(name, file)
                place = cls.subs / learner / name / file
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)

    def test_each_gets_what_its_program_is_worth(self):
        self.assertEqual(self.status, 0, self.said)
        for learner, wanted in self.wanted.items():
            for name, test in zip(PROGRAMS, self.results(learner)):
                with self.subTest(learner=learner, puzzle=name):
                    self.assertEqual(test["score"], wanted.get(name, 0), test["output"])

    def results(self, learner):
        return json.loads(next((self.out / "results").glob(learner.replace(" ", "*") + "*/results.json")).read_text())["tests"]

    def output(self, learner, name):
        return " ".join(self.results(learner)[list(PROGRAMS).index(name)]["output"].split())

    def test_a_cheat_reads_what_kept_it_from_its_points(self):
        self.assertIn("Right on the data that you see, and not on those that grading draws.", self.output("by heart", "09_detective_work"))
        self.assertIn("none holds the", self.output("by heart", "10_sanitizers"))
        self.assertIn("no longer holds 'kSamples = 10'002'", self.output("other data", "10_sanitizers"))
        self.assertIn("'printf' writes into the output that is judged", self.output("regions", "28_async_copy"))
        self.assertIn("region lean, line 28: a '}' that nothing opened", self.output("regions", "46_reading_sass"))
        self.assertIn("differs elsewhere, too, and that counts for nothing", self.output("elsewhere", "46_reading_sass"))
        self.assertIn("its markers are not those that it had", self.output("elsewhere", "28_async_copy"))
        self.assertIn("line 1: ", self.output("includes", "09_detective_work"))
        self.assertIn("<fstream> is no header that kernels need", self.output("includes", "10_sanitizers"))

    def test_check_says_what_programs_get(self):
        (self.root / "small.toml").write_text('[[task]]\npuzzle = 30\nvariant = "questions"\n[[task]]\npuzzle = 10\nvariant = "volume"\n')
        status, said = self.grade("--check", "small.toml")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"30 --questions +the solution +correct +1 of 1")
        self.assertEqual(said.count("answered wrong"), 3)
        self.assertRegex(said, r"10 --volume +the skeleton +finding +0 of 1")

    def test_a_program_has_no_ratio(self):
        (self.root / "bad.toml").write_text('[[task]]\npuzzle = 10\nvariant = "volume"\nratio = { of = "time" }\n')
        status, said = self.grade("--check", "bad.toml")
        self.assertEqual(status, 2)
        self.assertIn("has no real shape by which a 'ratio' could be taken", " ".join(said.split()))


if __name__ == "__main__":
    unittest.main()
