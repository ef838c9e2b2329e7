// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicySpec } from '@forge/kube/generated/types.ts';
import type { NetworkPolicy } from '@forge/kube/kinds/builtin.ts';

/** Policies, and the connections that they allow and refuse, in the notation of `connection`. */
export interface PolicyCase {
  name: string;
  policies: readonly NetworkPolicy[];
  allowed: readonly string[];
  refused: readonly string[];
}

const policy = (namespace: string, spec: NetworkPolicySpec, name = 'policy'): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec,
});

const app = (name: string) => ({ matchLabels: { app: name } });
const named = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const tcp = (port: number | string, endPort?: number) => ({
  port,
  protocol: 'TCP',
  ...(endPort !== undefined && { endPort }),
});
const udp = (port: number | string) => ({ port, protocol: 'UDP' });
/** The policy of the API pod. */
const api = (spec: NetworkPolicySpec) => [policy('openstack', { podSelector: app('api'), ...spec })];
/** A policy of the API pod with these rules for ingress. */
export function withIngress(rules: NonNullable<NetworkPolicySpec['ingress']>): NetworkPolicy[] {
  return api({ policyTypes: ['Ingress'], ingress: rules });
}
const ingress = (...rules: NonNullable<NetworkPolicySpec['ingress']>) => withIngress(rules);
const egress = (...rules: NonNullable<NetworkPolicySpec['egress']>) => api({ policyTypes: ['Egress'], egress: rules });

/** The semantics of the API, one case each; the same cases test `allowedTraffic` and the kernel. */
export const policyCases: readonly PolicyCase[] = [
  {
    name: 'without a policy everything is allowed',
    policies: [],
    allowed: [
      'front > api tcp/5000',
      'api > front udp/5000',
      'api > node tcp/6443',
      'api > dns udp/53',
      'front > identity tcp/80',
      'front > identity udp/80',
      'api > identity tcp/80',
      'node > api tcp/5000',
      'node > identity tcp/80',
    ],
    refused: [],
  },
  {
    name: 'an empty podSelector isolates all pods of the namespace for ingress, and only those',
    policies: [policy('openstack', { podSelector: {}, policyTypes: ['Ingress'] })],
    allowed: [
      'api > front tcp/5000',
      'api > dns udp/53',
      'front > back tcp/5000',
      'node > api tcp/5000',
      'node > identity tcp/80',
      'api > identity tcp/80',
    ],
    refused: [
      'front > api tcp/5000',
      'front > identity tcp/80',
      'front > identity udp/80',
      'api > database tcp/5000',
      'database > api udp/5000',
    ],
  },
  {
    name: 'isolation for egress refuses DNS, the API server and other pods, but no ingress',
    policies: egress(),
    allowed: ['front > api tcp/5000', 'node > api udp/5000', 'database > dns udp/53', 'api > identity tcp/80'],
    refused: [
      'api > database tcp/5000',
      'api > dns udp/53',
      'api > dns tcp/53',
      'api > node tcp/6443',
      'api > front udp/5000',
    ],
  },
  {
    name: 'without policyTypes a policy is for ingress',
    policies: api({}),
    allowed: ['api > front tcp/5000', 'api > dns tcp/53'],
    refused: ['front > api tcp/5000'],
  },
  {
    name: 'without policyTypes a policy with egress rules is for both',
    policies: api({ egress: [{ ports: [tcp(5001)] }] }),
    allowed: ['api > database tcp/5001'],
    refused: ['front > api tcp/5000', 'api > database tcp/5000', 'api > dns udp/53'],
  },
  {
    name: 'an empty rule allows everything of its direction',
    policies: api({ policyTypes: ['Ingress', 'Egress'], ingress: [{}] }),
    allowed: ['front > api tcp/5000', 'metrics > api udp/5000'],
    refused: ['api > front tcp/5000', 'api > node tcp/6443'],
  },
  {
    name: 'empty lists of peers and ports restrict nothing',
    policies: ingress({ from: [], ports: [] }),
    allowed: ['front > api tcp/5000', 'metrics > api udp/5000'],
    refused: [],
  },
  {
    name: 'a podSelector alone selects peers in the policy’s own namespace',
    policies: ingress({ from: [{ podSelector: {} }] }),
    allowed: ['database > api tcp/5000', 'database > identity tcp/80'],
    refused: ['front > api tcp/5000', 'metrics > api tcp/5000'],
  },
  {
    name: 'a podSelector of another namespace’s pod selects nothing',
    policies: ingress({ from: [{ podSelector: app('front') }] }),
    allowed: [],
    refused: ['front > api tcp/5000', 'database > api tcp/5000'],
  },
  {
    name: 'a namespaceSelector alone selects all pods of those namespaces, but not of its own namespace',
    policies: ingress({ from: [{ namespaceSelector: { matchLabels: { team: 'web' } } }] }),
    allowed: ['front > api tcp/5000', 'back > identity tcp/80'],
    refused: ['database > api tcp/5000', 'metrics > api tcp/5000', 'metrics > identity tcp/80'],
  },
  {
    name: 'an empty namespaceSelector selects the pods of all namespaces',
    policies: ingress({ from: [{ namespaceSelector: {}, podSelector: {} }], ports: [tcp(5000)] }),
    allowed: ['front > api tcp/5000', 'database > api tcp/5000', 'metrics > identity tcp/80'],
    refused: ['front > api udp/5000'],
  },
  {
    name: 'both selectors in one peer must match',
    policies: ingress({ from: [{ namespaceSelector: named('web'), podSelector: app('front') }] }),
    allowed: ['front > api tcp/5000', 'front > identity tcp/80'],
    refused: ['back > api tcp/5000', 'back > identity tcp/80', 'database > api tcp/5000'],
  },
  {
    name: 'both selectors in two peers are alternatives',
    policies: ingress({ from: [{ namespaceSelector: named('web') }, { podSelector: app('database') }] }),
    allowed: ['front > api tcp/5000', 'back > api tcp/5000', 'database > api tcp/5000'],
    refused: ['metrics > api tcp/5000'],
  },
  {
    name: 'expressions select by absence of a label',
    policies: ingress({
      from: [{ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] } }],
    }),
    allowed: ['metrics > api tcp/5000'],
    refused: ['front > api tcp/5000', 'database > api tcp/5000'],
  },
  {
    name: 'ports are those of the pod behind a Service',
    policies: ingress({ ports: [tcp(5000)] }),
    allowed: ['front > api tcp/5000', 'front > identity tcp/80'],
    refused: ['front > api tcp/5001', 'front > api udp/5000', 'front > identity udp/80'],
  },
  {
    name: 'the port of a Service is not the port of its pods',
    policies: ingress({ ports: [tcp(80)] }),
    allowed: [],
    refused: ['front > identity tcp/80', 'front > api tcp/5000'],
  },
  {
    name: 'a port without a number is every port of its protocol',
    policies: ingress({ ports: [{ protocol: 'UDP' }] }),
    allowed: ['front > api udp/5000', 'front > identity udp/80'],
    refused: ['front > api tcp/5000'],
  },
  {
    name: 'a range of ports includes both ends',
    policies: ingress({ ports: [tcp(5000, 5001)] }),
    allowed: ['front > api tcp/5000', 'front > api tcp/5001'],
    refused: ['front > api tcp/8080', 'front > api udp/5000'],
  },
  {
    name: 'SCTP has ports like the other protocols',
    policies: ingress({ ports: [{ protocol: 'SCTP', port: 9000, endPort: 9005 }] }),
    allowed: ['front > api sctp/9000', 'front > api sctp/9005'],
    refused: ['front > api sctp/9006', 'front > api tcp/9000'],
  },
  {
    name: 'overlapping ranges are alternatives',
    policies: ingress({ ports: [tcp(5000), tcp(4000, 5001), tcp(5001, 6000)] }),
    allowed: ['front > api tcp/5000', 'front > api tcp/5001'],
    refused: ['front > api tcp/8080'],
  },
  {
    name: 'the name of an ingress port is looked up in the selected pod',
    policies: ingress({ ports: [tcp('http')] }),
    allowed: ['front > api tcp/5000', 'front > identity tcp/80'],
    refused: ['front > api tcp/8080', 'front > api tcp/5001'],
  },
  {
    name: 'a name that the pod does not have, or for another protocol, allows nothing',
    policies: ingress({ ports: [tcp('query'), udp('http')] }),
    allowed: [],
    refused: ['front > api tcp/5000', 'front > api tcp/5001', 'front > api udp/5000'],
  },
  {
    name: 'the name of an egress port is looked up in each peer, for its protocol',
    policies: egress({ to: [{ namespaceSelector: named('web') }], ports: [tcp('http'), udp('http')] }),
    allowed: ['api > front tcp/8080', 'api > back tcp/5001', 'api > back udp/5000'],
    refused: [
      'api > front tcp/5001',
      'api > back tcp/8080',
      'api > front udp/5000',
      'api > metrics tcp/5000',
      'api > back tcp/5000',
    ],
  },
  {
    name: 'the name of an egress port to all peers is looked up in every pod',
    policies: egress({ ports: [tcp('query'), tcp('dns-tcp')] }),
    allowed: ['api > database tcp/5001', 'api > dns tcp/53'],
    refused: ['api > back tcp/5001', 'api > dns udp/53'],
  },
  {
    name: 'an ipBlock matches addresses, except some',
    policies: ingress({ from: [{ ipBlock: { cidr: '10.244.0.4/31', except: ['10.244.0.5/32'] } }] }),
    allowed: ['front > api tcp/5000', 'front > identity tcp/80'],
    refused: ['back > api tcp/5000', 'metrics > api tcp/5000'],
  },
  {
    name: 'exceptions of a block do not restrict other peers',
    policies: ingress({
      from: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.244.0.0/24'] } }, { namespaceSelector: named('web') }],
    }),
    allowed: ['front > api tcp/5000', 'back > api tcp/5000'],
    refused: ['database > api tcp/5000', 'metrics > api tcp/5000'],
  },
  {
    name: 'the address of a block may be any in it, and exceptions may overlap',
    policies: ingress({ from: [{ ipBlock: { cidr: '10.244.0.9/24', except: ['10.244.0.4/30', '10.244.0.6/32'] } }] }),
    allowed: ['database > api tcp/5000'],
    refused: ['front > api tcp/5000', 'metrics > api tcp/5000'],
  },
  {
    name: 'the block of all addresses matches all peers',
    policies: ingress({ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [tcp(5000)] }),
    allowed: ['front > api tcp/5000', 'database > identity tcp/80'],
    refused: ['front > api tcp/5001'],
  },
  {
    name: 'a block of IPv6 addresses allows nothing, since pods have none',
    policies: ingress({ from: [{ ipBlock: { cidr: '::/0' } }] }),
    allowed: [],
    refused: ['front > api tcp/5000'],
  },
  {
    name: 'blocks and ports must both match',
    policies: egress({ to: [{ ipBlock: { cidr: '10.244.0.1/32' } }], ports: [tcp(6443)] }),
    allowed: ['api > node tcp/6443'],
    refused: ['api > node tcp/10250', 'api > database tcp/5000', 'api > dns udp/53'],
  },
  {
    name: 'DNS by the labels of its pods',
    policies: egress({
      to: [{ namespaceSelector: named('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      ports: [udp(53), tcp(53)],
    }),
    allowed: ['api > dns udp/53', 'api > dns tcp/53'],
    refused: ['api > node tcp/6443', 'api > database tcp/5000'],
  },
  {
    name: 'DNS is isolated with the pods of its namespace',
    policies: [policy('kube-system', { podSelector: {}, ingress: [{ ports: [udp('dns')] }] })],
    allowed: ['api > dns udp/53', 'node > dns tcp/53', 'front > api tcp/5000'],
    refused: ['api > dns tcp/53'],
  },
  {
    name: 'DNS by its port alone',
    policies: egress({ ports: [udp(53)] }),
    allowed: ['api > dns udp/53'],
    refused: ['api > dns tcp/53', 'api > database udp/5000'],
  },
  {
    name: 'several policies of a pod add up',
    policies: [
      ...ingress({ from: [{ namespaceSelector: named('web') }], ports: [tcp(5000)] }),
      policy(
        'openstack',
        { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress: [{ from: [{ podSelector: {} }] }] },
        'other',
      ),
    ],
    allowed: ['front > api tcp/5000'],
    refused: ['front > api tcp/5001', 'front > database tcp/5000', 'database > api tcp/5000', 'api > front tcp/5000'],
  },
  {
    name: 'the sender’s egress and the receiver’s ingress must both allow',
    policies: [
      ...egress({ to: [{ podSelector: app('database') }, { namespaceSelector: named('web') }] }),
      policy(
        'openstack',
        { podSelector: app('database'), ingress: [{ from: [{ podSelector: app('api') }], ports: [tcp(5001)] }] },
        'database',
      ),
    ],
    allowed: ['api > database tcp/5001', 'api > front tcp/5000'],
    refused: ['api > database tcp/5000', 'front > database tcp/5001', 'api > metrics tcp/5000'],
  },
  {
    name: 'for egress, too, policies apply to the endpoint of a Service',
    policies: [
      policy('web', {
        podSelector: {},
        policyTypes: ['Egress'],
        egress: [{ to: [{ namespaceSelector: named('openstack'), podSelector: app('api') }], ports: [tcp(5000)] }],
      }),
    ],
    allowed: ['front > identity tcp/80', 'back > api tcp/5000', 'metrics > front tcp/5000'],
    refused: ['front > identity udp/80', 'front > database tcp/5000', 'back > front tcp/5000'],
  },
  {
    name: 'a policy in another namespace selects none of these pods',
    policies: [policy('default', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })],
    allowed: ['front > api tcp/5000', 'api > dns udp/53'],
    refused: [],
  },
];
