// SPDX-License-Identifier: Apache-2.0
import { int64 } from '@forge/kube/schema/field.ts';
import { choice, conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const service = Type.Object(
  {
    name: Type.String({ description: 'Name of the service: keystone.' }),
    ready: Type.Boolean({ description: 'Whether the service is ready.' }),
    release: Type.Optional(Type.String({ description: 'Release that the service is to have.' })),
  },
  { description: 'One service.' },
);

const adminApplicationCredential = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Id of the credential in Keystone.' })),
    restricted: Type.Optional(
      Type.Boolean({
        description: 'Whether the credential cannot create or delete application credentials and trusts.',
      }),
    ),
    lastRotation: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the credential was last replaced.' }),
    ),
  },
  { description: 'Application credential of the administrator; absent until it is first written.' },
);

/** What the operator observed and remembers. */
export const status = Type.Object(
  {
    conditions: conditions(),
    observedGeneration: Type.Optional(int64('Generation of the spec that was reconciled last.')),
    installedRelease: Type.Optional(
      Type.String({
        description:
          'Release of the database schema and of the running pods of Keystone; during an upgrade the one before it.',
      }),
    ),
    updatePhase: Type.Optional(
      choice(['Idle', 'Updating', 'UpdatingServices', 'Verifying', 'RollingBack'], {
        description: 'Phase of an update: always Idle; the others are reserved.',
      }),
    ),
    services: Type.Optional(
      Type.Array(service, {
        description: 'State of the services, one of every name.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
    ),
    adminApplicationCredential: Type.Optional(adminApplicationCredential),
  },
  { description: 'State of the control plane as the operator last observed it.' },
);
