// In place of the toolkit's, which does not go together with the simulator's headers.
#error \
    "NVRTC, which compiles kernels for a GPU at run time, is not simulated. The simulator has cuBLAS, cuFFT, cuRAND, cuSPARSE, CUB, Thrust and the driver API."
