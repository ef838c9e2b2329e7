// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import { kind, type ObjectOf } from '../kinds/kind.ts';
import { choice, mapOf, rule } from '../schema/schema-types.ts';
import { duration, openObject } from './open-schema.ts';

const group = 'external-secrets.io';
const categories = ['external-secrets'];

/** Conditions of External Secrets require only type and status, and have no observedGeneration. */
const conditions = Type.Optional(
  Type.Array(
    Type.Object({
      type: Type.String(),
      status: choice(['True', 'False', 'Unknown']),
      reason: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      lastTransitionTime: Type.Optional(Type.String({ format: 'date-time' })),
    }),
  ),
);

/** The status fields of all kinds of External Secrets about the last successful reconcile. */
const synced = {
  refreshTime: Type.Optional(Type.String({ format: 'date-time' })),
  syncedResourceVersion: Type.Optional(
    Type.String({ description: '`{generation}-{hash of labels and annotations}`.' }),
  ),
};

const storeKind = ['SecretStore', 'ClusterSecretStore'] as const;
const storeName = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
});
const readyColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
} as const;
const reasonColumn = {
  name: 'Status',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
} as const;

const remoteRef = openObject({ key: Type.String(), property: Type.Optional(Type.String()) });

const template = openObject({
  type: Type.Optional(Type.String()),
  engineVersion: Type.Optional(choice(['v2'], { default: 'v2' })),
  mergePolicy: Type.Optional(choice(['Replace', 'Merge'], { default: 'Replace' })),
  data: Type.Optional(mapOf(Type.String())),
  metadata: Type.Optional(
    Type.Object({
      labels: Type.Optional(mapOf(Type.String())),
      annotations: Type.Optional(mapOf(Type.String())),
      finalizers: Type.Optional(Type.Array(Type.String())),
    }),
  ),
});

/** Requests a Secret with content from a secret store. */
export const ExternalSecret = kind({
  group,
  version: 'v1',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  shortNames: ['es'],
  categories,
  description: 'A Secret that External Secrets keeps equal to what a secret store holds.',
  spec: openObject(
    {
      refreshInterval: duration({ default: '1h0m0s' }),
      refreshPolicy: Type.Optional(choice(['CreatedOnce', 'Periodic', 'OnChange'])),
      secretStoreRef: Type.Optional(
        Type.Object({ name: Type.Optional(storeName), kind: Type.Optional(choice(storeKind)) }),
      ),
      target: Type.Optional(
        Type.Object(
          {
            name: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
            creationPolicy: Type.Optional(
              choice(['Owner', 'Orphan', 'Merge', 'None', 'CreateOrMerge'], { default: 'Owner' }),
            ),
            deletionPolicy: Type.Optional(choice(['Delete', 'Merge', 'Retain'], { default: 'Retain' })),
            immutable: Type.Optional(Type.Boolean()),
            template: Type.Optional(template),
          },
          {
            default: { creationPolicy: 'Owner', deletionPolicy: 'Retain' },
            'x-kubernetes-validations': [
              {
                rule: "self.deletionPolicy != 'Delete' || self.creationPolicy in ['Owner', 'Orphan']",
                message: 'deletionPolicy=Delete must not be used when the controller does not own the secret',
              },
              {
                rule: "self.deletionPolicy != 'Merge' || self.creationPolicy != 'None'",
                message: 'deletionPolicy=Merge must not be used with creationPolicy=None',
              },
            ],
          },
        ),
      ),
      data: Type.Optional(
        Type.Array(
          Type.Object({
            secretKey: Type.String({ minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' }),
            remoteRef,
          }),
          { maxItems: 1000 },
        ),
      ),
      dataFrom: Type.Optional(Type.Array(openObject({ extract: Type.Optional(remoteRef) }))),
    },
    rule(
      '(has(self.data) && size(self.data) > 0) || (has(self.dataFrom) && size(self.dataFrom) > 0)',
      'either data or dataFrom should be specified',
    ),
  ),
  status: openObject({
    ...synced,
    conditions,
    binding: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  }),
  printerColumns: [reasonColumn, readyColumn],
});
export type ExternalSecret = ObjectOf<typeof ExternalSecret>;

const pushData = openObject({
  match: Type.Object({
    secretKey: Type.Optional(Type.String()),
    remoteRef: Type.Object({ remoteKey: Type.String(), property: Type.Optional(Type.String()) }),
  }),
  conversionStrategy: Type.Optional(choice(['None', 'ReverseUnicode'], { default: 'None' })),
});

/** Requests a copy of a Secret in secret stores. */
export const PushSecret = kind({
  group,
  version: 'v1alpha1',
  kind: 'PushSecret',
  plural: 'pushsecrets',
  shortNames: ['ps'],
  categories,
  description: 'A Secret whose content External Secrets copies into secret stores.',
  spec: openObject({
    refreshInterval: duration({ default: '1h0m0s' }),
    secretStoreRefs: Type.Array(
      openObject({
        name: Type.Optional(storeName),
        kind: Type.Optional(choice(storeKind, { default: 'SecretStore' })),
      }),
    ),
    updatePolicy: Type.Optional(choice(['Replace', 'IfNotExists'], { default: 'Replace' })),
    deletionPolicy: Type.Optional(choice(['Delete', 'None'], { default: 'None' })),
    selector: Type.Object(
      {
        secret: Type.Optional(openObject({ name: Type.Optional(storeName) })),
        generatorRef: Type.Optional(openObject({})),
      },
      { minProperties: 1, maxProperties: 1 },
    ),
    data: Type.Optional(Type.Array(pushData)),
  }),
  status: openObject({
    ...synced,
    conditions,
    syncedPushSecrets: Type.Optional(mapOf(mapOf(pushData))),
  }),
  printerColumns: [reasonColumn],
});
export type PushSecret = ObjectOf<typeof PushSecret>;

const keyReference = openObject({
  name: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  namespace: Type.Optional(Type.String()),
});

const vault = openObject({
  server: Type.String(),
  path: Type.Optional(Type.String()),
  version: Type.Optional(choice(['v1', 'v2'], { default: 'v2' })),
  auth: Type.Optional(
    openObject({
      kubernetes: Type.Optional(
        openObject({
          mountPath: Type.Optional(Type.String({ default: 'kubernetes' })),
          role: Type.String(),
          serviceAccountRef: Type.Optional(
            openObject({
              name: Type.String(),
              namespace: Type.Optional(Type.String()),
              audiences: Type.Optional(Type.Array(Type.String())),
            }),
          ),
        }),
      ),
      tokenSecretRef: Type.Optional(keyReference),
      appRole: Type.Optional(
        openObject({ path: Type.Optional(Type.String({ default: 'approle' })), secretRef: keyReference }),
      ),
    }),
  ),
  caBundle: Type.Optional(Type.String({ format: 'byte' })),
  caProvider: Type.Optional(
    openObject({
      type: choice(['Secret', 'ConfigMap']),
      name: Type.String(),
      key: Type.Optional(Type.String()),
      namespace: Type.Optional(Type.String()),
    }),
  ),
});

/** A secret store for all namespaces. */
export const ClusterSecretStore = kind({
  group,
  version: 'v1',
  kind: 'ClusterSecretStore',
  plural: 'clustersecretstores',
  scope: 'Cluster',
  shortNames: ['css'],
  categories,
  description: 'A secret store that ExternalSecrets and PushSecrets of every namespace can name.',
  spec: openObject({
    provider: openObject(
      { vault: Type.Optional(vault), openBao: Type.Optional(openObject({ server: Type.String() })) },
      { minProperties: 1, maxProperties: 1 },
    ),
    refreshInterval: Type.Optional(
      Type.Unsafe<number | string>({
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
      }),
    ),
    conditions: Type.Optional(
      Type.Array(
        openObject({
          namespaces: Type.Optional(Type.Array(Type.String())),
          namespaceRegexes: Type.Optional(Type.Array(Type.String())),
          namespaceSelector: Type.Optional(openObject({ matchLabels: Type.Optional(mapOf(Type.String())) })),
        }),
      ),
    ),
  }),
  status: openObject({ conditions, capabilities: Type.Optional(Type.String()) }),
  printerColumns: [reasonColumn, readyColumn],
});
export type ClusterSecretStore = ObjectOf<typeof ClusterSecretStore>;
