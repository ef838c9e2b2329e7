// SPDX-License-Identifier: Apache-2.0

/** The script that starts a server and makes it reload its certificate; for the shells of Alpine and Debian. */
export const wrapper = `#!/bin/sh
# wrapper.sh [-watch-file=PATH] [-interval=SECONDS] -- COMMAND [ARGUMENT...]
#
# Becomes the command, so that signals reach it and its exit code is the container's. Beside it a process watches a
# file, and sends the command SIGHUP when the content has changed. It ends with the command.
set -u

file=
interval=10
while [ $# -gt 0 ]; do
  option=$1
  shift
  case $option in
    --) break ;;
    -watch-file=*) file=\${option#*=} ;;
    -interval=*) interval=\${option#*=} ;;
    -watch-file) file=$1; shift ;;
    -interval) interval=$1; shift ;;
    *) echo "wrapper.sh: unknown option $option" >&2; exit 2 ;;
  esac
done
if [ $# -eq 0 ]; then
  echo "wrapper.sh: no command after --" >&2
  exit 2
fi

# A file that cannot be read is reported by the shell, and read again later.
digest() { sha256sum <"$file"; }

# $$ is the process that has become the command, also in the background.
watch() {
  while sleep "$interval" && kill -0 "$$" 2>/dev/null; do
    now=$(digest) || continue
    if [ -n "$known" ] && [ "$now" != "$known" ]; then
      echo "wrapper.sh: $file has changed: sending SIGHUP" >&2
      kill -HUP "$$"
    fi
    known=$now
  done
}

[ -z "\${UMASK-}" ] || umask "$UMASK"
if [ -n "$file" ]; then
  # Before the command reads it, so that no change is missed.
  known=$(digest)
  watch &
fi
exec "$@"
`;
