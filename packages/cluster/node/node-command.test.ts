// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeCommand } from './node-command.ts';

test('the node ends with its parent, in namespaces of its own, under a process that buries orphans', () => {
  assert.equal(
    nodeCommand(['node', 'main.ts']).join(' '),
    'setpriv --pdeathsig KILL -- unshare --user --map-root-user --net --mount --propagation private --pid --fork ' +
      '--kill-child --mount-proc -- sh -c "$@"; exit $? forge-node node main.ts',
  );
});
