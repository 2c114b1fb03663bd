#!/bin/sh
# Gradescope runs this as root, with a network, when it makes the image that every submission is then judged in: packages,
# the workbook, and what each submission would else compile anew. Debian 12 and 13, Ubuntu 22.04 and 24.04.
set -eu
umask 022
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
home=/opt/gpu-puzzle-workbook

export DEBIAN_FRONTEND=noninteractive
apt-get update
# Kernels want g++ 12, and Ubuntu 22.04 calls that by its number.
compiler=g++
case $(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) in jammy) compiler=g++-12 ;; esac
apt-get install -y --no-install-recommends "$compiler" bubblewrap libarchive13 libncursesw6 libseccomp2 libsqlite3-0 libzstd1
rm -rf /var/lib/apt/lists/*

rm -rf "$home"
mkdir -p "$home"
tar -xzf "$source/workbook.tar.gz" -C "$home" --no-same-owner
# Where submissions have no sandbox but a user of their own, they are not to read these.
chmod 700 "$home/workbook/puzzles" "$home/workbook/solutions" "$source"

WORKBOOK_STATE=$home/state "$home/workbook/bin/workbook" grade --prepare --course "$source/course.toml"
