// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeCommand } from './node-command.ts';

test('the node exits with its parent, in its own namespaces, under a process that reaps orphans', () => {
  assert.equal(
    nodeCommand(['node', 'main.ts']).join(' '),
    'setpriv --pdeathsig KILL -- unshare --user --map-root-user --net --mount --propagation private --pid --fork ' +
      '--kill-child --mount-proc -- sh -c "$@"; exit $? forge-node node main.ts',
  );
});
