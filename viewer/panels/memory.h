// One warp's request: its lanes, and the sectors or banks they meet; the traffic from DRAM to registers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/request.h"
#include "model/traffic.h"
#include "panels/panel.h"

namespace workbook::viewer {

class MemoryPanel : public Panel {
 public:
  const char* title() const override { return "Memory"; }
  const char* summary() const override { return "lanes to sectors and banks; traffic"; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override { return missing_trace(view); }

 private:
  struct ListKey {
    std::int64_t run = 0, a = 0, b = 0;
    int launch = -1;
    std::string benchmark;
    bool operator==(const ListKey&) const = default;
  };
  struct RequestKey {
    ListKey list;
    int site = -1, block = -1, warp = -1;
    bool operator==(const RequestKey&) const = default;
  };

  void refresh_list(View& view);
  void refresh_requests(View& view);
  const Site* site() const;
  int site_of_selection(const Selection& selection) const;
  void choose_site(View& view, int number);
  void step_request(int by);
  void draw_sites(View& view);
  void draw_request(View& view);
  void draw_steppers(View& view);
  void draw_verdict(const View& view);
  void draw_traffic(const View& view);

  std::shared_ptr<const LoadedRun> run_;
  ListKey list_key_;
  RequestKey request_key_;
  std::vector<Site> sites_;
  int site_ = 0;
  std::string source_line_;  ///< the text of the site's line
  std::vector<int> blocks_, warps_;
  int block_ = 0, warp_ = 0;
  std::vector<Request> requests_;
  int request_ = 0;
  Fetch fetch_;
  Banks banks_;
  int drawn_request_ = -1;  ///< whose fetch and banks these are
  Traffic a_, b_;
  std::string name_a_, name_b_;
};

}  // namespace workbook::viewer
