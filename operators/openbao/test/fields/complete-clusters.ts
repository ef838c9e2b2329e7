// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import type { SealType } from '../../api/seals.ts';
import { telemetryFields } from '../../api/telemetry.ts';
import { completeCluster } from '../complete-cluster.ts';
import { completeSeals } from '../complete-seals.ts';
import { openbaoFixture } from '../openbao-fixture.ts';
import { sealCredentials } from './live-cluster.ts';

type Spec = OpenBaoCluster['spec'];

const selector = {
  matchLabels: { team: 'vault' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['backend'] }],
};

const peers = [
  { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
  { namespaceSelector: selector, podSelector: selector },
];

const ports = [{ protocol: 'UDP', port: 8080, endPort: 8090 }];

const audit: Spec['audit'] = [
  { type: 'file', path: 'file', description: 'To the log.', file: { filePath: 'stdout', mode: '0600' } },
  { type: 'http', path: 'http', http: { uri: 'https://log.example.com', headers: { 'X-Team': ['vault'] } } },
  { type: 'syslog', path: 'syslog', syslog: { facility: 'LOCAL0', tag: 'bao' } },
  { type: 'socket', path: 'socket', socket: { address: 'log:514', socketType: 'udp', writeTimeout: '2s' } },
  { type: 'file', path: 'options', options: { file_path: 'stdout' } },
];

const samples = { bool: true, int: 100, texts: ['a:b'] };

const telemetry = Object.fromEntries(
  Object.entries(telemetryFields).map(([name, field]) => [
    name,
    name === 'prefixFilter' ? ['+vault.token'] : 'type' in field ? samples[field.type] : '10s',
  ]),
) as NonNullable<Spec['telemetry']>;

const { spec } = completeCluster();

const parts = (...names: readonly (keyof Spec)[]) =>
  Object.fromEntries(names.map((name) => [name, spec[name]])) as Partial<Spec>;

const acme = (names: object): Spec['tls'] => ({
  enabled: true,
  mode: 'ACME',
  acme: { directoryURL: 'https://acme/dir', email: 'a@example.com', ...names },
});

/** What is not issued costs nothing: for clusters that are about something else. */
const elsewhere = acme({ domains: ['bao.example.com', 'vault.example.com'] });

const sealedBy = (type: SealType) =>
  // Of the last version that has all of them built in.
  openbaoFixture({ version: '2.6.2', tls: elsewhere, unseal: { type, ...completeSeals[type].unseal } });

const { static: staticSeal, transit, ...otherSeals } = completeSeals;

/** OpenBaoClusters that have every field between them, each a part of them: a change of a small object costs less. */
export const completeClusters: Readonly<Record<string, OpenBaoCluster>> = {
  'certificates of the operator': openbaoFixture({ unseal: { type: 'static', ...staticSeal.unseal } }),
  'further names in certificates': openbaoFixture(parts('tls')),
  'one name from an ACME server': openbaoFixture({ tls: acme({ domain: 'bao.example.com' }) }),
  'several names from an ACME server': openbaoFixture({ ...parts('storage', 'config'), tls: elsewhere }),
  'exposure, and a seal with credentials': openbaoFixture({
    ...parts('image', 'replicas', 'service', 'ingress', 'deletionPolicy', 'initContainer'),
    tls: elsewhere,
    network: {
      ...spec.network,
      dnsNamespace: 'dns',
      egressRules: [{ to: peers, ports }],
      ingressRules: [{ from: peers, ports }],
    },
    unseal: { type: 'transit', credentialsSecretRef: { name: sealCredentials }, ...transit.unseal },
  }),
  'audit devices and plugins': openbaoFixture({ ...parts('plugins'), tls: elsewhere, audit }),
  telemetry: openbaoFixture({ tls: elsewhere, telemetry }),
  operations: openbaoFixture({
    ...parts('updateStrategy', 'upgrade', 'backup', 'imageVerification'),
    tls: elsewhere,
  }),
  ...Object.fromEntries((Object.keys(otherSeals) as SealType[]).map((type) => [`seal ${type}`, sealedBy(type)])),
};
