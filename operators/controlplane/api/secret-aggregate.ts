// SPDX-License-Identifier: Apache-2.0
import { kind } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { group, version } from './group.ts';

/** A kind that is reserved: no controller acts on it. */
export const SecretAggregate = kind({
  group,
  version,
  kind: 'SecretAggregate',
  plural: 'secretaggregates',
  description: 'SecretAggregate is reserved for Secrets made of several others. Stored only: nothing acts on it yet.',
  spec: Type.Object(
    { targetSecretName: Type.Optional(Type.String({ description: 'Name of the Secret to make.', maxLength: 253 })) },
    { description: 'Desired state of the Secret.' },
  ),
  status: Type.Object(
    { conditions: conditions() },
    { description: 'State of the Secret as a controller last observed it.' },
  ),
});
