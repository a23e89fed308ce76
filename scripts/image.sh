#!/bin/sh
# What the Dockerfile does: from a checkout, a folder that the server runs in by itself.
set -eu
cd "$(dirname "$0")/.."
npm ci --include=dev
npm run build
cp -R .next/standalone "$1"
