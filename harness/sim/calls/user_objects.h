// Objects of the program that graphs keep.
#pragma once

#include <map>

struct CUuserObject_st;

namespace workbook::sim {

/// Who keeps objects, and how often each: what is copied keeps them, too.
class KeptObjects {
 public:
  KeptObjects() = default;
  KeptObjects(const KeptObjects& other);
  KeptObjects& operator=(const KeptObjects& other);
  ~KeptObjects();

  /// `count` references are the keeper's from here on.
  void take(CUuserObject_st* object, unsigned count) { counts_[object] += count; }
  /// Releases `count` of them; false: it has fewer.
  bool release(CUuserObject_st* object, unsigned count);

 private:
  std::map<CUuserObject_st*, unsigned> counts_;
};

}  // namespace workbook::sim
