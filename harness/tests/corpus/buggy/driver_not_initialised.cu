// Wrong: calls of the driver API before cuInit(), and nobody looks at what they return.
#include <cuda.h>
#include <cstdio>
int main() {
  CUdevice dev = 0;
  int major = -1;
  cuDeviceGet(&dev, 0);  // expect: bad_api_call; says: cuInit(0) comes before
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev);  // expect: bad_api_call
  printf("%d\n", major > 0);
}
