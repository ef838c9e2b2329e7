// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { rule } from '@forge/kube/schema/schema-types.ts';
import { choice } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { duration } from './duration.ts';
import { jobSecretRef, secretRef } from './secret-ref.ts';

/** How a new version replaces the old one. */
export const updateStrategy = Type.Object(
  {
    type: choice(['RollingUpdate', 'BlueGreen'], {
      default: 'RollingUpdate',
      description:
        'RollingUpdate replaces one pod after the other, BlueGreen starts a second set of pods that takes over. It cannot be changed.',
    }),
    blueGreen: Type.Optional(
      Type.Object(
        {
          autoPromote: Type.Boolean({
            default: true,
            description:
              'Whether new pods take over by themselves once they are in sync; otherwise they wait until this is true.',
          }),
          verification: Type.Optional(
            Type.Object(
              {
                minSyncDuration: Type.Optional(
                  duration('How long new pods are in sync before they take over, at least.'),
                ),
              },
              { description: 'What must be so before new pods take over.' },
            ),
          ),
        },
        { description: 'Settings of BlueGreen.' },
      ),
    ),
  },
  { default: { type: 'RollingUpdate' }, description: 'How a new version replaces the old one.' },
);

/** What upgrades need. */
export const upgrade = Type.Object(
  {
    executorImage: Type.Optional(
      nonEmpty('Image of the Jobs of an upgrade; required with BlueGreen.', { maxLength: 1024 }),
    ),
    jwtAuthRole: Type.Optional(nonEmpty('Role of the auth method jwt that upgrades log in with.', { maxLength: 256 })),
    tokenSecretRef: Type.Optional(
      jobSecretRef('Secret with a token for upgrades under the key "token"; ignored when jwtAuthRole is set.'),
    ),
  },
  { description: 'What upgrades need.' },
);

/** Whether an image is signed. */
export const imageVerification = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'Whether an image must be signed with publicKey.' }),
    publicKey: Type.Optional(
      Type.String({
        description: 'Public key in PEM, as cosign writes it; ECDSA on P-256.',
        maxLength: 8192,
        ...rule(
          `self.matches(r'^\\s*-----BEGIN PUBLIC KEY-----')`,
          'must be a public key in PEM, which begins with -----BEGIN PUBLIC KEY-----',
        ),
      }),
    ),
    failurePolicy: choice(['Block', 'Warn'], {
      default: 'Block',
      description:
        'What happens when the signature is missing or wrong: Block keeps the running image, Warn only reports it.',
    }),
    ignoreTlog: Type.Boolean({
      default: false,
      description: 'Accepted, and treated as true: the transparency log is not consulted.',
    }),
    imagePullSecrets: Type.Optional(
      Type.Array(secretRef('One Secret.'), { description: 'Secrets with credentials of the registry.', maxItems: 16 }),
    ),
  },
  {
    description: 'Verification of the signature of the image.',
    ...rule(
      "!self.enabled || (has(self.publicKey) && self.publicKey != '')",
      'spec.imageVerification.publicKey is required when image verification is enabled',
    ),
  },
);
