#!/bin/sh
# Builds a folder that contains everything the server needs, from a checkout. The Dockerfile runs it.
set -eu
cd "$(dirname "$0")/.."
npm ci --include=dev
npm run build
cp -R .next/standalone "$1"
