// cuInit() comes first.
#include <cuda.h>
#include <cstdio>
int main() {
  CUdevice dev = 0;
  int major = -1;
  cuInit(0);
  cuDeviceGet(&dev, 0);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);
  printf("%d\n", major > 0);
}
