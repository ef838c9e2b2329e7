// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import { kind, type ObjectOf } from '../kinds/kind.ts';
import { choice, conditions } from '../schema/schema-types.ts';
import { duration, immutable, openObject } from './open-schema.ts';

const facts = { group: 'k8s.mariadb.com', version: 'v1alpha1' };
const status = openObject({ conditions: conditions() });
const readyColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
} as const;

const keyFields = { name: Type.Optional(Type.String()), key: Type.String() };

const certificate = openObject({
  issuer: Type.String(),
  subject: Type.String(),
  notBefore: Type.String({ format: 'date-time' }),
  notAfter: Type.String({ format: 'date-time' }),
});

/** A MariaDB server, or a Galera cluster of several. */
export const MariaDB = kind({
  ...facts,
  kind: 'MariaDB',
  plural: 'mariadbs',
  shortNames: ['mdb'],
  description: 'A MariaDB server that mariadb-operator runs.',
  spec: openObject(
    {
      replicas: Type.Optional(Type.Integer({ default: 1, format: 'int32' })),
      replicasAllowEvenNumber: Type.Optional(Type.Boolean({ default: false })),
      galera: Type.Optional(openObject({ enabled: Type.Optional(Type.Boolean()) })),
      replication: Type.Optional(openObject({ enabled: Type.Optional(Type.Boolean()) })),
      storage: Type.Optional(
        openObject({
          size: Type.Optional(Type.Unsafe<string>({ 'x-kubernetes-int-or-string': true })),
          ephemeral: Type.Optional(Type.Boolean()),
          volumeClaimTemplate: Type.Optional(openObject({})),
          storageClassName: Type.Optional(Type.String()),
        }),
      ),
      rootPasswordSecretKeyRef: Type.Optional(
        Type.Object({ ...keyFields, generate: Type.Optional(Type.Boolean({ default: false })) }),
      ),
      rootEmptyPassword: Type.Optional(Type.Boolean()),
      port: Type.Optional(Type.Integer({ default: 3306, format: 'int32' })),
      image: Type.Optional(Type.String()),
      tls: Type.Optional(
        openObject({ enabled: Type.Optional(Type.Boolean()), required: Type.Optional(Type.Boolean()) }),
      ),
      suspend: Type.Optional(Type.Boolean({ default: false })),
      updateStrategy: Type.Optional(
        openObject({
          type: Type.Optional(choice(['ReplicasFirstPrimaryLast', 'RollingUpdate', 'OnDelete', 'Never'])),
        }),
      ),
    },
    {
      'x-kubernetes-validations': [
        {
          rule: '!(has(self.galera) && has(self.galera.enabled) && self.galera.enabled) || self.replicas % 2 == 1 || self.replicasAllowEvenNumber',
          message:
            "An odd number of MariaDB instances (mariadb.spec.replicas) is required to avoid split brain situations for Galera. Use 'mariadb.spec.replicasAllowEvenNumber: true' to disable this validation.",
        },
        {
          rule: 'self.replicas <= 1 || (has(self.galera) && has(self.galera.enabled) && self.galera.enabled) || (has(self.replication) && has(self.replication.enabled) && self.replication.enabled)',
          message: "Multiple replicas can only be specified when 'spec.replication' or 'spec.galera' are configured",
          fieldPath: '.replicas',
        },
        {
          rule: 'has(self.storage) && (has(self.storage.size) || has(self.storage.volumeClaimTemplate) || (has(self.storage.ephemeral) && self.storage.ephemeral))',
          message:
            "either 'spec.storage.volumeClaimTemplate', 'spec.storage.size' or 'spec.storage.ephemeral' must be set",
        },
        {
          rule: '!has(oldSelf.rootPasswordSecretKeyRef) || (has(self.rootPasswordSecretKeyRef) && self.rootPasswordSecretKeyRef == oldSelf.rootPasswordSecretKeyRef)',
          message: "'spec.rootPasswordSecretKeyRef' field is immutable",
        },
      ],
    },
  ),
  status: openObject({
    conditions: conditions(),
    replicas: Type.Optional(Type.Integer()),
    currentPrimary: Type.Optional(Type.String()),
    currentPrimaryPodIndex: Type.Optional(Type.Integer()),
    tls: Type.Optional(
      openObject({
        caBundle: Type.Optional(Type.Array(certificate)),
        serverCert: Type.Optional(certificate),
        clientCert: Type.Optional(certificate),
      }),
    ),
  }),
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  printerColumns: [readyColumn],
});
export type MariaDB = ObjectOf<typeof MariaDB>;

/** What Database, User and Grant have in common. */
const common = {
  mariaDbRef: openObject({
    name: Type.Optional(Type.String()),
    namespace: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
    waitForIt: Type.Optional(Type.Boolean({ default: true })),
  }),
  requeueInterval: duration(),
  retryInterval: duration(),
  cleanupPolicy: Type.Optional(choice(['Skip', 'Delete'])),
};

/** A database on such a server; its SQL name is the object's unless `name` says otherwise. */
export const Database = kind({
  ...facts,
  kind: 'Database',
  plural: 'databases',
  shortNames: ['dmdb'],
  description: 'A database on a MariaDB.',
  spec: openObject(
    {
      ...common,
      name: Type.Optional(Type.String({ maxLength: 80 })),
      characterSet: Type.Optional(Type.String({ default: 'utf8' })),
      collate: Type.Optional(Type.String({ default: 'utf8_general_ci' })),
    },
    immutable('mariaDbRef', 'characterSet', 'collate', 'name'),
  ),
  status,
  printerColumns: [readyColumn],
});
export type Database = ObjectOf<typeof Database>;

/** An account on such a server. */
export const User = kind({
  ...facts,
  kind: 'User',
  plural: 'users',
  shortNames: ['umdb'],
  description: 'An account on a MariaDB.',
  spec: openObject(
    {
      ...common,
      name: Type.Optional(Type.String({ maxLength: 80 })),
      host: Type.Optional(Type.String({ maxLength: 255 })),
      passwordSecretKeyRef: Type.Optional(Type.Object(keyFields)),
      maxUserConnections: Type.Optional(Type.Integer({ default: 10, format: 'int32' })),
    },
    immutable('mariaDbRef', 'name', 'host'),
  ),
  status,
  printerColumns: [readyColumn],
});
export type User = ObjectOf<typeof User>;

/** Privileges of such an account; database, table and username are SQL names. */
export const Grant = kind({
  ...facts,
  kind: 'Grant',
  plural: 'grants',
  shortNames: ['gmdb'],
  description: 'Privileges of an account on a MariaDB.',
  spec: openObject(
    {
      ...common,
      privileges: Type.Array(Type.String(), { minItems: 1 }),
      database: Type.Optional(Type.String({ default: '*' })),
      table: Type.Optional(Type.String({ default: '*' })),
      username: Type.String(),
      host: Type.Optional(Type.String({ maxLength: 255 })),
      grantOption: Type.Optional(Type.Boolean({ default: false })),
    },
    immutable('mariaDbRef', 'database', 'table', 'username', 'host', 'grantOption'),
  ),
  status: openObject({ conditions: conditions(), currentPrivileges: Type.Optional(Type.Array(Type.String())) }),
  printerColumns: [readyColumn],
});
export type Grant = ObjectOf<typeof Grant>;
