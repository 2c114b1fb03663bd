// The simulator's <nvtx3/nvToolsExt.h>: ranges and marks that a program puts around its parts. They go into
// the run record; `workbook profile` adds them up, the viewer's Timeline draws them. What NVTX has beyond
// that (domains, categories, ranges that end in another thread) is not here, and fails to compile. Colours
// and payloads are taken and not shown.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1 } nvtxMessageType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

#ifdef __cplusplus
extern "C" {
#endif

/// The depth at which the range begins, from 0.
int nvtxRangePushA(const char* name);
/// Ends the innermost range of this thread: its depth, or NVTX_NO_PUSH_POP_TRACKING where none is open.
int nvtxRangePop(void);
void nvtxMarkA(const char* name);

static inline int nvtxRangePushEx(const nvtxEventAttributes_t* attributes) {
  return nvtxRangePushA(attributes->messageType == NVTX_MESSAGE_TYPE_ASCII ? attributes->message.ascii : "");
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t* attributes) {
  nvtxMarkA(attributes->messageType == NVTX_MESSAGE_TYPE_ASCII ? attributes->message.ascii : "");
}

#ifdef __cplusplus
}
#endif

#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
