// A linked list and a tree in unified memory: built by the host with new, walked and changed by the device.
#include <cuda_runtime.h>

#include <cstdio>
#include <new>

class Managed {
 public:
  void* operator new(std::size_t bytes) {
    void* p = nullptr;
    if (cudaMallocManaged(&p, bytes) != cudaSuccess) throw std::bad_alloc();
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};

struct Node : Managed {
  int key;
  Node* next;
  Node(int k, Node* n) : key(k), next(n) {}
};

struct Tree : Managed {
  int value;
  Tree *left = nullptr, *right = nullptr;
  explicit Tree(int v) : value(v) {}
};

__global__ void double_keys(Node* head) {
  for (Node* node = head; node != nullptr; node = node->next) node->key *= 2;
}

__global__ void lookup(const Tree* root, const int* wanted, int* found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Tree* at = root;
  while (at != nullptr && at->value != wanted[i]) at = wanted[i] < at->value ? at->left : at->right;
  found[i] = at != nullptr;
}

static Tree* insert(Tree* root, int value) {
  if (root == nullptr) return new Tree(value);
  if (value < root->value)
    root->left = insert(root->left, value);
  else
    root->right = insert(root->right, value);
  return root;
}

static void destroy(Tree* root) {
  if (root == nullptr) return;
  destroy(root->left);
  destroy(root->right);
  delete root;
}

int main() {
  Node* head = nullptr;
  for (int k = 1; k <= 20; ++k) head = new Node(k, head);
  double_keys<<<1, 1>>>(head);
  cudaDeviceSynchronize();
  int sum = 0;
  while (head != nullptr) {
    sum += head->key;
    Node* gone = head;
    head = head->next;
    delete gone;
  }

  Tree* root = nullptr;
  for (int v : {50, 20, 80, 10, 30, 70, 90, 60}) root = insert(root, v);
  const int n = 100;
  int *wanted, *found;
  cudaMallocManaged(&wanted, n * sizeof(int));
  cudaMallocManaged(&found, n * sizeof(int));
  for (int i = 0; i < n; ++i) wanted[i] = i;
  lookup<<<2, 64>>>(root, wanted, found, n);
  cudaDeviceSynchronize();
  int hits = 0;
  for (int i = 0; i < n; ++i) hits += found[i];
  std::printf("sum of the keys %d, %d values found\n", sum, hits);
  destroy(root);
  cudaFree(wanted);
  cudaFree(found);
  return sum == 420 && hits == 8 && found == nullptr ? 1 : sum == 420 && hits == 8 ? 0 : 1;
}
