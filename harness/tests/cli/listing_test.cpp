#include "cli/listing/listing.h"
#include "cli/listing/facts.h"
#include "cli/run/listing_judge.h"
#include "tests/catch.h"

using namespace workbook::cli;

namespace {

// As nvdisasm -g -c prints it, shortened.
constexpr const char* kDisassembly = R"(	.target	sm_90
	.section	.text._Z11wide_kernelPfPKfi,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=32"
        .type           _Z11wide_kernelPfPKfi,@function
_Z11wide_kernelPfPKfi:
.text._Z11wide_kernelPfPKfi:
	//## File "/there/given.cuh", line 41
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   ISETP.GE.AND P0, PT, R2, UR4, PT ;
.L_x_114:
        /*0020*/               @P0 EXIT ;
	//## File "/there/given.cuh", line 13 inlined at "/there/given.cuh", line 42
	//## File "/there/given.cuh", line 42
        /*0030*/                   LDG.E.128 R4, desc[UR4][R4.64] ;
        /*0040*/                   LDG.E R8, desc[UR4][R6.64] ;
        /*0050*/              @!P0 BRA `(.L_x_2) ;
        /*0060*/                   FFMA R3, R4, R3, 1 ;
        /*0070*/                   FFMA.FTZ R3, R4, R3, 1 ;
        /*0080*/                   MUFU.RCP R5, R5 ;
        /*0090*/                   MUFU.EX2 R0, R0 ;
        /*00a0*/                   STL [R1+0x4], R0     (*"SpillRefill"*) ;
        /*00b0*/                   F2F.F64.F32 R8, R0 ;
        /*00c0*/                   DMUL R8, R8, 0.5 ;
.L_x_2:
        /*00d0*/                   STG.E.64 desc[UR4][R4.64], R6 ;
        /*00e0*/                   EXIT ;
.L_x_5:
        /*00f0*/                   BRA `(.L_x_5);
        /*0100*/                   NOP;
        /*0110*/                   NOP;
.L_x_6:

	.section	.nv.info,"",@"SHT_CUDA_INFO"
        /*0000*/ 	.byte	0x04, 0x2f ;
	.section	.text._Z5othervv,"ax",@progbits
        /*0000*/                   EXIT ;
)";

constexpr const char* kAssembler = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z11wide_kernelPfPKfi' for 'sm_90'
ptxas info    : Function properties for _Z11wide_kernelPfPKfi
    168 bytes stack frame, 160 bytes spill stores, 252 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 168 bytes cumulative stack size, 4096 bytes smem
)";

constexpr const char* kPtx = R"(.version 9.0
.visible .entry _Z11wide_kernelPfPKfi(
	.param .u64 _Z11wide_kernelPfPKfi_param_0
)
.maxntid 1024, 1, 1
{
	.reg .pred 	%p<4>;
	.loc	1 10 0


	ld.param.u64 	%rd1, [_Z11wide_kernelPfPKfi_param_0];
	.loc	1 12 3
	@%p1 bra 	$L__BB0_2;

	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd5];
	.loc	1 8 38, function_name $L__info_string0, inlined_at 1 12 3
	fma.rn.f32 	%f5, %f1, %f4, 0f3F800000;
	ex2.approx.ftz.f32 	%f10, %f9;
$L__BB0_2:
	ret;

}
	.file	1 "/there/given.cuh"
	.section	.debug_str
)";

Listing listing_of_text() {
  Listing listing;
  listing.architecture = "sm_90";
  listing.made_by = "nvcc 13.0.88, nvdisasm 13.5.37";
  listing.of = "abc";
  listing.kernels = read_sass(kDisassembly, kAssembler);
  return listing;
}

}  // namespace

TEST_CASE("SASS is read with its source lines, without what fills up its end") {
  const Listing listing = listing_of_text();
  REQUIRE(listing.kernels.size() == 2);
  const KernelListing& kernel = listing.kernels[0];
  CHECK(kernel.name == "wide_kernel");
  REQUIRE(kernel.instructions.size() == 15);
  CHECK(kernel.instructions[0].address == "0000");
  CHECK(kernel.instructions[0].text == "LDC R1, c[0x0][0x28]");
  CHECK(kernel.instructions[0].file == "given.cuh");
  CHECK(kernel.instructions[2].line == 41);
  CHECK(kernel.instructions[2].label.empty());                // nothing jumps there
  CHECK(kernel.instructions[3].line == 13);                   // the innermost of two places
  CHECK(kernel.instructions[10].text == "STL [R1+0x4], R0");  // without the remark
  CHECK(kernel.instructions[13].label == ".L_x_2");
  CHECK(kernel.instructions.back().text == "EXIT");
  CHECK(listing.kernels[1].instructions.size() == 1);
  CHECK(listing.kernels[1].resources.registers == -1);
}

TEST_CASE("kernels stand in the order of the source, those without a line last") {
  const std::string all = R"(	.section	.text.unknown,"ax",@progbits
        /*0000*/                   EXIT ;
	.section	.text.second,"ax",@progbits
	//## File "/there/given.cuh", line 30
        /*0000*/                   EXIT ;
	.section	.text.first,"ax",@progbits
	//## File "/there/given.cuh", line 9
        /*0000*/                   EXIT ;
)";
  const std::vector<KernelListing> kernels = read_sass(all, "");
  REQUIRE(kernels.size() == 3);
  CHECK(kernels[0].name == "first");
  CHECK(kernels[1].name == "second");
  CHECK(kernels[2].name == "unknown");
}

TEST_CASE("the assembler's words give registers and spills") {
  const KernelResources its = listing_of_text().kernels[0].resources;
  CHECK(its.registers == 32);
  CHECK(its.stack_bytes == 168);
  CHECK(its.spill_store_bytes == 160);
  CHECK(its.spill_load_bytes == 252);
  CHECK(its.shared_bytes == 4096);
}

TEST_CASE("what occurs in a listing is counted") {
  const Counts counts = counts_of(listing_of_text().kernels[0]);
  CHECK(counts.instructions == 15);
  CHECK(counts.widest_load == 16);
  CHECK(counts.widest_store == 8);
  CHECK(counts.fma == 2);
  CHECK(counts.special == 2);
  CHECK(counts.doubles == 2);
  CHECK(counts.spills == 1);
  CHECK(counts.branches == 1);
  CHECK(counts.exits == 1);
}

TEST_CASE("a question about a listing is answered by what it says") {
  const Listing listing = listing_of_text();
  CHECK(answer_from(listing, "load-bytes wide_kernel") == "16|16 bytes");
  CHECK(answer_from(listing, "count:FFMA wide_kernel") == "2");
  CHECK(answer_from(listing, "doubles wide_kernel") == "2");
  CHECK(answer_from(listing, "spill-bytes wide_kernel") == "160|160 bytes");
  CHECK(answer_from(listing, "registers wide_kernel") == "32|32 registers");
  CHECK(answer_from(listing, "guard wide_kernel") == "exit|predicated exit");
  CHECK(answer_from(listing, "guard other") == "none");
  const std::string special = '|' + answer_from(listing, "special wide_kernel") + '|';
  for (const char* form : {"|ex2 rcp|", "|rcp ex2|", "|ex2, rcp|", "|mufu.rcp mufu.ex2|"})
    CHECK(special.find(form) != std::string::npos);
  CHECK(special.find("|ex2|") == std::string::npos);
  CHECK_THROWS_AS(answer_from(listing, "load-bytes narrow_kernel"), std::runtime_error);
  CHECK_THROWS_AS(answer_from(listing, "colour wide_kernel"), std::runtime_error);
  CHECK(where_to_look("load-bytes wide_kernel").find("LDG") != std::string::npos);
}

TEST_CASE("bytes and meanings by name") {
  CHECK(moved_bytes("LDG.E.128") == 16);
  CHECK(moved_bytes("LDG.E.128.CONSTANT") == 16);
  CHECK(moved_bytes("STG.E.U8") == 1);
  CHECK(moved_bytes("ld.global.v4.f32") == 16);
  CHECK(moved_bytes("st.global.v2.b64") == 16);
  CHECK(moved_bytes("ld.global.nc.u16") == 2);
  CHECK(moved_bytes("LDC.64") == 0);
  CHECK(moved_bytes("FFMA") == 0);
  CHECK(meaning_of("MUFU.EX2") == "special function unit: 2^x");
  CHECK(meaning_of("ex2.approx.ftz.f32") == "special function unit: 2^x");
  CHECK(meaning_of("LDL.64") == "loads 8 bytes from local memory: a spill, or an array");
  CHECK(meaning_of("UIADD3").ends_with("once a warp"));
  CHECK(meaning_of("XYZ").empty());
}

TEST_CASE("PTX is read with its source lines, by the table of files at its end") {
  const std::vector<KernelListing> kernels = read_ptx(kPtx);
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].instructions.size() == 6);
  CHECK(kernels[0].name == "wide_kernel");
  CHECK(kernels[0].instructions[1].text == "@%p1 bra $L__BB0_2");
  CHECK(predication_of(kernels[0].instructions[1]) == "predicated branch");
  CHECK(kernels[0].instructions[2].text == "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd5]");
  CHECK(kernels[0].instructions[3].line == 8);
  CHECK(kernels[0].instructions[3].file == "given.cuh");
  CHECK(kernels[0].instructions[5].label == "$L__BB0_2");
  const Counts counts = counts_of(kernels[0]);
  CHECK(counts.widest_load == 16);
  CHECK(counts.fma == 1);
  CHECK(counts.special == 1);
}

TEST_CASE("a recorded listing is read back as it was") {
  const Listing listing = listing_of_text();
  const std::string text = recorded_text(listing);
  const Listing back = read_recorded(text);
  CHECK(back.recorded);
  CHECK(back.architecture == "sm_90");
  CHECK(back.made_by == listing.made_by);
  CHECK(back.of == "abc");
  CHECK(recorded_text(back) == text);
  CHECK_THROWS_AS(read_recorded(""), std::runtime_error);
  CHECK_THROWS_AS(read_recorded("something else\n"), std::runtime_error);
  CHECK_THROWS_AS(read_recorded("workbook listing 1\n0000 EXIT\n"), std::runtime_error);
}

TEST_CASE("without a listing the regions of the source are judged, and no comment") {
  ProgramInfo program;
  program.listing = {{"doubles k", "0", "double", false, "no double"},
                     {"load-bytes k", "16", "float4", true, "not wide"}};
  const auto region = [](const std::string& lines) {
    return "// double\n// FILL ME IN: k (roughly 1 line)\n" + lines + "\n// END: k\ndouble gelu;\n";
  };
  CHECK(broken_source_rule(program, region("float4 v;")).empty());
  CHECK(broken_source_rule(program, region("float4 v;  // no double")).empty());
  CHECK(broken_source_rule(program, region("double v; float4 w;")) == "no double");
  CHECK(broken_source_rule(program, region("float v;  // float4")) == "not wide");
}
