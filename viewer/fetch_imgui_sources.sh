#!/bin/sh
# Fetches the sources of Dear ImGui (docking), ImPlot and zstd and unpacks them into build/deps/sources (or the
# folder given), as imgui/, implot/ and zstd/. The page in the browser is compiled from them (viewer/web/build.sh);
# the program on the desktop links the libraries of fetch_imgui.sh. Pinned by hash; does nothing when they are there.
set -eu

imgui=1.92.700  # of Dear ImGui 1.92.7 and ImPlot 1.0
imgui_hash=66150d0ee3bf2bfadb66dd7917b357b7916b15d423383ac2e8309a1d1a13cd07
zstd=0.23.0  # of zstd 1.5.6
zstd_hash=b2d8c62d08e7255f68f7a740bae85b3c9b8e5466baa9cbf7f57f1cde0ac6bc09
version="$imgui $zstd"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:-"$here/../build/deps/sources"}

if [ "$(cat "$target/version" 2>/dev/null)" = "$version" ]; then
  exit 0
fi
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "fetch_imgui_sources: pip is missing; on Debian: apt-get install python3-pip" >&2
  exit 1
fi

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$(dirname "$target")/sources.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
echo "fetching the sources of Dear ImGui, ImPlot and zstd (45 MB, once)" >&2
export PYTHONDONTWRITEBYTECODE=1
python3 "$here/web/fetch_sdist.py" imgui_bundle "$imgui" "$imgui_hash" "$work/imgui.tar.gz"
python3 "$here/web/fetch_sdist.py" zstandard "$zstd" "$zstd_hash" "$work/zstd.tar.gz"

# Into place in one step, so that a fetch broken off leaves nothing half done.
mkdir "$work/sources"
bundle=imgui_bundle-$imgui/external
tar -xzf "$work/imgui.tar.gz" -C "$work" "$bundle/imgui/imgui" "$bundle/implot/implot"
tar -xzf "$work/zstd.tar.gz" -C "$work" "zstandard-$zstd/zstd"
mv "$work/$bundle/imgui/imgui" "$work/sources/imgui"
mv "$work/$bundle/implot/implot" "$work/sources/implot"
mv "$work/zstandard-$zstd/zstd" "$work/sources/zstd"
echo "$version" > "$work/sources/version"
rm -rf "$target"
mv "$work/sources" "$target"
