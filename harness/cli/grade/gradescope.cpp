#include "cli/grade/gradescope.h"

#include <archive.h>
#include <archive_entry.h>

#include <cstdlib>
#include <memory>

#include "cli/base/build_config.h"
#include "cli/base/errors.h"
#include "cli/base/process.h"
#include "cli/base/text.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

struct Written {
  void operator()(archive* a) const { archive_write_free(a); }
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

class Zip {
 public:
  explicit Zip(const fs::path& file) : file_(file), archive_(archive_write_new()) {
    good_ = archive_write_set_format_zip(archive_.get()) == ARCHIVE_OK &&
            archive_write_open_filename(archive_.get(), file.c_str()) == ARCHIVE_OK;
  }

  void add(const std::string& name, const std::string& text, bool is_program) {
    const std::unique_ptr<archive_entry, Written> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), is_program ? 0755 : 0644);
    good_ =
        good_ && archive_write_header(archive_.get(), entry.get()) == ARCHIVE_OK &&
        archive_write_data(archive_.get(), text.data(), text.size()) == static_cast<la_ssize_t>(text.size());
  }

  void finish() {
    good_ = archive_write_close(archive_.get()) == ARCHIVE_OK && good_;
    if (!good_) throw HarnessError(file_.string() + " cannot be written.");
  }

 private:
  fs::path file_;
  std::unique_ptr<archive, Written> archive_;
  bool good_ = false;
};

/// A folder of its own, gone with it.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "workbook-gradescope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw HarnessError(name + " cannot be made.");
    folder_ = name;
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

void run_or_throw(const std::vector<std::string>& command, const std::string& what) {
  const ProcessResult done = run_process(command, "/", {});
  if (!done.ok()) throw HarnessError(what + ":\n" + done.output);
}

/// An installed workbook's folder: this one, or one that is made of this build.
fs::path installed_tree(const fs::path& place) {
  if (build::kInstalled) return build::kSourceDir;
  const fs::path source = build::kSourceDir;
  const fs::path built = fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
  run_or_throw({(source / "cmake/build.sh").string(), "sim", "workbook_cli", "workbook_grade",
                "workbook_confine", "workbook_sim_programs", "workbook_sim_libraries"},
               "The workbook for the autograder cannot be built");
  run_or_throw({"cmake", "--install", built.string(), "--component", "grader", "--prefix", place.string()},
               "The workbook for the autograder cannot be laid out");
  return place / "lib/workbook";
}

}  // namespace

void write_autograder(const fs::path& course, const fs::path& zip) {
  const Workplace workplace;
  const fs::path tree = installed_tree(workplace.folder() / "prefix");
  const fs::path tar = workplace.folder() / "workbook.tar.gz";
  std::vector<std::string> command = {
      "tar", "-czf", tar.string(), "--format=gnu", "--owner=0", "--group=0", "--transform=s,^[.],workbook,"};
  // No grader opens a window, reads a chapter or searches for kernels.
  for (const char* spared : {"./book", "./bin/workbook-viewer", "./bin/workbook_optimizer",
                             "./bin/workbook_more", "./harness/python", "./harness/optimizer"})
    command.push_back(std::string("--exclude=") + spared);
  command.insert(command.end(), {"-C", tree.string(), "."});
  run_or_throw(command, "The workbook for the autograder cannot be packed");
  const fs::path scripts = tree / "harness/cli/grade/gradescope";
  const fs::path draft = zip.string() + ".new";
  Zip out(draft);
  for (const char* name : {"setup.sh", "run_autograder"}) out.add(name, read_file(scripts / name), true);
  out.add("course.toml", read_file(course), false);
  out.add("workbook.tar.gz", read_file(tar), false);
  out.finish();
  fs::rename(draft, zip);
}

int container_memory_mb() {
  constexpr long long kNone = 1LL << 40;  // what cgroups call no limit is larger
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const auto text = read_file_if_any(file)) {
      const long long bytes = std::atoll(text->c_str());
      if (bytes > 0 && bytes < kNone) return static_cast<int>(bytes >> 20);
    }
  return 0;
}

}  // namespace workbook::cli
