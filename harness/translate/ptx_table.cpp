#include "ptx_table.h"

#include <algorithm>
#include <iterator>

#include "ptx_code.h"
#include "ptx_group.h"

namespace workbook::sim {
namespace {

constexpr std::string_view kTypes =
    "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 pred tf32";

// Words that a row may allow: listed, or by letters behind a '+':
//   r  rounding: rn rz rm rp, told to the function
//   i  rounding to integers: rni rzi rmi rpi, likewise
//   f  ftz: subnormal operands and results become 0
//   s  sat: the result is kept in [0, 1]
//   x  approx, full: computed exactly here, as all of the simulator's fast math
//   m  of loads and stores: state spaces, cache operators, order, scope, vectors
constexpr std::string_view
    kRounding = "rn rz rm rp",
    kIntegerRounding = "rni rzi rmi rpi",
    kMemory =
        "global shared shared::cta shared::cluster local const generic param volatile "
        "relaxed acquire release acq_rel weak cta cluster gpu sys ca cg cs lu cv wb wt "
        "nc v2 v4 unified mmio noftz",
    kOfTensors =
        "1d 2d 3d 4d 5d shared::cluster shared::cta global tile mbarrier::complete_tx::bytes "
        "multicast::cluster bulk_group",
    kOfBarriers = "shared shared::cta shared::cluster relaxed acquire release cta cluster";

// Operands, in order, by a letter each:
//   d  result of the first type     D  of the wider type     u  of 32 bits     P  predicate     t  second
//   type a  operand of the first type    w  of the wider type     n  of 32 bits     p  predicate     b second
//   type i  a constant                   m  address               c  the carry, of which the text says
//   nothing  s, g  address in shared, in global memory     l  of 64 bits
constexpr PtxRow kRows[] = {
    // ---- integers and floating point numbers
    {"add.cc", "u32 s32 u64 s64", "", "cdaa", "add_cc"},
    {"addc", "u32 s32 u64 s64", "", "cdaa", "addc"},
    {"addc.cc", "u32 s32 u64 s64", "", "cdaa", "addc"},
    {"sub.cc", "u32 s32 u64 s64", "", "cdaa", "sub_cc"},
    {"subc", "u32 s32 u64 s64", "", "cdaa", "subc"},
    {"subc.cc", "u32 s32 u64 s64", "", "cdaa", "subc"},
    {"mad.lo.cc", "u32 s32 u64 s64", "", "cdaaa", "mad_lo_cc"},
    {"mad.hi.cc", "u32 s32 u64 s64", "", "cdaaa", "mad_hi_cc"},
    {"madc.lo", "u32 s32 u64 s64", "", "cdaaa", "madc_lo"},
    {"madc.hi", "u32 s32 u64 s64", "", "cdaaa", "madc_hi"},
    {"madc.lo.cc", "u32 s32 u64 s64", "", "cdaaa", "madc_lo"},
    {"madc.hi.cc", "u32 s32 u64 s64", "", "cdaaa", "madc_hi"},
    {"add.sat", "s32", "", "daa", "add_sat"},
    {"sub.sat", "s32", "", "daa", "sub_sat"},
    {"add", "u16 s16 u32 s32 u64 s64", "", "daa", "add"},
    {"add", "f32 f64", "+rfs", "daa", "add_float"},
    {"add", "f16 f16x2 bf16 bf16x2", "+rfs", "daa", "add_small"},
    {"sub", "u16 s16 u32 s32 u64 s64", "", "daa", "sub"},
    {"sub", "f32 f64", "+rfs", "daa", "sub_float"},
    {"sub", "f16 f16x2 bf16 bf16x2", "+rfs", "daa", "sub_small"},
    {"mul.lo", "u16 s16 u32 s32 u64 s64", "", "daa", "mul_lo"},
    {"mul.hi", "u16 s16 u32 s32 u64 s64", "", "daa", "mul_hi"},
    {"mul.wide", "u16 s16 u32 s32", "", "Daa", "mul_wide"},
    {"mul", "f32 f64", "+rfs", "daa", "mul_float"},
    {"mul", "f16 f16x2 bf16 bf16x2", "+rfs", "daa", "mul_small"},
    {"mad.lo", "u16 s16 u32 s32 u64 s64", "", "daaa", "mad_lo"},
    {"mad.hi", "u16 s16 u32 s32 u64 s64", "", "daaa", "mad_hi"},
    {"mad.wide", "u16 s16 u32 s32", "", "Daaw", "mad_wide"},
    {"mad", "f32 f64", "+rfs", "daaa", "fma"},
    {"fma", "f32 f64", "+rfs", "daaa", "fma"},
    {"fma", "f16 f16x2 bf16 bf16x2", "+rfs", "daaa", "fma_small"},
    {"mul24.lo", "u32 s32", "", "daa", "mul24_lo"},
    {"mul24.hi", "u32 s32", "", "daa", "mul24_hi"},
    {"mad24.lo", "u32 s32", "", "daaa", "mad24_lo"},
    {"div", "u16 s16 u32 s32 u64 s64", "", "daa", "div"},
    {"div", "f32 f64", "+rfx", "daa", "div_float"},
    {"rem", "u16 s16 u32 s32 u64 s64", "", "daa", "rem"},
    {"abs", "s16 s32 s64 f32 f64", "+f", "da", "abs"},
    {"neg", "s16 s32 s64 f32 f64", "+f", "da", "neg"},
    {"min", "u16 s16 u32 s32 u64 s64", "", "daa", "min"},
    {"max", "u16 s16 u32 s32 u64 s64", "", "daa", "max"},
    {"min.NaN", "f32", "+f", "daa", "min_nan"},
    {"max.NaN", "f32", "+f", "daa", "max_nan"},
    {"min", "f32 f64", "+f", "daa", "min_float"},
    {"max", "f32 f64", "+f", "daa", "max_float"},
    {"min", "f16 f16x2 bf16 bf16x2", "+f", "daa", "min_small"},
    {"max", "f16 f16x2 bf16 bf16x2", "+f", "daa", "max_small"},
    {"sad", "u16 s16 u32 s32 u64 s64", "", "daaa", "sad"},
    {"rcp", "f32 f64", "+rfx", "da", "rcp"},
    {"sqrt", "f32 f64", "+rfx", "da", "sqrt"},
    {"rsqrt", "f32 f64", "+fx", "da", "rsqrt"},
    {"sin", "f32", "+fx", "da", "sin"},
    {"cos", "f32", "+fx", "da", "cos"},
    {"lg2", "f32", "+fx", "da", "lg2"},
    {"ex2", "f32", "+fx", "da", "ex2"},
    {"tanh", "f32", "+x", "da", "tanh"},
    {"copysign", "f32 f64", "", "daa", "copysign"},
    {"testp.finite", "f32 f64", "", "Pa", "is_finite"},
    {"testp.infinite", "f32 f64", "", "Pa", "is_infinite"},
    {"testp.number", "f32 f64", "", "Pa", "is_number"},
    {"testp.notanumber", "f32 f64", "", "Pa", "is_nan"},
    // ---- bits
    {"and", "b16 b32 b64 pred", "", "daa", "bit_and"},
    {"or", "b16 b32 b64 pred", "", "daa", "bit_or"},
    {"xor", "b16 b32 b64 pred", "", "daa", "bit_xor"},
    {"not", "b16 b32 b64 pred", "", "da", "bit_not"},
    {"cnot", "b16 b32 b64", "", "da", "cnot"},
    {"lop3", "b32", "", "daaai", "lop3"},
    {"shl", "b16 b32 b64", "", "dan", "shl"},
    {"shr", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "", "dan", "shr"},
    {"shf.l.wrap", "b32", "", "daan", "shf_l_wrap"},
    {"shf.l.clamp", "b32", "", "daan", "shf_l_clamp"},
    {"shf.r.wrap", "b32", "", "daan", "shf_r_wrap"},
    {"shf.r.clamp", "b32", "", "daan", "shf_r_clamp"},
    {"bfe", "u32 s32 u64 s64", "", "dann", "bfe"},
    {"bfi", "b32 b64", "", "daann", "bfi"},
    {"bmsk.clamp", "b32", "", "dnn", "bmsk_clamp"},
    {"bfind.shiftamt", "u32 s32 u64 s64", "", "ua", "bfind_shiftamt"},
    {"bfind", "u32 s32 u64 s64", "", "ua", "bfind"},
    {"popc", "b32 b64", "", "ua", "popc"},
    {"clz", "b32 b64", "", "ua", "clz"},
    {"brev", "b32 b64", "", "da", "brev"},
    {"fns", "b32", "", "dnnn", "fns"},
    {"prmt", "b32", "", "daan", "prmt"},
    {"dp4a", "u32 s32", "", "tabn", "dp4a"},
    {"vabsdiff4.add", "u32", "", "daaa", "vabsdiff4_add"},
    {"vabsdiff4", "u32", "", "daaa", "vabsdiff4"},
    // ---- comparing and choosing
    {"setp", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "+f", "", "", PtxKind::compare},
    {"selp", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "", "daap", "selp"},
    {"slct", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "+f", "daab", "slct"},
    {"set.eq", "u32 s32 f32", "+f", "dbb", "set_eq"},
    {"set.ne", "u32 s32 f32", "+f", "dbb", "set_ne"},
    {"set.lt", "u32 s32 f32", "+f", "dbb", "set_lt"},
    {"set.le", "u32 s32 f32", "+f", "dbb", "set_le"},
    {"set.gt", "u32 s32 f32", "+f", "dbb", "set_gt"},
    {"set.ge", "u32 s32 f32", "+f", "dbb", "set_ge"},
    // ---- moving and converting
    {"mov", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64 pred", "", "", "", PtxKind::move},
    {"cvt.sat", "u8 s8 u16 s16 u32 s32 u64 s64", "+ri", "db", "cvt_sat"},
    {"cvt", "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64", "+rifs", "db", "cvt"},
    {"cvt", "f16x2 bf16x2", "+r", "dbb", "cvt_two"},
    {"cvta", "u64 u32", "global local const generic", "da", "same_address"},
    {"cvta.to", "u64 u32", "global local const generic", "da", "same_address"},
    {"cvta.shared", "u64", "", "da", "from_shared"},
    {"cvta.to.shared", "u64", "", "da", "to_shared"},
    // ---- memory
    {"ld", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", "+m", "", "", PtxKind::load},
    {"st", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", "+m", "", "", PtxKind::store},
    {"ldu", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", "+m", "", "", PtxKind::load},
    {"atom.add", "u32 s32 u64 f32 f64 f16 f16x2 bf16 bf16x2", "+m", "", "AtomAdd", PtxKind::atomic},
    {"atom.exch", "b32 b64", "+m", "", "AtomExchange", PtxKind::atomic},
    {"atom.cas", "b16 b32 b64", "+m", "", "AtomCas", PtxKind::atomic},
    {"atom.min", "u32 s32 u64 s64", "+m", "", "AtomMin", PtxKind::atomic},
    {"atom.max", "u32 s32 u64 s64", "+m", "", "AtomMax", PtxKind::atomic},
    {"atom.and", "b32 b64", "+m", "", "AtomAnd", PtxKind::atomic},
    {"atom.or", "b32 b64", "+m", "", "AtomOr", PtxKind::atomic},
    {"atom.xor", "b32 b64", "+m", "", "AtomXor", PtxKind::atomic},
    {"atom.inc", "u32", "+m", "", "AtomInc", PtxKind::atomic},
    {"atom.dec", "u32", "+m", "", "AtomDec", PtxKind::atomic},
    {"red.add", "u32 s32 u64 f32 f64 f16 f16x2 bf16 bf16x2", "+m", "", "AtomAdd", PtxKind::reduction},
    {"red.min", "u32 s32 u64 s64", "+m", "", "AtomMin", PtxKind::reduction},
    {"red.max", "u32 s32 u64 s64", "+m", "", "AtomMax", PtxKind::reduction},
    {"red.and", "b32 b64", "+m", "", "AtomAnd", PtxKind::reduction},
    {"red.or", "b32 b64", "+m", "", "AtomOr", PtxKind::reduction},
    {"red.xor", "b32 b64", "+m", "", "AtomXor", PtxKind::reduction},
    {"red.inc", "u32", "+m", "", "AtomInc", PtxKind::reduction},
    {"red.dec", "u32", "+m", "", "AtomDec", PtxKind::reduction},
    {"prefetch", "", "global local L1 L2", "m", "no_effect"},
    {"prefetchu", "", "L1", "m", "no_effect"},
    {"cp.async", "", "ca cg shared shared::cta global", "", "", PtxKind::async_copy},
    {"cp.async.commit_group", "", "", "", "async_commit"},
    {"cp.async.wait_group", "", "", "i", "async_wait"},
    {"cp.async.wait_all", "", "", "", "async_wait_all"},
    // ---- barriers in shared memory, and bulk copies
    {"mbarrier.init", "b64", kOfBarriers, "mn", "barrier_init"},
    {"mbarrier.inval", "b64", kOfBarriers, "m", "barrier_invalidate"},
    {"mbarrier.arrive", "b64", kOfBarriers, "dm", "barrier_arrive_at"},
    {"mbarrier.arrive", "b64", kOfBarriers, "dmn", "barrier_arrive_at"},
    {"mbarrier.arrive.expect_tx", "b64", kOfBarriers, "dmn", "barrier_arrive_expect"},
    {"mbarrier.arrive_drop", "b64", kOfBarriers, "dm", "barrier_drop_at"},
    {"mbarrier.expect_tx", "b64", kOfBarriers, "mn", "barrier_expect"},
    {"mbarrier.test_wait", "b64", kOfBarriers, "Pma", "barrier_test"},
    {"mbarrier.test_wait.parity", "b64", kOfBarriers, "Pmn", "barrier_test"},
    {"mbarrier.try_wait", "b64", kOfBarriers, "Pma", "barrier_try"},
    {"mbarrier.try_wait", "b64", kOfBarriers, "Pman", "barrier_try"},
    {"mbarrier.try_wait.parity", "b64", kOfBarriers, "Pmn", "barrier_try"},
    {"mbarrier.try_wait.parity", "b64", kOfBarriers, "Pmnn", "barrier_try"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "", "", "sgns",
     "bulk_copy_to_shared"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", "", "", "sgns", "bulk_copy_to_shared"},
    {"cp.async.bulk.global.shared::cta.bulk_group", "", "", "gsn", "bulk_copy_to_global"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", "", "", "sgnsl",
     "bulk_copy_to_shared"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes", "", "", "sgnsl", "bulk_copy_to_shared"},
    {"cp.async.bulk.global.shared::cta.bulk_group", "", "", "gsnl", "bulk_copy_to_global"},
    {"cp.async.bulk.tensor", "", kOfTensors, "", "", PtxKind::tensor_copy},
    {"cp.async.bulk.prefetch.tensor", "", kOfTensors, "", "none", PtxKind::tensor_copy},
    {"prefetch.tensormap", "", "param const generic", "m", "no_effect"},
    {"createpolicy.fractional", "b64", "", "d", "l2_policy"},
    {"createpolicy.fractional", "b64", "", "da", "l2_policy"},
    {"cp.async.bulk.commit_group", "", "", "", "bulk_commit"},
    {"cp.async.bulk.wait_group", "", "read", "i", "bulk_wait"},
    {"fence.proxy.async", "", "global shared::cta shared::cluster", "", "fence_proxy"},
    {"fence.proxy.alias", "", "", "", "no_effect"},
    {"fence.proxy.tensormap::generic.release", "", "cta cluster gpu sys", "", "no_effect"},
    {"fence.proxy.tensormap::generic.acquire", "", "cta cluster gpu sys", "mi", "no_effect"},
    {"fence.mbarrier_init.release.cluster", "", "", "", "no_effect"},
    {"cp.async.mbarrier.arrive", "b64", "shared shared::cta", "m", "barrier_arrive_by_copies"},
    {"cp.async.mbarrier.arrive.noinc", "b64", "shared shared::cta", "m", "barrier_arrive_by_counted_copies"},
    // ---- warp groups
    {"wgmma.fence.sync.aligned", "", "", "", "group_fence"},
    {"wgmma.commit_group.sync.aligned", "", "", "", "group_commit"},
    {"wgmma.wait_group.sync.aligned", "", "", "i", "group_wait"},
    {"setmaxnreg.inc.sync.aligned", "u32", "", "i", "set_registers"},
    {"setmaxnreg.dec.sync.aligned", "u32", "", "i", "set_registers"},
    // ---- threads together
    {"bar.sync", "", "aligned", "n", "block_barrier"},
    {"bar.sync", "", "aligned", "nn", "barrier_of_some"},
    {"bar.arrive", "", "aligned", "nn", "barrier_arrive"},
    {"barrier.sync", "", "aligned", "n", "block_barrier"},
    {"barrier.sync", "", "aligned", "nn", "barrier_of_some"},
    {"barrier.arrive", "", "aligned", "nn", "barrier_arrive"},
    {"barrier.cta.sync", "", "aligned", "n", "block_barrier"},
    {"barrier.cta.sync", "", "aligned", "nn", "barrier_of_some"},
    {"barrier.cta.arrive", "", "aligned", "nn", "barrier_arrive"},
    {"bar.warp.sync", "", "", "n", "warp_barrier"},
    {"elect.sync", "", "", "n", "elect", PtxKind::elect},
    {"barrier.cluster.arrive", "", "release relaxed aligned", "", "cluster_arrive"},
    {"barrier.cluster.wait", "", "acquire aligned", "", "cluster_wait"},
    {"mapa.shared::cluster", "u32 u64", "", "dan", "map_shared"},
    {"mapa", "u64", "", "dan", "map_generic"},
    {"bar.red.popc", "u32", "", "dip", "barrier_popc"},
    {"bar.red.and", "pred", "", "Pip", "barrier_and"},
    {"bar.red.or", "pred", "", "Pip", "barrier_or"},
    {"membar", "", "cta gl sys", "", "", PtxKind::fence},
    {"fence", "", "sc acq_rel acquire release cta cluster gpu sys", "", "", PtxKind::fence},
    {"shfl.sync.idx", "b32", "", "", "shfl_idx", PtxKind::shuffle},
    {"shfl.sync.up", "b32", "", "", "shfl_up", PtxKind::shuffle},
    {"shfl.sync.down", "b32", "", "", "shfl_down", PtxKind::shuffle},
    {"shfl.sync.bfly", "b32", "", "", "shfl_bfly", PtxKind::shuffle},
    {"vote.sync.ballot", "b32", "", "dpn", "vote_ballot"},
    {"vote.sync.all", "pred", "", "Ppn", "vote_all"},
    {"vote.sync.any", "pred", "", "Ppn", "vote_any"},
    {"activemask", "b32", "", "d", "active_mask"},
    {"match.any.sync", "b32 b64", "", "uan", "match_any"},
    {"redux.sync.add", "u32 s32", "", "dan", "redux_add"},
    {"redux.sync.min", "u32 s32", "", "dan", "redux_min"},
    {"redux.sync.max", "u32 s32", "", "dan", "redux_max"},
    {"redux.sync.and", "b32", "", "dan", "redux_and"},
    {"redux.sync.or", "b32", "", "dan", "redux_or"},
    {"redux.sync.xor", "b32", "", "dan", "redux_xor"},
    {"vote.sync.uni", "pred", "", "Ppn", "vote_uni"},
    {"match.all.sync", "b32 b64", "", "uan", "match_all"},
    {"griddepcontrol.wait", "", "", "", "grid_dependency_wait"},
    {"griddepcontrol.launch_dependents", "", "", "", "grid_dependency_launch"},
    {"bra", "", "uni", "", "", PtxKind::branch},
    {"trap", "", "", "", "trap"},
    {"brkpt", "", "", "", "no_effect"},
    {"pmevent", "", "", "i", "no_effect"},
    {"nanosleep", "u32", "", "n", "sleep"},
};

/// Whose functions have the whole name.
constexpr std::string_view kOfRegisters[] = {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                             "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                                             "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                                             "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
                                             "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
                                             "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                                             "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
                                             "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
                                             "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
                                             "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                             "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                             "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                                             "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
                                             "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                                             "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                                             "cvt.rna.tf32.f32"};

struct Special {
  std::string_view name, value;
};
constexpr Special kSpecial[] = {
    {"tid.x", "threadIdx.x"},
    {"tid.y", "threadIdx.y"},
    {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"},
    {"ntid.y", "blockDim.y"},
    {"ntid.z", "blockDim.z"},
    {"ctaid.x", "blockIdx.x"},
    {"ctaid.y", "blockIdx.y"},
    {"ctaid.z", "blockIdx.z"},
    {"nctaid.x", "gridDim.x"},
    {"nctaid.y", "gridDim.y"},
    {"nctaid.z", "gridDim.z"},
    {"laneid", "::workbook::sim::lane_in_warp()"},
    {"warpid", "::workbook::sim::ptx::warp_id()"},
    {"nwarpid", "::workbook::sim::ptx::warps()"},
    {"smid", "::workbook::sim::ptx::multiprocessor()"},
    {"nsmid", "::workbook_sim_multiprocessors()"},
    {"lanemask_eq", "::workbook::sim::ptx::lane_mask(true, 0)"},
    {"lanemask_le", "::workbook::sim::ptx::lane_mask(true, -1)"},
    {"lanemask_lt", "::workbook::sim::ptx::lane_mask(false, -1)"},
    {"lanemask_ge", "::workbook::sim::ptx::lane_mask(true, 1)"},
    {"lanemask_gt", "::workbook::sim::ptx::lane_mask(false, 1)"},
    {"clock", "static_cast<unsigned int>(::workbook_sim_clock())"},
    {"clock_hi", "static_cast<unsigned int>(::workbook_sim_clock() >> 32)"},
    {"clock64", "static_cast<unsigned long long>(::workbook_sim_clock())"},
    {"cluster_ctarank", "::workbook_sim_cluster_block_rank()"},
    {"cluster_nctarank", "::__clusterSizeInBlocks()"},
    {"cluster_nctaid.x", "::workbook_sim_cluster_extent(0)"},
    {"cluster_nctaid.y", "::workbook_sim_cluster_extent(1)"},
    {"cluster_nctaid.z", "::workbook_sim_cluster_extent(2)"},
    {"cluster_ctaid.x", "blockIdx.x % ::workbook_sim_cluster_extent(0)"},
    {"cluster_ctaid.y", "blockIdx.y % ::workbook_sim_cluster_extent(1)"},
    {"cluster_ctaid.z", "blockIdx.z % ::workbook_sim_cluster_extent(2)"},
    {"clusterid.x", "blockIdx.x / ::workbook_sim_cluster_extent(0)"},
    {"clusterid.y", "blockIdx.y / ::workbook_sim_cluster_extent(1)"},
    {"clusterid.z", "blockIdx.z / ::workbook_sim_cluster_extent(2)"},
    {"nclusterid.x", "gridDim.x / ::workbook_sim_cluster_extent(0)"},
    {"nclusterid.y", "gridDim.y / ::workbook_sim_cluster_extent(1)"},
    {"nclusterid.z", "gridDim.z / ::workbook_sim_cluster_extent(2)"},
    {"globaltimer", "::workbook_sim_global_timer()"},
    {"globaltimer_lo", "static_cast<unsigned int>(::workbook_sim_global_timer())"},
    {"globaltimer_hi", "static_cast<unsigned int>(::workbook_sim_global_timer() >> 32)"},
};

/// Whether `word` stands in a list with spaces between.
bool in(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

/// Cache hints: "L1::no_allocate", "L2::128B".
bool is_hint(std::string_view word) { return word.starts_with("L1::") || word.starts_with("L2::"); }

bool allows(std::string_view allowed, std::string_view word) {
  if (!allowed.starts_with('+')) return in(allowed, word) || is_hint(word);
  const auto letter = [&](char c) { return allowed.find(c) != allowed.npos; };
  return (letter('r') && in(kRounding, word)) || (letter('i') && in(kIntegerRounding, word)) ||
         (letter('f') && word == "ftz") || (letter('s') && word == "sat") ||
         (letter('x') && (word == "approx" || word == "full")) ||
         (letter('m') && (in(kMemory, word) || is_hint(word)));
}

/// Whether the row is the instruction's; `form` gets the rest of its words.
bool matches(const PtxRow& row, const std::vector<std::string>& words, PtxForm& form) {
  std::vector<std::string> own = opcode_words(row.name);
  if (own.front() != words.front()) return false;
  form = {&row, {}, {}};
  for (const std::string& word : words) {
    if (const auto at = std::find(own.begin(), own.end(), word); at != own.end())
      own.erase(at);
    else if (in(kTypes, word))
      form.types.push_back(word);
    else
      form.words.push_back(word);
  }
  if (!own.empty() || row.types.empty() != form.types.empty()) return false;
  if (!form.types.empty() && !in(row.types, form.types.front())) return false;
  const bool compares = row.kind == PtxKind::compare;  // its words are the comparison's
  return std::all_of(form.words.begin(), form.words.end(),
                     [&](const std::string& word) { return compares || allows(row.allowed, word); });
}

}  // namespace

bool PtxForm::has(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

/// What is there near an instruction that is not.
std::string_view instead_of(std::string_view opcode) {
  const auto has = [&](std::string_view word) { return opcode.find(word) != opcode.npos; };
  if (opcode.starts_with("tcgen05")) return ": it is Blackwell's; Hopper's wgmma and mma.sync are";
  if (opcode.starts_with("wgmma.mma_async.sp")) return ": wgmma without .sp, on the whole matrix, is";
  if (opcode.starts_with("wgmma.mma_async") && has(".s32"))
    return ": wgmma of f16, bf16, tf32 and fp8 is, and of int8 mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
  if (opcode.starts_with("cp.reduce.async.bulk"))
    return ": cp.async.bulk is, and adding with atomicAdd() or red";
  if (has(".im2col")) return ": boxes of tiled maps (cuTensorMapEncodeTiled, .tile) are";
  return "";
}

}  // namespace

PtxForm find_form(const std::string& opcode, std::size_t operands) {
  static constexpr PtxRow kRegisters{"", "", "", "", "", PtxKind::registers},
      kGroupProduct{"", "", "", "", "", PtxKind::group_product};
  if (std::find(std::begin(kOfRegisters), std::end(kOfRegisters), opcode) != std::end(kOfRegisters))
    return {&kRegisters, {}, {}};
  if (group_product_name(opcode)) return {&kGroupProduct, {}, {}};
  const std::vector<std::string> words = opcode_words(opcode);
  PtxForm form, other{nullptr, {}, {}};
  for (const PtxRow& row : kRows) {
    if (!matches(row, words, form)) continue;
    if (row.kind != PtxKind::plain || row.operands.size() == operands) return form;
    if (other.row == nullptr) other = form;
  }
  if (other.row != nullptr) return other;
  throw PtxProblem("the instruction '" + opcode + "' is not simulated" + std::string(instead_of(opcode)));
}

std::string_view special_register(std::string_view name) {
  for (const Special& special : kSpecial)
    if (special.name == name) return special.value;
  return "";
}

}  // namespace workbook::sim
