#!/bin/sh
# Fetches Dear ImGui (docking), ImPlot and GLFW, built as static libraries with their headers, and unpacks them
# into build/deps/imgui (or the folder given). Pinned by hash; does nothing when that version is there already.
# Used by viewer/CMakeLists.txt, which calls it when the folder is missing.
set -eu

version=1.92.7.post104
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
target=${1:-"$root/build/deps/imgui"}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64)
    platform=manylinux_2_28_x86_64
    hash=f191a711ba008372c9ee1a620b2ab6859c062625268180a55980d88298f5b186 ;;
  Linux-aarch64)
    platform=manylinux_2_28_aarch64
    hash=4698de8e1167bad721c6f3ab0fe823e9db7eb691d5cef2665653ef176794c134 ;;
  *)
    echo "fetch_imgui: no build of Dear ImGui is pinned for $(uname -s) on $(uname -m)" >&2
    exit 1 ;;
esac

if [ "$(cat "$target/version" 2>/dev/null)" = "$version" ]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "fetch_imgui: pip is missing; on Debian: apt-get install python3-pip" >&2
  exit 1
fi

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/imgui.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
echo "fetching Dear ImGui and ImPlot $version (3 MB)" >&2
echo "comma-deps-imgui==$version --hash=sha256:$hash" > "$work/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.12 \
  --platform "$platform" --require-hashes --dest "$work" -r "$work/requirements.txt"
python3 -m zipfile -e "$work"/comma_deps_imgui-*.whl "$work/wheel"

# Into place in one step, so that a fetch broken off leaves nothing half done.
mv "$work"/wheel/comma_deps_imgui-*.data/purelib/imgui/install "$work/install"
echo "$version" > "$work/install/version"
rm -rf "$target"
mv "$work/install" "$target"
