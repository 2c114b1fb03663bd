// The host's clock of a simulated program, in microseconds since it began. Modelled, as the times of events
// are: launches, loading a kernel and waiting take time, the host's own computation none. std::chrono shows
// how long the simulator itself takes, which says nothing about a GPU.
#pragma once

#ifdef __cplusplus
extern "C"
#endif
    double
    workbook_sim_host_us();
