// SPDX-License-Identifier: Apache-2.0
import { nonEmpty } from '@forge/kube/schema/field.ts';
import { fieldRule, rules } from '@forge/kube/schema/rules.ts';
import { choice, mapOf } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const auditTypes = ['file', 'syslog', 'socket', 'http'] as const;

const setting = (description: string) => Type.Optional(Type.String({ description, maxLength: 2048 }));

const file = Type.Object(
  {
    filePath: nonEmpty('Path of the file in the pod, or stdout.', { maxLength: 2048 }),
    mode: setting('Permissions of the file, for example 0600.'),
  },
  { description: 'Settings of a device of type file.' },
);

const http = Type.Object(
  {
    uri: nonEmpty('URL that entries are sent to.', { maxLength: 2048 }),
    headers: Type.Optional(
      mapOf(
        Type.Array(Type.String({ description: 'One value.', maxLength: 2048 }), {
          description: 'Values of this header.',
          maxItems: 16,
        }),
        {
          description: 'Headers of the requests.',
          maxProperties: 64,
        },
      ),
    ),
  },
  { description: 'Settings of a device of type http.' },
);

const syslog = Type.Object(
  { facility: setting('Facility; AUTH when absent.'), tag: setting('Tag; openbao when absent.') },
  { description: 'Settings of a device of type syslog.' },
);

const socket = Type.Object(
  {
    address: nonEmpty('Host and port, or path of a Unix socket.', { maxLength: 2048 }),
    socketType: setting('tcp, udp or unix; tcp when absent.'),
    writeTimeout: setting('How long a write may take, for example 2s.'),
  },
  { description: 'Settings of a device of type socket.' },
);

const device = Type.Object(
  {
    type: choice(auditTypes, { description: 'Type of the device.' }),
    path: nonEmpty('Path of the device in OpenBao; no two devices share one.', { maxLength: 256 }),
    description: setting('What the device is for.'),
    file: Type.Optional(file),
    http: Type.Optional(http),
    syslog: Type.Optional(syslog),
    socket: Type.Optional(socket),
    options: Type.Optional(
      mapOf(Type.String({ description: 'Value of this option.', maxLength: 4096 }), {
        description: 'Options of the device as the server names them; used when there is no block of the type.',
        maxProperties: 64,
      }),
    ),
  },
  {
    description: 'One device.',
    ...rules(
      ...auditTypes.map((type) =>
        fieldRule(`.${type}`, `self.type == '${type}' || !has(self.${type})`, {
          message: `${type} can be given only when type is ${type}: remove it, or change type`,
        }),
      ),
      // All settings of syslog have defaults.
      ...auditTypes
        .filter((type) => type !== 'syslog')
        .map((type) =>
          fieldRule(`.${type}`, `self.type != '${type}' || has(self.${type}) || has(self.options)`, {
            message: `${type} is required when type is ${type}, unless options are given: the device has no settings`,
          }),
        ),
    ),
  },
);

/** Audit devices. */
export const audit = Type.Array(device, {
  description:
    'Audit devices, equal in every pod. They are written once the cluster is initialised: a device that cannot be opened would ' +
    'use up the only root token.',
  maxItems: 16,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['path'],
});
