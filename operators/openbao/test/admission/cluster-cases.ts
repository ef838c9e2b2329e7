// SPDX-License-Identifier: Apache-2.0
import { at, spec, type AdmissionCase } from './admission-case.ts';

const acme = { directoryURL: 'https://acme/dir', domain: 'bao.example.com' };
const nameShape = 'metadata.name must have only lower-case letters, digits and -';
const blueGreen = (upgrade: object) => spec({ updateStrategy: { type: 'BlueGreen' }, upgrade });
const verification = (change: object) => spec({ imageVerification: { enabled: true, ...change } });
const publicKey = '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n';

const durationCases = ['0s', '4380h1s', '1 year', '-1h', '0h0m', '99999999h'].map((value): AdmissionCase => ({
  name: `spec.tls.rotationPeriod "${value}"`,
  change: at('tls.rotationPeriod', value),
  corrected: at('tls.rotationPeriod', '4380h'),
  schema: [
    'spec.tls.rotationPeriod',
    'must be a duration such as 720h, 1h30m or 30s, greater than 0 and at most 4380h',
  ],
}));

const hostCases = [
  ['bäo.example.com', 'bao.example.com'],
  ['https://bao', 'bao'],
  ['a.*.b', '*.a.b'],
  ['a..b', 'a.b'],
  ['fe80::1%eth0', '2001:db8::1'],
].map(([host, corrected]): AdmissionCase => ({
  name: `"${host}" in the certificate`,
  change: at('tls.extraSANs', [host]),
  corrected: at('tls.extraSANs', [corrected]),
  schema: ['spec.tls.extraSANs[0]', 'must be a DNS name such as bao.example.com or *.example.com, or an IP address'],
}));

const nameCases = ['1st', 'a.b', 'Demo', 'demo-'].map((name): AdmissionCase => ({
  name: `the name "${name}"`,
  change: { metadata: { name } },
  corrected: { metadata: { name: 'demo-1' } },
  schema: name === '1st' || name === 'a.b' ? ['', nameShape] : ['metadata.name', 'a lowercase RFC 1123 subdomain'],
}));

const objectShape = 'must be the name of an object: lower-case letters, digits, - and .';

const referenceCases = [
  ['spec.storage.storageClassName', (name: string) => at('storage.storageClassName', name)],
  ['spec.unseal.credentialsSecretRef.name', (name: string) => at('unseal.credentialsSecretRef', { name })],
  [
    'spec.imageVerification.imagePullSecrets[0].name',
    (name: string) => verification({ publicKey, imagePullSecrets: [{ name }] }),
  ],
  ['spec.upgrade.tokenSecretRef.name', (name: string) => at('upgrade.tokenSecretRef', { name })],
] as const;

/** Names, certificates, storage, upgrades and images. */
export const clusterCases: readonly AdmissionCase[] = [
  {
    name: 'a name of 36 characters',
    change: { metadata: { name: 'n'.repeat(36) } },
    corrected: { metadata: { name: 'n'.repeat(35) } },
    schema: ['', 'metadata.name must be at most 35 characters'],
  },
  ...nameCases,
  {
    name: 'no version',
    change: at('version', ''),
    corrected: at('version', 'v2.7.2'),
    schema: ['spec.version', 'should be at least 1 chars long'],
  },
  {
    name: 'no replicas',
    change: at('replicas', 0),
    corrected: at('replicas', 1),
    schema: ['spec.replicas', 'should be greater than or equal to 1'],
  },
  {
    name: 'no TLS',
    change: at('tls.enabled', false),
    corrected: at('tls.enabled', true),
    schema: ['spec.tls.enabled', 'spec.tls.enabled must be true'],
  },
  {
    name: 'certificates of the operator without a rotation period',
    change: at('tls.rotationPeriod', null),
    corrected: spec({ tls: { mode: 'External', rotationPeriod: null } }),
    schema: ['spec.tls.rotationPeriod', 'spec.tls.rotationPeriod is required when spec.tls.mode is OperatorManaged'],
  },
  ...durationCases,
  {
    name: 'ACME without a server',
    change: at('tls.mode', 'ACME'),
    corrected: at('tls', { mode: 'ACME', acme }),
    schema: ['spec.tls.acme', 'spec.tls.acme is required when spec.tls.mode is ACME'],
  },
  {
    name: 'ACME without a name',
    change: at('tls', { mode: 'ACME', acme: { directoryURL: 'https://acme/dir' } }),
    corrected: at('tls', { mode: 'ACME', acme: { directoryURL: 'https://acme/dir', domains: ['a', 'b'] } }),
    schema: ['spec.tls.acme.domain', 'spec.tls.acme needs exactly one of domain and domains'],
  },
  {
    name: 'ACME with two lists of names',
    change: at('tls', { mode: 'ACME', acme: { ...acme, domains: ['a'] } }),
    corrected: at('tls', { mode: 'ACME', acme }),
    schema: ['spec.tls.acme.domain', 'spec.tls.acme needs exactly one of domain and domains'],
  },
  {
    name: 'a change to ACME',
    before: {},
    change: at('tls', { mode: 'ACME', acme }),
    corrected: at('tls.mode', 'External'),
    schema: ['spec.tls.mode', 'spec.tls.mode cannot be changed from or to ACME'],
  },
  {
    name: 'a change from ACME',
    before: at('tls', { mode: 'ACME', acme }),
    change: at('tls.mode', 'External'),
    corrected: at('tls.acme.domain', 'other.example.com'),
    schema: ['spec.tls.mode', 'spec.tls.mode cannot be changed from or to ACME'],
  },
  {
    name: 'a size that is none',
    change: at('storage.size', 'much'),
    corrected: at('storage.size', '1.5Gi'),
    schema: ['spec.storage.size', 'must be a quantity greater than 0, for example 10Gi'],
  },
  {
    name: 'a negative size',
    change: at('storage.size', '-1Gi'),
    corrected: at('storage.size', '1Gi'),
    schema: ['spec.storage.size', 'must be a quantity greater than 0, for example 10Gi'],
  },
  {
    name: 'another size once initialised',
    initialised: true,
    before: {},
    change: at('storage.size', '2Gi'),
    corrected: at('replicas', 5),
    schema: ['spec.storage.size', 'spec.storage.size cannot be changed once the cluster is initialised'],
    policy:
      'spec.storage.size cannot be changed once the cluster is initialised: its volumes cannot follow; restore the former value',
  },
  {
    name: 'another StorageClass once initialised',
    initialised: true,
    before: {},
    change: at('storage.storageClassName', 'fast'),
    corrected: at('replicas', 5),
    schema: [
      'spec.storage.storageClassName',
      'spec.storage.storageClassName cannot be changed once the cluster is initialised',
    ],
    policy:
      'spec.storage.storageClassName cannot be changed once the cluster is initialised: its volumes cannot follow; restore the former value',
  },
  {
    name: 'another strategy of upgrades',
    before: {},
    change: blueGreen({ executorImage: 'e', jwtAuthRole: 'r' }),
    corrected: at('updateStrategy.type', 'RollingUpdate'),
    schema: ['spec.updateStrategy.type', 'spec.updateStrategy.type is immutable'],
  },
  {
    name: 'blue/green without an executor',
    change: blueGreen({ jwtAuthRole: 'r' }),
    corrected: blueGreen({ executorImage: 'e', jwtAuthRole: 'r' }),
    schema: [
      'spec.upgrade.executorImage',
      'spec.upgrade.executorImage is required when spec.updateStrategy.type is BlueGreen',
    ],
  },
  {
    name: 'blue/green without credentials',
    change: blueGreen({ executorImage: 'e' }),
    corrected: blueGreen({ executorImage: 'e', tokenSecretRef: { name: 't' } }),
    schema: ['spec.upgrade.jwtAuthRole', 'spec.upgrade needs jwtAuthRole or tokenSecretRef'],
  },
  {
    name: 'new pods that are in sync for no time',
    change: at('updateStrategy.blueGreen', { verification: { minSyncDuration: '0s' } }),
    corrected: at('updateStrategy.blueGreen', { verification: { minSyncDuration: '500ms' } }),
    schema: [
      'spec.updateStrategy.blueGreen.verification.minSyncDuration',
      'must be a duration such as 720h, 1h30m or 30s, greater than 0',
    ],
  },
  {
    name: 'verification without a key',
    change: verification({}),
    corrected: verification({ publicKey }),
    schema: [
      'spec.imageVerification',
      'spec.imageVerification.publicKey is required when image verification is enabled',
    ],
  },
  {
    name: 'a key that is none',
    change: verification({ publicKey: 'cosign.pub' }),
    corrected: verification({ publicKey }),
    schema: ['spec.imageVerification.publicKey', 'which begins with -----BEGIN PUBLIC KEY-----'],
  },
  ...hostCases,
  ...referenceCases.map(([field, change]): AdmissionCase => ({
    name: `${field} "No_Name"`,
    change: change('No_Name'),
    corrected: change('no-name.1'),
    schema: [field, objectShape],
  })),
  {
    name: 'a name in place of a namespace',
    change: at('network.dnsNamespace', 'kube.system'),
    corrected: at('network.dnsNamespace', 'kube-system'),
    schema: ['spec.network.dnsNamespace', 'must be the name of a namespace: at most 63 lower-case letters'],
  },
  {
    name: 'a deletion policy that nobody knows',
    change: at('deletionPolicy', 'Delete'),
    corrected: at('deletionPolicy', 'DeleteAll'),
    schema: ['spec.deletionPolicy', 'Unsupported value: "Delete"'],
  },
  {
    name: 'a network without a length',
    change: at('network.apiServerCIDR', '10.96.0.0'),
    corrected: at('network.apiServerCIDR', '10.96.0.0/12'),
    schema: ['spec.network.apiServerCIDR', 'must be a range of addresses such as 10.96.0.0/12'],
  },
  {
    name: 'a name in place of an address',
    change: at('network.apiServerEndpointIPs', ['kubernetes']),
    corrected: at('network.apiServerEndpointIPs', ['192.0.2.1']),
    schema: ['spec.network.apiServerEndpointIPs[0]', 'must be an IP address such as 10.0.0.1'],
  },
];
