// SPDX-License-Identifier: Apache-2.0
import { immutable } from '@forge/kube/schema/checked-rule.ts';
import { nonEmpty, objectName, optionalName, text } from '@forge/kube/schema/field.ts';
import { rules } from '@forge/kube/schema/rules.ts';
import { choice, rule } from '@forge/kube/schema/schema-types.ts';
import { secretReference } from '@forge/openstack/schema/reference.ts';
import { Type } from 'typebox';
import { defaults } from './defaults.ts';

export const cloudsYamlImmutable = immutable('cloudCredentialsRef.secretName is immutable', {
  fallback: defaults.cloudsYaml,
});

const cloudCredentialsRef = Type.Object(
  {
    cloudName: Type.String({
      default: defaults.cloud,
      maxLength: 256,
      description: `Entry of clouds.yaml under which K-ORC finds the login; ${defaults.cloud} when empty.`,
    }),
    secretName: Type.String({
      default: defaults.cloudsYaml,
      maxLength: optionalName.maxLength,
      description:
        'Name of the Secret with the clouds.yaml of the admin application credential, which the operator has External ' +
        `Secrets create; ${defaults.cloudsYaml} when empty.`,
      ...rules(rule(`self.matches(r'${optionalName.pattern}')`, optionalName.message), cloudsYamlImmutable),
    }),
  },
  { description: 'Login of K-ORC by clouds.yaml.' },
);

const accessRule = Type.Object(
  {
    service: text(
      objectName,
      'Name of a Service resource of K-ORC in the same namespace, for example compute. The operator does not create it.',
    ),
    method: Type.Optional(
      choice(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'], {
        description: 'HTTP method; every one when absent.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: '^/',
        maxLength: 1024,
        description: 'Path of requests, for example /v2.1/servers; every one when absent.',
      }),
    ),
  },
  { description: 'One kind of request.' },
);

const applicationCredential = Type.Object(
  {
    restricted: Type.Boolean({
      default: true,
      description:
        'Whether the credential cannot create or delete application credentials and trusts. A change mints a new one.',
    }),
    accessRules: Type.Optional(
      Type.Array(accessRule, {
        maxItems: 256,
        description: 'Requests that the credential allows; all of them when absent. A change mints a new credential.',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    rotation: Type.Object(
      {
        mode: choice(['PasswordDriven', 'Scheduled', 'Manual'], {
          default: defaults.rotationMode,
          description: 'Reserved: every mode acts as PasswordDriven, which mints a new credential with a new password.',
        }),
      },
      { description: 'When a new credential is minted.' },
    ),
  },
  { description: 'Application credential of the administrator.' },
);

const bootstrapResource = Type.Object(
  {
    kind: choice(['Project', 'Role'], { description: 'Project or Role.' }),
    name: nonEmpty('Name of the resource.', { maxLength: 255 }),
  },
  { description: 'One resource.' },
);

const adminCredential = Type.Object(
  {
    cloudCredentialsRef,
    passwordSecretRef: secretReference(
      'Secret with the password of the administrator. Read in brownfield mode only; in managed mode the password comes from ' +
        'OpenBao.',
    ),
    applicationCredential,
    bootstrapResources: Type.Optional(
      Type.Array(bootstrapResource, {
        maxItems: 256,
        description: 'Resources to create besides. Stored only: nothing acts on it yet.',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
  },
  { description: 'Login of the administrator, and the application credential made from it.' },
);

export const korc = Type.Object(
  { adminCredential },
  { description: 'How K-ORC, the OpenStack resource controller, logs in. The webhook fills in what is left out.' },
);
