// SPDX-License-Identifier: Apache-2.0
import { egressRule } from '@forge/kube/kinds/network-policy-rules.ts';
import { mapOf, rule } from '@forge/kube/schema/schema-types.ts';
import { Type } from 'typebox';

export const ingressMessage = 'at least one ingress source must be specified';

const labels = (description: string) =>
  mapOf(Type.String({ description: 'Value that this label must have.' }), { description });

const source = Type.Object(
  {
    namespaceSelector: labels('Labels of the namespaces whose pods may reach the API; none means every namespace.'),
    podSelector: Type.Optional(
      labels('Labels of the pods in those namespaces that may reach it; all pods when absent.'),
    ),
  },
  { description: 'One source.' },
);

export const networkPolicy = Type.Object(
  {
    ingress: Type.Array(source, {
      description:
        "Who may reach the API on TCP port 5000; at least one source. The operator's own namespace always may, and that of the gateway, too.",
    }),
    additionalEgress: Type.Optional(
      Type.Array(egressRule(), {
        description:
          'Further traffic that API pods may send. DNS is always allowed, MariaDB and Memcached with clusterRef only: a ' +
          'brownfield database or cache needs a rule here.',
      }),
    ),
  },
  {
    description: 'Network isolation of the API pods; traffic is not restricted when absent.',
    ...rule('size(self.ingress) > 0', ingressMessage),
  },
);
