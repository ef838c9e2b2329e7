#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Starts memcached, also when only its options are given.
set -eu

case "${1:-}" in
  -*) set -- memcached "$@" ;;
esac
exec "$@"
