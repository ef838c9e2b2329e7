// SPDX-License-Identifier: Apache-2.0
import { Type } from 'typebox';
import { kind, type ObjectOf } from '../kinds/kind.ts';
import { choice, rule } from '../schema/schema-types.ts';
import type { Schema } from '../schema/schema.ts';
import {
  description,
  enabled,
  envelope,
  facts,
  immutable,
  keystoneName,
  observed,
  openStackName,
  reference,
  status,
  text,
} from './korc-envelope.ts';

/** A domain of Keystone. */
export const Domain = kind({
  ...facts,
  kind: 'Domain',
  plural: 'domains',
  description: 'A domain of Keystone.',
  spec: envelope(
    Type.Object({ name: keystoneName(), description: description(), enabled: enabled() }),
    Type.Object({ name: keystoneName(), enabled: enabled() }, { minProperties: 1 }),
  ),
  status: status(Type.Object({ name: observed(), description: observed(), enabled: enabled() })),
});
export type Domain = ObjectOf<typeof Domain>;

/** A user of Keystone. */
export const User = kind({
  ...facts,
  kind: 'User',
  plural: 'users',
  description: 'A user of Keystone.',
  spec: envelope(
    Type.Object(
      {
        name: openStackName(),
        description: description(),
        domainRef: Type.Optional(reference(immutable('domainRef'))),
        defaultProjectRef: Type.Optional(reference(immutable('defaultProjectRef'))),
        enabled: enabled(),
        passwordRef: Type.Optional(reference()),
      },
      rule('!has(oldSelf.passwordRef) || has(self.passwordRef)', 'passwordRef may not be removed once set'),
    ),
    Type.Object({ name: openStackName(), domainRef: Type.Optional(reference()) }, { minProperties: 1 }),
  ),
  status: status(
    Type.Object({
      name: observed(),
      description: observed(),
      domainID: observed(),
      defaultProjectID: observed(),
      enabled: enabled(),
      passwordExpiresAt: observed(),
      appliedPasswordRef: observed(),
    }),
  ),
});
export type User = ObjectOf<typeof User>;

const method = choice(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);

/** A credential of a user for one project, with which a program can log in instead of the user's password. */
export const ApplicationCredential = kind({
  ...facts,
  kind: 'ApplicationCredential',
  plural: 'applicationcredentials',
  description: 'An application credential of a user of Keystone.',
  spec: envelope(
    Type.Object(
      {
        name: openStackName(),
        description: description(),
        userRef: reference(),
        secretRef: reference(),
        unrestricted: enabled(),
        roleRefs: Type.Optional(Type.Array(reference(), { maxItems: 256 })),
        accessRules: Type.Optional(
          Type.Array(
            Type.Object(
              {
                path: Type.Optional(text(1024)),
                method: Type.Optional(method),
                serviceRef: Type.Optional(reference()),
              },
              { minProperties: 1 },
            ),
            { maxItems: 256 },
          ),
        ),
        expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
      },
      immutable('ApplicationCredentialResourceSpec'),
    ),
    Type.Object({ userRef: reference(), name: openStackName(), description: description() }, { minProperties: 2 }),
  ),
  status: status(
    Type.Object({
      name: observed(),
      description: observed(),
      unrestricted: enabled(),
      projectID: observed(),
      roles: Type.Optional(Type.Array(Type.Object({ name: observed(), id: observed(), domainID: observed() }))),
      accessRules: Type.Optional(
        Type.Array(Type.Object({ id: observed(), path: observed(), method: observed(), service: observed() })),
      ),
      expiresAt: observed(),
    }),
  ),
});
export type ApplicationCredential = ObjectOf<typeof ApplicationCredential>;

/** A service of Keystone's catalog. */
export const Service = kind({
  ...facts,
  kind: 'Service',
  plural: 'services',
  description: "A service of Keystone's catalog.",
  spec: envelope(
    Type.Object({
      type: text(255),
      name: openStackName(),
      description: description(),
      enabled: enabled({ default: true }),
    }),
    Type.Object({ name: openStackName(), type: Type.Optional(text(255)) }, { minProperties: 1 }),
  ),
  status: status(Type.Object({ name: observed(), type: observed(), description: observed(), enabled: enabled() })),
});
export type Service = ObjectOf<typeof Service>;

const facing = (annotations: Schema = {}) => choice(['admin', 'internal', 'public'], annotations);

/** An endpoint of such a service. */
export const Endpoint = kind({
  ...facts,
  kind: 'Endpoint',
  plural: 'endpoints',
  description: "An endpoint of a service of Keystone's catalog.",
  spec: envelope(
    Type.Object({
      interface: facing(),
      url: Type.String({ maxLength: 1024 }),
      serviceRef: reference(immutable('serviceRef')),
      description: description(immutable('description')),
      enabled: enabled(),
    }),
    Type.Object(
      {
        interface: Type.Optional(facing()),
        serviceRef: Type.Optional(reference()),
        url: Type.Optional(Type.String({ maxLength: 1024 })),
      },
      { minProperties: 1 },
    ),
  ),
  status: status(
    Type.Object({
      url: observed(),
      interface: observed(),
      serviceID: observed(),
      description: observed(),
      enabled: enabled(),
    }),
  ),
});
export type Endpoint = ObjectOf<typeof Endpoint>;
