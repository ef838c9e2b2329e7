// SPDX-License-Identifier: Apache-2.0
import { immutable } from '@forge/kube/schema/checked-rule.ts';
import { int32, text, type TextRule } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import {
  databaseHost,
  databaseModeImmutable,
  databasePort,
  exactlyOneDatabase,
} from '@forge/openstack/schema/backing-services.ts';
import { localReference, secretReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';

export const databaseName: TextRule = {
  pattern: '^[-a-zA-Z0-9_]+$',
  maxLength: 64,
  message: 'must be the name of a MariaDB database: letters, digits, _ and -, at most 64 of them',
};

/** A managed database has a condition of its own for this. */
export const databaseNameImmutable = immutable('database name is immutable', {
  field: '.database',
  unless: 'clusterRef',
});

export const database = Type.Object(
  {
    clusterRef: Type.Optional(
      localReference(
        'MariaDB cluster on which the operator creates the database, its user and its grant (managed mode). ' +
          'They are deleted with the Keystone.',
        'Name of the MariaDB resource, in the namespace of the Keystone.',
      ),
    ),
    host: Type.Optional(
      text(
        databaseHost,
        'Host of a database that exists already (brownfield mode). The operator creates and deletes nothing on it, ' +
          'and keeps the keys of a Keystone that is deleted.',
      ),
    ),
    port: databasePort,
    database: text(databaseName, 'Name of the database. With host it cannot be changed.'),
    secretRef: secretReference('Secret with the database account: the keys "username" and "password".'),
    replicas: Type.Optional(
      int32('Accepted, since a ControlPlane copies its own database settings here, and ignored.', { minimum: 1 }),
    ),
  },
  {
    description: 'Database of Keystone: exactly one of clusterRef (managed) and host (brownfield).',
    ...rules(exactlyOneDatabase, databaseModeImmutable, databaseNameImmutable),
  },
);
