// SPDX-License-Identifier: Apache-2.0
import { mapOf } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';
import { objectName, optionalName, text, type TextRule } from './field.ts';

export const hostname: TextRule = {
  ...objectName,
  message: 'must be a host name in lower case without scheme, port and path, for example keystone.example.com',
};

export const gateway = Type.Object(
  {
    parentRef: Type.Object(
      {
        name: text(objectName, 'Name of the Gateway.'),
        namespace: Type.Optional(
          text(
            optionalName,
            "Namespace of the Gateway; the Keystone's own when absent. The Gateway's listener decides which namespaces may attach.",
          ),
        ),
        sectionName: Type.Optional(
          text(optionalName, 'Listener of the Gateway, for example https; every listener that fits when absent.'),
        ),
      },
      { description: 'Gateway that the route is attached to. It exists already; the operator does not create it.' },
    ),
    hostname: text(
      hostname,
      'Host name under which clients reach the API; status.endpoint becomes https://{hostname}/v3.',
    ),
    path: Type.Optional(Type.String({ maxLength: 1024, description: 'Path prefix of the route; "/" when absent.' })),
    annotations: Type.Optional(
      mapOf(Type.String({ description: 'Value of this annotation.' }), {
        description: 'Annotations of the HTTPRoute, for settings of the Gateway implementation.',
      }),
    ),
  },
  { description: 'Exposure of the API outside the cluster by an HTTPRoute of Gateway API; none when absent.' },
);
