// SPDX-License-Identifier: Apache-2.0
import { int32, int64 } from '@forge/kube/schema/field.ts';
import { choice, conditions } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

/** The credential that can be rotated. */
export const adminApplicationCredential = 'adminApplicationCredential';

const deferred = 'Reserved for scheduled rotations: accepted, reported by an Event, and ignored.';

/** What users write into a CredentialRotation. */
export const rotationSpec = Type.Object(
  {
    target: choice([adminApplicationCredential], {
      description: `Credential to rotate: ${adminApplicationCredential}.`,
    }),
    bootstrap: Type.Optional(
      Type.Boolean({
        description: 'Whether to wait only until the credential exists, without rotating it. Wins over reMint.',
      }),
    ),
    reMint: Type.Optional(
      Type.Boolean({
        description:
          'Whether to revoke the credential and mint a new one, once for every change of this spec. Without it, that happens ' +
          'only when the admin password differs from the one the credential was minted with.',
      }),
    ),
    intervalDays: Type.Optional(int32(`Days between two rotations. ${deferred}`, { minimum: 1 })),
    preRotationDays: Type.Optional(int32(`Days before expiry at which to rotate. ${deferred}`, { minimum: 0 })),
    gracePeriodDays: Type.Optional(int32(`Days for which the old credential stays valid. ${deferred}`, { minimum: 0 })),
  },
  { description: 'Desired rotation.' },
);

/** What the operator observed of a CredentialRotation and remembers. */
export const rotationStatus = Type.Object(
  {
    conditions: conditions(),
    observedGeneration: Type.Optional(int64('Generation of the spec that was reconciled last.')),
    lastTriggeredGeneration: Type.Optional(
      int64('Generation of the spec whose reMint has been done: the same generation does not rotate twice.'),
    ),
    pendingUID: Type.Optional(
      Type.String({
        description:
          'Uid of the ApplicationCredential that is to be replaced, written before it is touched, so that a restart in ' +
          'between does not rotate twice.',
      }),
    ),
    pendingGeneration: Type.Optional(
      int64('Generation of the spec that asked for that: a later one asks for another credential.'),
    ),
  },
  { description: 'State of the rotation as the operator last observed it.' },
);
