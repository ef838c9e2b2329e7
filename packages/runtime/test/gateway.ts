// SPDX-License-Identifier: Apache-2.0
import { kind } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

/** A kind of somebody else, which a cluster may lack. */
export const Gateway = kind({
  group: 'gateway.example.com',
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  description: 'A gateway.',
  spec: Type.Object({}),
  status: Type.Object({ conditions: conditions() }),
});
