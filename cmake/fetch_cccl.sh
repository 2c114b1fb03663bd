#!/bin/sh
# Fetches libcu++ (the headers <cuda/std/...>) for machines without a CUDA toolkit and unpacks them into
# build/deps/cccl (or the folder given). Pinned by hash; does nothing when that version is there already.
# Used by cmake/Cccl.cmake.
set -eu

version=13.0.85
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
target=${1:-"$root/build/deps/cccl"}

case "$(uname -m)" in
  x86_64) hash=e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649 ;;
  aarch64) hash=6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c ;;
  *)
    echo "fetch_cccl: no libcu++ is pinned for $(uname -m)" >&2
    exit 1 ;;
esac

stamp=.version  # a file called version would be what programs get for the header <version>
if [ "$(cat "$target/$stamp" 2>/dev/null)" = "$version" ]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "fetch_cccl: pip is missing; on Debian: apt-get install python3-pip" >&2
  exit 1
fi

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/cccl.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
echo "fetching libcu++ $version (3 MB)" >&2
echo "nvidia-cuda-cccl==$version --hash=sha256:$hash" > "$work/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --platform "manylinux2014_$(uname -m)" --require-hashes --dest "$work" -r "$work/requirements.txt"
python3 -m zipfile -e "$work"/nvidia_cuda_cccl-*.whl "$work/wheel"

# Into place in one step, so that a fetch broken off leaves nothing half done.
mv "$work/wheel/nvidia/cu13/include/cccl" "$work/include"
echo "$version" > "$work/include/$stamp"
rm -rf "$target"
mv "$work/include" "$target"
