// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../api/keystone.ts';
import { commonLabels, configBaseLabel } from '../api/names.ts';

/** A ConfigMap that never changes: other content gets another name, so pods that mount it roll. */
export function immutableConfigMap(keystone: Keystone, base: string, data: Record<string, string>): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${base}-${contentHash(data)}`,
      labels: { ...commonLabels(keystone), [configBaseLabel]: base },
    },
    immutable: true,
    data,
  };
}

/** Eight hex digits over keys and values; their lengths keep `a=b` apart from `a` `=b`. */
function contentHash(data: Record<string, string>): string {
  const hash = createHash('sha256');
  for (const key of Object.keys(data).toSorted()) {
    const value = data[key] ?? '';
    hash.update(`${Buffer.byteLength(key)}:${key}=${Buffer.byteLength(value)}:${value}\n`);
  }
  return hash.digest('hex').slice(0, 8);
}
