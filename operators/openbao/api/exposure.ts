// SPDX-License-Identifier: Apache-2.0
import { egressRule, ingressRule } from '@forge/kube/kinds/network-policy-rules.ts';
import { namespaceName, nonEmpty, text } from '@forge/kube/schema/field.ts';
import { choice, mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

const annotations = (of: string) =>
  mapOf(Type.String({ description: 'Value of this annotation.' }), { description: `Annotations of the ${of}.` });

/** The Service for users. */
export const service = Type.Object(
  {
    type: choice(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'], {
      default: 'ClusterIP',
      description: 'Type of the Service.',
    }),
    annotations: Type.Optional(annotations('Service')),
  },
  { description: 'Service NAME-public for users; there is one when this is given, or with an Ingress.' },
);

/** The Ingress for users outside the cluster. */
export const ingress = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'Whether there is an Ingress.' }),
    host: nonEmpty('Host name of the Ingress, which is also in the server certificate.', { maxLength: 253 }),
    className: Type.Optional(Type.String({ description: "IngressClass; the cluster's default when absent." })),
    path: Type.String({ default: '/', description: 'Path prefix that leads to OpenBao.' }),
    tlsSecretName: Type.Optional(
      Type.String({ description: 'Secret with the certificate of the Ingress; NAME-tls-server when absent.' }),
    ),
    annotations: Type.Optional(annotations('Ingress')),
  },
  { description: 'Ingress in front of the public Service.' },
);

/** What the pods may reach, and who may reach them. */
export const network = Type.Object(
  {
    apiServerCIDR: Type.Optional(
      Type.String({
        description: 'Addresses of the API server that pods may reach on port 443; detected when absent.',
        maxLength: 64,
        ...rule('isCIDR(self)', 'must be a range of addresses such as 10.96.0.0/12'),
      }),
    ),
    apiServerEndpointIPs: Type.Optional(
      Type.Array(
        Type.String({
          description: 'One address.',
          maxLength: 64,
          ...rule('isIP(self)', 'must be an IP address such as 10.0.0.1'),
        }),
        {
          description: 'Addresses of the API server itself that pods may reach on port 6443; detected when absent.',
          maxItems: 32,
        },
      ),
    ),
    dnsNamespace: Type.Unsafe<string>({
      ...text(namespaceName, 'Namespace of the cluster DNS.'),
      default: 'kube-system',
    }),
    egressRules: Type.Optional(
      Type.Array(egressRule(), {
        description: 'Further traffic that pods may send, for example to a key service.',
        maxItems: 64,
      }),
    ),
    ingressRules: Type.Optional(
      Type.Array(ingressRule(), { description: 'Further traffic that pods may receive.', maxItems: 64 }),
    ),
  },
  { description: 'Network isolation of the pods beyond what the operator allows by itself.' },
);
