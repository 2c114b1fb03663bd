// In place of the toolkit's, which does not go together with the simulator's headers.
#error \
    "OpenGL's part of CUDA is not simulated. The simulator has cuBLAS, cuFFT, cuRAND, cuSPARSE, CUB, Thrust and the driver API."
