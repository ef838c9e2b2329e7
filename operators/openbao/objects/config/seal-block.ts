// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { seals } from '../../api/seals.ts';
import type { HclBlock } from './render-hcl.ts';

/** The seal with the attributes that the server knows; its booleans are quoted. */
export function sealBlock({ spec: { unseal } }: OpenBaoCluster): HclBlock {
  const { block, fields } = seals[unseal.type];
  const given = unseal[block];
  const body = Object.entries(fields).flatMap(([name, { attribute, default: preset, write = String }]) => {
    const value = given?.[name] ?? preset;
    if (attribute === undefined || value === undefined || value === '') return [];
    return [{ name: attribute, value: write(String(value)) }];
  });
  return { type: 'seal', labels: [unseal.type], body };
}
