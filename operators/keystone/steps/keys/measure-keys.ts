// SPDX-License-Identifier: Apache-2.0
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { isReady } from '@forge/runtime/objects/ready-condition.ts';
import { keyNamesOf } from '../../api/names.ts';
import { backupReady, keyRotationAge } from '../../conditions/key-metrics.ts';
import { completionOf } from './apply-rotation.ts';
import type { KeyContext, KeyRepository } from './key-repository.ts';

/** Measures the age of the last rotation, and whether there is a backup; both are computed at each scrape. */
export function measureKeys({ keyType }: KeyRepository, { object: keystone, get, metrics, clock }: KeyContext): void {
  const { name, namespace = '' } = keystone.metadata;
  const { keys, staging, backup } = keyNamesOf(keystone, keyType);
  const labels = { keystone: name, namespace, key_type: keyType };
  metrics.sample(backupReady, labels, () => (isReady(get(PushSecret, backup)) ? 1 : 0));
  const completions = [keys, staging].map((secret) => Date.parse(completionOf(get(Secret, secret)) ?? ''));
  const completedAt = completions.find((time) => !isNaN(time));
  if (completedAt === undefined) metrics.remove(keyRotationAge, labels);
  else metrics.sample(keyRotationAge, labels, () => (clock.now() - completedAt) / 1000);
}
