// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { HTTPRoute } from '@forge/kube/third-party/gateway.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { commonLabels } from '../api/names.ts';
import { completeKeystones } from './fields/complete-keystones.ts';
import { clusterForKeystones, liveKeystone } from './fields/live-keystone.ts';

const hashed = (base: string) => `${base}-#`;

/** All that a Keystone with every option owns. */
const expected: readonly (readonly [kind: Kind, ...names: string[]])[] = [
  [ConfigMap, hashed('config'), hashed('credential-rotate-script'), hashed('fernet-rotate-script')],
  [CronJob, 'credential-rotate', 'fernet-rotate', 'trust-flush'],
  [Database, ''],
  [Deployment, ''],
  [Grant, ''],
  [HTTPRoute, ''],
  [HorizontalPodAutoscaler, ''],
  [Job, 'bootstrap', 'db-sync', 'policy-validation', 'schema-check'],
  [NetworkPolicy, ''],
  [PodDisruptionBudget, ''],
  [PushSecret, 'credential-keys-backup', 'fernet-keys-backup'],
  [Role, 'credential-rotate', 'fernet-rotate'],
  [RoleBinding, 'credential-rotate', 'fernet-rotate'],
  [
    Secret,
    'credential-keys',
    'credential-keys-rotation',
    'db-connection',
    'digest-key',
    'fernet-keys',
    'fernet-keys-rotation',
  ],
  [Service, ''],
  [ServiceAccount, 'credential-rotate', 'fernet-rotate'],
  [User, ''],
];

test('every object of a Keystone is named after it, controlled by it and labelled as its own', async () => {
  const from = await clusterForKeystones();
  await using live = await liveKeystone(from, completeKeystones.managed);
  const owner = live.current();
  for (const [kind, ...names] of expected) {
    const owned = live.list(kind).filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === owner.kind);
    assert.deepEqual(
      owned.map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{8}$/, '-#')).toSorted(),
      names.map((name) => (name === '' ? 'identity' : `identity-${name}`)),
    );
    for (const { metadata } of owned) {
      assert.deepEqual(metadata.ownerReferences, [controllerReference(owner)], `${kind.kind} ${metadata.name}`);
      for (const [label, value] of Object.entries(commonLabels(owner))) {
        assert.equal(metadata.labels?.[label], value, `${kind.kind} ${metadata.name}: ${label}`);
      }
    }
  }
});
