// SPDX-License-Identifier: Apache-2.0
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoFixture } from './openbao-fixture.ts';

const hash = 'e'.repeat(64);

/** An OpenBaoCluster with every part of its spec. */
export const completeCluster = (): OpenBaoCluster =>
  openbaoFixture({
    version: '2.6.2',
    image: 'registry.example.com:5000/openbao/openbao:2.6.2',
    replicas: 5,
    tls: {
      enabled: true,
      mode: 'OperatorManaged',
      rotationPeriod: '1h30m',
      extraSANs: ['bao.example.com', '192.0.2.1'],
    },
    storage: { size: '10Gi', storageClassName: 'fast' },
    service: { type: 'LoadBalancer', annotations: { 'example.com/pool': 'public' } },
    ingress: {
      enabled: true,
      host: 'bao.example.com',
      className: 'nginx',
      path: '/',
      tlsSecretName: 'bao-tls',
      annotations: { 'example.com/backend-protocol': 'HTTPS' },
    },
    network: {
      apiServerCIDR: '10.96.0.0/12',
      apiServerEndpointIPs: ['192.0.2.10', '2001:db8::1'],
      dnsNamespace: 'dns',
      egressRules: [{ to: [{ ipBlock: { cidr: '192.0.2.0/24' } }], ports: [{ protocol: 'TCP', port: 443 }] }],
      ingressRules: [
        { from: [{ namespaceSelector: { matchLabels: { team: 'db' } } }], ports: [{ protocol: 'TCP', port: 8200 }] },
      ],
    },
    config: { log_level: 'debug', disable_cache: 'true', cache_size: '131072', max_lease_ttl: '768h' },
    unseal: {
      type: 'transit',
      credentialsSecretRef: { name: 'seal' },
      transit: { address: 'https://other:8200', keyName: 'unseal', mountPath: 'transit/', disableRenewal: true },
    },
    imageVerification: {
      enabled: true,
      publicKey: '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n',
      failurePolicy: 'Warn',
      ignoreTlog: true,
      imagePullSecrets: [{ name: 'pull' }],
    },
    updateStrategy: {
      type: 'BlueGreen',
      blueGreen: { autoPromote: false, verification: { minSyncDuration: '5m' } },
    },
    upgrade: {
      executorImage: 'c5c3/openbao-executor:0.1.0',
      jwtAuthRole: 'upgrade',
      tokenSecretRef: { name: 'upgrade' },
    },
    backup: {
      schedule: '0 3 * * *',
      executorImage: 'c5c3/openbao-executor:0.1.0',
      jwtAuthRole: 'backup',
      tokenSecretRef: { name: 'backup' },
      preUpgradeSnapshot: true,
      retention: { maxCount: 7, maxAge: '168h' },
      target: {
        endpoint: 'https://s3.example.com',
        bucket: 'snapshots',
        region: 'eu-west-1',
        pathPrefix: 'openbao',
        roleArn: 'arn:aws:iam::123456789012:role/backup',
        credentialsSecretRef: { name: 's3' },
        usePathStyle: true,
        partSize: 5_242_880,
        concurrency: 10,
      },
    },
    deletionPolicy: 'DeletePVCs',
    initContainer: { enabled: true, image: 'example/init:1' },
    audit: [{ type: 'file', path: 'main', description: 'To the log.', file: { filePath: 'stdout', mode: '0600' } }],
    plugins: [
      {
        type: 'secret',
        name: 'nomad',
        command: 'nomad',
        version: 'v0.1.0',
        sha256sum: hash,
        args: ['-v'],
        env: ['A=b'],
      },
      { type: 'auth', name: 'ldap', image: 'example/ldap', version: 'v1', binaryName: 'ldap', sha256sum: hash },
    ],
    telemetry: {
      disableHostname: true,
      prometheusRetentionTime: '24h',
      dogStatsdTags: ['a:b'],
      maximumGaugeCardinality: 100,
    },
  });
