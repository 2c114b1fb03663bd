// In place of the toolkit's, which does not go together with the simulator's headers.
#error \
    "MTGP32 of cuRAND is not simulated: take curandState, curandStateMRG32k3a or curandStatePhilox4_32_10_t, which curand_init() makes in a kernel."
