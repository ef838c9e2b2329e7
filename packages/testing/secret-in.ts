// SPDX-License-Identifier: Apache-2.0
import type { Secret } from '@forge/kube/kinds/builtin.ts';

/** Returns a function that builds Secrets of this namespace from their plain values. */
export function secretIn(namespace: string): (name: string, values: Readonly<Record<string, string>>) => Secret {
  return (name, values) => {
    const data = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    );
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data };
  };
}
