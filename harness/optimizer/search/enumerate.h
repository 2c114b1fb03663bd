// One subtree of the search for equal graphs: depth first, a node at a time, in the one order of order.h. A
// candidate is cut for the first reason that holds, in the order of PruneReason.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "optimizer/algebra/evaluate.h"
#include "optimizer/algebra/normal_form.h"

namespace workbook::opt {

enum class PruneReason : std::uint8_t {
  order,       ///< its key is not greater than the last node's: the same graph is found in its one order
  shape,       ///< it has no shape (shape_of), or is a sum of a product that one matrix product is
  loose,       ///< too few nodes are left to join what is not used yet, or the inputs in it do not suffice
  expression,  ///< its form is useful for none of the goals
  duplicate,   ///< its values are those of a tensor that is there
};
inline constexpr int kPruneReasons = 5;
inline constexpr const char* kPruneNames[kPruneReasons] = {"order", "shape", "loose", "expression",
                                                           "duplicate"};
inline constexpr char kPruneLetters[kPruneReasons + 1] = "oslxd";

struct Counts {
  std::uint64_t states = 0;  ///< prefixes that were kept, the empty one included
  std::uint64_t tried = 0;   ///< candidates that were looked at: those cut by order are not
  std::array<std::uint64_t, kPruneReasons> cut{};
  Counts& operator+=(const Counts& other);
  bool operator==(const Counts&) const = default;
};

/// What a search is about, the same for all threads.
struct Space {
  Space(const Program& program, const Field& field, Draw draw);

  const Program& program;
  const Field& field;
  Draw draw;
  Extents extents{};  ///< tiny: 2 for indices over which exps are summed, 3 elsewhere
  std::vector<FieldTensor> inputs;
  Fingerprint target;
  std::vector<Node> unary, binary;  ///< in the order of keys; of binary a and b say which way round
  std::vector<const Graph*> goals;  ///< the program and its lemmas
  std::uint64_t needed = 0;         ///< inputs that all goals use
};

/// The tiny extents of a program.
Extents tiny_extents(const Program& program, int elsewhere = 3);

inline constexpr std::size_t kTreeStates = 20'000;  ///< of the picture of the search at most
inline constexpr int kWholeDepth = 4;  ///< of the picture of the search: so far every state is in it

/// A kept prefix with how its children were cut, for the picture of the search.
struct TreeState {
  std::vector<Node> nodes;
  std::array<std::uint32_t, kPruneReasons> cut{};
  std::uint32_t kept = 0;
  bool equal = false;
};

class Enumerator {
 public:
  explicit Enumerator(const Space& space);

  /// All equal graphs with exactly `limit` nodes that begin with the prefix, as the nodes behind the inputs.
  /// Prefixes of `stop_at` nodes are handed back instead of being gone into (0: none). Ends early, with what
  /// there is, when `stop` is set.
  void run(const std::vector<Node>& prefix, int limit, int stop_at, const std::atomic<bool>& stop);

  /// Goes down the nodes, judging each, the limit being their number. The first that is cut, and why.
  struct Judged {
    int node = -1;  ///< counted without the inputs; -1: none was cut
    PruneReason cut = PruneReason::order;
    bool equal = false;
  };
  Judged judge(const std::vector<Node>& nodes, int limit);

  Counts counts;
  std::vector<std::vector<Node>> found, prefixes;
  std::size_t most_held = 3'000'000;  ///< NormalForms::held() of a thread
  bool keep_tree = false;
  std::vector<TreeState> tree;
  std::uint64_t tree_one_in = 1;  ///< of states deeper than kWholeDepth, one in so many is in `tree`

 private:
  struct Step {
    Node node;
    FormId form = kNoForm;
    Fingerprint print;
    FieldTensor values;
  };
  enum class Push { kept, equal, cut };

  void begin();
  void renew_forms();
  Push push(Node node, int limit, PruneReason& reason);
  void pop();
  void children(int limit, int stop_at, const std::atomic<bool>& stop);
  void note(std::size_t place, PruneReason cut, std::size_t times = 1);
  std::vector<Node> path() const;
  bool sampled() const;
  bool is_product_apart(const Node& node) const;
  bool useful(const Node& node, FormId form);
  bool fits(std::uint64_t loose, FormId form);

  const Space& space_;
  IndexSet output_set_;
  std::optional<NormalForms> forms_;  ///< anew when it has grown large: a search may go on for hours
  FieldEvaluator evaluator_;
  std::vector<FormId> goals_;
  std::vector<Step> steps_;  ///< inputs first; the first size_ count
  std::size_t size_ = 0;
  struct Used {
    std::uint64_t loose, unused;  ///< nodes, and inputs, that nothing uses yet
  };
  std::vector<Used> used_;
  std::size_t same_ = 0;  ///< operations of a tensor with itself
};

}  // namespace workbook::opt
