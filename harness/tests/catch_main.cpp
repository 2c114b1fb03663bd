// The main of every test program. Compiled once: it is most of Catch2's compile time.
#if WORKBOOK_CATCH2_MAJOR < 3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
