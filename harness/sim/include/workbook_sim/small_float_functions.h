// Arithmetic, comparisons and mathematics of one 16 bit floating point type and its vector of two: the second
// half of small_float.h, which includes it. Everything is computed in float and rounded once to nearest even;
// that is exact for + - * / and the square root, because 24 bits are at least twice 11 and two.

#define WORKBOOK_A static_cast<float>(a)
#define WORKBOOK_B static_cast<float>(b)
#define WORKBOOK_C static_cast<float>(c)

// A function of one, two or three numbers, and its namesake for vectors.
#define WORKBOOK_FUNCTION1(NAME, NAME2, EXPRESSION)                                \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL NAME(WORKBOOK_SMALL a) { return EXPRESSION; } \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 NAME2(WORKBOOK_SMALL2 a) { return {NAME(a.x), NAME(a.y)}; }
#define WORKBOOK_FUNCTION2(NAME, NAME2, EXPRESSION)                                                  \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL NAME(WORKBOOK_SMALL a, WORKBOOK_SMALL b) { return EXPRESSION; } \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 NAME2(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {                  \
    return {NAME(a.x, b.x), NAME(a.y, b.y)};                                                         \
  }
#define WORKBOOK_FUNCTION3(NAME, NAME2, EXPRESSION)                                                    \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL NAME(WORKBOOK_SMALL a, WORKBOOK_SMALL b, WORKBOOK_SMALL c) {      \
    return EXPRESSION;                                                                                 \
  }                                                                                                    \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 NAME2(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b, WORKBOOK_SMALL2 c) { \
    return {NAME(a.x, b.x, c.x), NAME(a.y, b.y, c.y)};                                                 \
  }

WORKBOOK_FUNCTION2(__hadd, __hadd2, WORKBOOK_A + WORKBOOK_B)
WORKBOOK_FUNCTION2(__hsub, __hsub2, WORKBOOK_A - WORKBOOK_B)
WORKBOOK_FUNCTION2(__hmul, __hmul2, WORKBOOK_A* WORKBOOK_B)
WORKBOOK_FUNCTION2(__hdiv, __h2div, WORKBOOK_A / WORKBOOK_B)
WORKBOOK_FUNCTION2(__hadd_rn, __hadd2_rn, WORKBOOK_A + WORKBOOK_B)
WORKBOOK_FUNCTION2(__hsub_rn, __hsub2_rn, WORKBOOK_A - WORKBOOK_B)
WORKBOOK_FUNCTION2(__hmul_rn, __hmul2_rn, WORKBOOK_A* WORKBOOK_B)
WORKBOOK_FUNCTION2(__hadd_sat, __hadd2_sat, __saturatef(WORKBOOK_A + WORKBOOK_B))
WORKBOOK_FUNCTION2(__hsub_sat, __hsub2_sat, __saturatef(WORKBOOK_A - WORKBOOK_B))
WORKBOOK_FUNCTION2(__hmul_sat, __hmul2_sat, __saturatef(WORKBOOK_A* WORKBOOK_B))
WORKBOOK_FUNCTION3(__hfma, __hfma2, workbook::sim::fused_to_odd(WORKBOOK_A, WORKBOOK_B, WORKBOOK_C))
WORKBOOK_FUNCTION3(__hfma_sat, __hfma2_sat,
                   __saturatef(workbook::sim::fused_to_odd(WORKBOOK_A, WORKBOOK_B, WORKBOOK_C)))
WORKBOOK_FUNCTION3(__hfma_relu, __hfma2_relu,
                   workbook::sim::not_negative(workbook::sim::fused_to_odd(WORKBOOK_A, WORKBOOK_B,
                                                                           WORKBOOK_C)))
WORKBOOK_FUNCTION1(__hneg, __hneg2, -WORKBOOK_A)
WORKBOOK_FUNCTION1(__habs, __habs2, std::fabs(WORKBOOK_A))
WORKBOOK_FUNCTION2(__hmax, __hmax2, workbook::sim::larger(WORKBOOK_A, WORKBOOK_B))
WORKBOOK_FUNCTION2(__hmin, __hmin2, -workbook::sim::larger(-WORKBOOK_A, -WORKBOOK_B))
WORKBOOK_FUNCTION2(__hmax_nan, __hmax2_nan, workbook::sim::larger_or_nan(WORKBOOK_A, WORKBOOK_B))
WORKBOOK_FUNCTION2(__hmin_nan, __hmin2_nan, -workbook::sim::larger_or_nan(-WORKBOOK_A, -WORKBOOK_B))

WORKBOOK_FUNCTION1(hsqrt, h2sqrt, std::sqrt(WORKBOOK_A))
WORKBOOK_FUNCTION1(hrsqrt, h2rsqrt, rsqrtf(WORKBOOK_A))
WORKBOOK_FUNCTION1(hrcp, h2rcp, 1.0f / WORKBOOK_A)
WORKBOOK_FUNCTION1(hexp, h2exp, std::exp(WORKBOOK_A))
WORKBOOK_FUNCTION1(hexp2, h2exp2, std::exp2(WORKBOOK_A))
WORKBOOK_FUNCTION1(hexp10, h2exp10, exp10f(WORKBOOK_A))
WORKBOOK_FUNCTION1(hlog, h2log, std::log(WORKBOOK_A))
WORKBOOK_FUNCTION1(hlog2, h2log2, std::log2(WORKBOOK_A))
WORKBOOK_FUNCTION1(hlog10, h2log10, std::log10(WORKBOOK_A))
WORKBOOK_FUNCTION1(hsin, h2sin, std::sin(WORKBOOK_A))
WORKBOOK_FUNCTION1(hcos, h2cos, std::cos(WORKBOOK_A))
WORKBOOK_FUNCTION1(htanh, h2tanh, std::tanh(WORKBOOK_A))
WORKBOOK_FUNCTION1(htanh_approx, h2tanh_approx, std::tanh(WORKBOOK_A))
WORKBOOK_FUNCTION1(hfloor, h2floor, std::floor(WORKBOOK_A))
WORKBOOK_FUNCTION1(hceil, h2ceil, std::ceil(WORKBOOK_A))
WORKBOOK_FUNCTION1(htrunc, h2trunc, std::trunc(WORKBOOK_A))
WORKBOOK_FUNCTION1(hrint, h2rint, std::nearbyint(WORKBOOK_A))
#undef WORKBOOK_FUNCTION1
#undef WORKBOOK_FUNCTION2
#undef WORKBOOK_FUNCTION3

/// a * b + c as complex numbers (x real, y imaginary), in the four fused steps of the hardware.
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 __hcmadd(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b, WORKBOOK_SMALL2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

WORKBOOK_SIM_INLINE bool __hisnan(WORKBOOK_SMALL a) { return std::isnan(WORKBOOK_A); }
WORKBOOK_SIM_INLINE int __hisinf(WORKBOOK_SMALL a) {
  return std::isinf(WORKBOOK_A) ? (WORKBOOK_A > 0.0f ? 1 : -1) : 0;
}
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 __hisnan2(WORKBOOK_SMALL2 a) {
  return {__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f};
}

// Each comparison: of numbers; of vectors as 1 or 0, as all bits, and whether it holds for both elements. The
// forms that end in u hold also when a NaN takes part.
#define WORKBOOK_COMPARISON(SUFFIX, EXPRESSION)                                                   \
  WORKBOOK_SIM_INLINE bool __h##SUFFIX(WORKBOOK_SMALL a, WORKBOOK_SMALL b) { return EXPRESSION; } \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 __h##SUFFIX##2(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {      \
    return {__h##SUFFIX(a.x, b.x) ? 1.0f : 0.0f, __h##SUFFIX(a.y, b.y) ? 1.0f : 0.0f};            \
  }                                                                                               \
  WORKBOOK_SIM_INLINE unsigned int __h##SUFFIX##2_mask(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {    \
    return (__h##SUFFIX(a.x, b.x) ? 0xffffu : 0u) | (__h##SUFFIX(a.y, b.y) ? 0xffff0000u : 0u);   \
  }                                                                                               \
  WORKBOOK_SIM_INLINE bool __hb##SUFFIX##2(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {                \
    return __h##SUFFIX(a.x, b.x) && __h##SUFFIX(a.y, b.y);                                        \
  }
WORKBOOK_COMPARISON(eq, WORKBOOK_A == WORKBOOK_B)
WORKBOOK_COMPARISON(ne, WORKBOOK_A<WORKBOOK_B || WORKBOOK_A> WORKBOOK_B)
WORKBOOK_COMPARISON(lt, WORKBOOK_A < WORKBOOK_B)
WORKBOOK_COMPARISON(le, WORKBOOK_A <= WORKBOOK_B)
WORKBOOK_COMPARISON(gt, WORKBOOK_A > WORKBOOK_B)
WORKBOOK_COMPARISON(ge, WORKBOOK_A >= WORKBOOK_B)
WORKBOOK_COMPARISON(equ, !(WORKBOOK_A < WORKBOOK_B || WORKBOOK_A > WORKBOOK_B))
WORKBOOK_COMPARISON(neu, !(WORKBOOK_A == WORKBOOK_B))
WORKBOOK_COMPARISON(ltu, !(WORKBOOK_A >= WORKBOOK_B))
WORKBOOK_COMPARISON(leu, !(WORKBOOK_A > WORKBOOK_B))
WORKBOOK_COMPARISON(gtu, !(WORKBOOK_A <= WORKBOOK_B))
WORKBOOK_COMPARISON(geu, !(WORKBOOK_A < WORKBOOK_B))
#undef WORKBOOK_COMPARISON
#undef WORKBOOK_A
#undef WORKBOOK_B
#undef WORKBOOK_C

#define WORKBOOK_OPERATOR(TYPE, OP, FUNCTION)                                                   \
  WORKBOOK_SIM_INLINE TYPE operator OP(const TYPE& a, const TYPE& b) { return FUNCTION(a, b); } \
  WORKBOOK_SIM_INLINE TYPE& operator OP##=(TYPE& a, const TYPE& b) { return a = FUNCTION(a, b); }
#define WORKBOOK_OPERATORS(TYPE, ONE, ADD, SUB, MUL, DIV, NEG)                   \
  WORKBOOK_OPERATOR(TYPE, +, ADD)                                                \
  WORKBOOK_OPERATOR(TYPE, -, SUB)                                                \
  WORKBOOK_OPERATOR(TYPE, *, MUL)                                                \
  WORKBOOK_OPERATOR(TYPE, /, DIV)                                                \
  WORKBOOK_SIM_INLINE TYPE operator+(const TYPE& a) { return a; }                \
  WORKBOOK_SIM_INLINE TYPE operator-(const TYPE& a) { return NEG(a); }           \
  WORKBOOK_SIM_INLINE TYPE& operator++(TYPE& a) { return a = ADD(a, TYPE ONE); } \
  WORKBOOK_SIM_INLINE TYPE& operator--(TYPE& a) { return a = SUB(a, TYPE ONE); } \
  WORKBOOK_SIM_INLINE TYPE operator++(TYPE& a, int) {                            \
    const TYPE before = a;                                                       \
    ++a;                                                                         \
    return before;                                                               \
  }                                                                              \
  WORKBOOK_SIM_INLINE TYPE operator--(TYPE& a, int) {                            \
    const TYPE before = a;                                                       \
    --a;                                                                         \
    return before;                                                               \
  }
WORKBOOK_OPERATORS(WORKBOOK_SMALL, (1.0f), __hadd, __hsub, __hmul, __hdiv, __hneg)
WORKBOOK_OPERATORS(WORKBOOK_SMALL2, (1.0f, 1.0f), __hadd2, __hsub2, __hmul2, __h2div, __hneg2)
#undef WORKBOOK_OPERATORS
#undef WORKBOOK_OPERATOR

#define WORKBOOK_COMPARE(OP, FUNCTION, FUNCTION2)                                            \
  WORKBOOK_SIM_INLINE bool operator OP(const WORKBOOK_SMALL& a, const WORKBOOK_SMALL& b) {   \
    return FUNCTION(a, b);                                                                   \
  }                                                                                          \
  WORKBOOK_SIM_INLINE bool operator OP(const WORKBOOK_SMALL2& a, const WORKBOOK_SMALL2& b) { \
    return FUNCTION2(a, b);                                                                  \
  }
WORKBOOK_COMPARE(==, __heq, __hbeq2)
WORKBOOK_COMPARE(!=, __hneu, __hbneu2)
WORKBOOK_COMPARE(<, __hlt, __hblt2)
WORKBOOK_COMPARE(<=, __hle, __hble2)
WORKBOOK_COMPARE(>, __hgt, __hbgt2)
WORKBOOK_COMPARE(>=, __hge, __hbge2)
#undef WORKBOOK_COMPARE

// The vector's elements are added one by one; only each of them is atomic, as on the hardware.
#define WORKBOOK_ATOMIC_ADD(NAME, TYPE, HOW)                              \
  WORKBOOK_SIM_INLINE TYPE NAME(TYPE* address, TYPE value) {              \
    return workbook::sim::atomic_update(                                  \
        address, [value](TYPE old) -> TYPE { return old + value; }, HOW); \
  }
WORKBOOK_ATOMIC_ADD(atomicAdd, WORKBOOK_SMALL, 0)
WORKBOOK_ATOMIC_ADD(atomicAdd, WORKBOOK_SMALL2, 0)
WORKBOOK_ATOMIC_ADD(atomicAdd_block, WORKBOOK_SMALL, workbook::sim::kBlockScope)
WORKBOOK_ATOMIC_ADD(atomicAdd_block, WORKBOOK_SMALL2, workbook::sim::kBlockScope)
WORKBOOK_ATOMIC_ADD(atomicAdd_system, WORKBOOK_SMALL, 0)
WORKBOOK_ATOMIC_ADD(atomicAdd_system, WORKBOOK_SMALL2, 0)
#undef WORKBOOK_ATOMIC_ADD

template <>
inline constexpr bool workbook::sim::kShuffled<WORKBOOK_SMALL> = true;
template <>
inline constexpr bool workbook::sim::kShuffled<WORKBOOK_SMALL2> = true;
