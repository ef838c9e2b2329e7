// SPDX-License-Identifier: Apache-2.0
import { namespaceName, objectName, optionalName, text, type TextRule } from '@forge/kube/schema/field.ts';
import { mapOf } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

export const hostname: TextRule = {
  ...objectName,
  message: 'must be a host name in lower case without scheme, port and path, for example keystone.example.com',
};

export const routePath: TextRule = {
  pattern: '^([-A-Za-z0-9/._~!$&()*+,;=:@]|%[0-9a-fA-F]{2})*$',
  // The leading / is added where it is left out.
  maxLength: 1023,
  message: 'must be the path of a URL, for example /identity: no spaces, other characters percent-encoded',
};

export const gateway = Type.Object(
  {
    parentRef: Type.Object(
      {
        name: text(objectName, 'Name of the Gateway.'),
        namespace: Type.Optional(
          text(
            namespaceName,
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
    path: Type.Optional(text(routePath, 'Path prefix of the route; "/" when absent.')),
    annotations: Type.Optional(
      mapOf(Type.String({ description: 'Value of this annotation.' }), {
        description: 'Annotations of the HTTPRoute, for settings of the Gateway implementation.',
      }),
    ),
  },
  { description: 'Exposure of the API outside the cluster by an HTTPRoute of Gateway API; none when absent.' },
);
