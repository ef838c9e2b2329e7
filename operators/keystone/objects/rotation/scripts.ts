// SPDX-License-Identifier: Apache-2.0
import type { KeyType } from '../../api/names.ts';
import { configDir } from '../pod.ts';
import { stageKeysProgram } from './stage-keys-program.ts';

/** Where the scripts find things. */
export interface RotationPaths {
  /** The working copy of the keys. */
  keys: string;
  config: string;
  serviceAccount: string;
  /** URL of the API server. */
  api: string;
}

/** Where they are in a pod. */
export const podPaths = (keyType: KeyType): RotationPaths => ({
  keys: `/etc/keystone/${keyType}-keys`,
  config: configDir,
  serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount',
  api: 'https://kubernetes.default.svc',
});

/** The files of a rotation Job, by name: `{keyType}_rotate.sh` is what it runs. */
export function rotationScripts(keyType: KeyType, paths = podPaths(keyType)): Record<string, string> {
  const steps = keyType === 'fernet' ? fernetSteps : credentialSteps;
  return {
    [`${keyType}_rotate.sh`]: `${header(paths)}\n${steps}`,
    'rotation.sh': sharedFunctions,
    'stage_keys.py': stageKeysProgram(paths),
  };
}

const header = ({ keys, config }: RotationPaths) => `#!/bin/sh
# Rotates a working copy of the keys and stages the result; only the operator writes the keys in production.
set -eu
keys='${keys}'
manage() { keystone-manage --config-dir='${config}' "$@"; }
. "\${0%/*}/rotation.sh"
`;

const fernetSteps = `is_rotated || manage fernet_rotate
check_complete
stage Fernet
`;

const credentialSteps = `if ! is_rotated; then
  code=0
  manage credential_rotate || code=$?
  if [ "$code" -ne 0 ]; then
    if is_rotated; then exit "$code"; fi
    # Rotation is refused while credentials are not encrypted with the primary key: an earlier run was lost after it had
    # migrated them to production's key 0. With that they are migrated back first.
    manage credential_migrate
    manage credential_rotate
  fi
fi
check_complete
manage credential_migrate
stage Credential
`;

/**
 * The mark of a rotation is the primary key's index, remembered before and compared afterwards: a container that is
 * restarted at whatever moment never rotates twice, which would promote a key that only its own emptyDir holds.
 */
const sharedFunctions = `# What both rotation scripts share.

# Index of the primary key.
primary() {
  highest=-1
  for file in "$keys"/*; do
    index=\${file##*/}
    case $index in *[!0-9]*) continue ;; esac
    if [ "$index" -gt "$highest" ]; then highest=$index; fi
  done
  echo "$highest"
}

# Whether an earlier start of this container has rotated the keys.
is_rotated() { [ "$(primary)" != "$(cat "$keys/.primary")" ]; }

check_complete() {
  if [ -e "$keys/0" ]; then return; fi
  echo 'The rotation was interrupted and left no key 0: nothing is staged, the next Job begins anew' >&2
  exit 1
}

stage() { exec python3 -B "\${0%/*}/stage_keys.py" "$keys" "$1"; }

if [ ! -e "$keys/.primary" ]; then
  primary > "$keys/.primary.new"
  mv "$keys/.primary.new" "$keys/.primary"
fi
`;
