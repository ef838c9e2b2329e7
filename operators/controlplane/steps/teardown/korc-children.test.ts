// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { ApplicationCredential, Endpoint } from '@forge/kube/third-party/korc.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { controlPlaneFixture } from '../../test/control-plane-fixture.ts';
import { remainingChildren, type TeardownContext } from './korc-children.ts';

test('a forced release asks the server for all that is left: the cache does not show what the pass itself has deleted', async () => {
  const object = controlPlaneFixture();
  const child = (kinds: readonly Kind[], kind: Kind, name: string) =>
    kinds.includes(kind)
      ? {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          metadata: { name, ownerReferences: [controllerReference(object)] },
        }
      : undefined;
  const context = {
    object,
    get: (kind: Kind, name: string) => child([Endpoint], kind, name),
    fetch: async (kind: Kind, name: string) => child([Endpoint, ApplicationCredential], kind, name),
  } as unknown as TeardownContext;
  const kindsLeft = async (live: boolean) => (await remainingChildren(context, { live })).map(({ kind }) => kind.kind);
  assert.deepEqual(await kindsLeft(false), ['Endpoint']);
  assert.deepEqual(await kindsLeft(true), ['ApplicationCredential', 'Endpoint']);
});
