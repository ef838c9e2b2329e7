// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { Namespace, Pod, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { sealTypes } from '../api/seals.ts';
import { completeSeals } from '../test/complete-seals.ts';
import { labels, serverLabels } from '../test/expected-labels.ts';
import { openbaoFixture } from '../test/openbao-fixture.ts';
import { serverStatefulSet } from './stateful-set.ts';

type Spec = OpenBaoCluster['spec'];
type Inputs = Parameters<typeof serverStatefulSet>[1];

const inputs: Inputs = {
  image: 'openbao/openbao:2.7.2',
  replicas: 3,
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  configHash: 'abc',
  fingerprint: 'def',
  sealHasAuthority: false,
};
const acme = { directoryURL: 'https://acme.example.com/directory', domains: ['bao.example.com', 'bao.example.net'] };
const withAcme = { tls: { enabled: true, mode: 'ACME', acme } } as const;

const setOf = (spec: Partial<Spec> = {}, change: Partial<Inputs> = {}) =>
  serverStatefulSet(openbaoFixture(spec), { ...inputs, ...change });
function podOf(spec: Partial<Spec> = {}, change: Partial<Inputs> = {}) {
  const pod = setOf(spec, change).spec?.template.spec;
  const [container] = pod?.containers ?? [];
  assert.ok(pod !== undefined && container !== undefined);
  const volume = (name: string) => pod.volumes?.find((each) => each.name === name);
  return { ...container, pod, volume, mounted: container.volumeMounts?.map(({ mountPath }) => mountPath) };
}

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
const ownEnvironment = [
  field('HOSTNAME', 'metadata.name'),
  field('BAO_K8S_POD_NAME', 'metadata.name'),
  field('BAO_K8S_NAMESPACE', 'metadata.namespace'),
  field('POD_IP', 'status.podIP'),
  { name: 'BAO_API_ADDR', value: 'https://$(HOSTNAME).demo.default.svc:8200' },
  { name: 'BAO_CLUSTER_ADDR', value: 'https://$(HOSTNAME).demo.default.svc:8201' },
  { name: 'BAO_RAFT_NODE_ID', value: '$(HOSTNAME)' },
  { name: 'UMASK', value: '0077' },
];
const health = (query: string) => ({
  httpGet: { scheme: 'HTTPS', port: 8200, path: `/v1/sys/health?standbyok=true${query}` },
});
const mount = (name: string, mountPath: string) => ({ name, mountPath, readOnly: true });
const serverSecret = { name: 'tls', secret: { secretName: 'demo-tls-server', defaultMode: 0o440 } };
const unsealSecret = { name: 'unseal', secret: { secretName: 'demo-unseal-key', defaultMode: 0o440 } };

describe('the StatefulSet', () => {
  test('as a whole', () => {
    assert.deepEqual(setOf(), {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'demo', labels },
      spec: {
        serviceName: 'demo',
        replicas: 3,
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
        selector: { matchLabels: serverLabels },
        template: {
          metadata: { labels: serverLabels, annotations: { 'openbao.org/config-hash': 'abc' } },
          spec: {
            serviceAccountName: 'demo-serviceaccount',
            automountServiceAccountToken: false,
            shareProcessNamespace: false,
            terminationGracePeriodSeconds: 30,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 100,
              runAsGroup: 1000,
              fsGroup: 1000,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            affinity: {
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    weight: 100,
                    podAffinityTerm: {
                      topologyKey: 'kubernetes.io/hostname',
                      labelSelector: { matchLabels: serverLabels },
                    },
                  },
                ],
              },
            },
            containers: [
              {
                name: 'openbao',
                image: 'openbao/openbao:2.7.2',
                command: ['/etc/bao/config/wrapper.sh'],
                args: ['-watch-file=/etc/bao/tls/tls.crt', '--', 'bao', 'server', '-config=/etc/bao/config/config.hcl'],
                env: ownEnvironment,
                ports: [
                  { name: 'api', containerPort: 8200, protocol: 'TCP' },
                  { name: 'cluster', containerPort: 8201, protocol: 'TCP' },
                ],
                startupProbe: {
                  ...health('&sealedcode=204&uninitcode=204'),
                  timeoutSeconds: 10,
                  periodSeconds: 5,
                  failureThreshold: 60,
                },
                livenessProbe: {
                  ...health('&sealedcode=204&uninitcode=204'),
                  timeoutSeconds: 5,
                  periodSeconds: 10,
                  failureThreshold: 6,
                },
                readinessProbe: {
                  ...health(''),
                  timeoutSeconds: 10,
                  periodSeconds: 10,
                  failureThreshold: 6,
                  initialDelaySeconds: 5,
                },
                securityContext: {
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: ['ALL'] },
                  readOnlyRootFilesystem: true,
                },
                terminationMessagePolicy: 'FallbackToLogsOnError',
                volumeMounts: [
                  { name: 'data', mountPath: '/bao/data' },
                  mount('config', '/etc/bao/config'),
                  { name: 'tmp', mountPath: '/tmp' },
                  { name: 'plugins', mountPath: '/openbao/plugins' },
                  mount('kube-api-access', '/var/run/secrets/kubernetes.io/serviceaccount'),
                  mount('tls', '/etc/bao/tls'),
                  mount('unseal', '/etc/bao/unseal'),
                ],
              },
            ],
            volumes: [
              {
                name: 'config',
                configMap: {
                  name: 'demo-config',
                  items: [
                    { key: 'config-abc.hcl', path: 'config.hcl' },
                    { key: 'wrapper.sh', path: 'wrapper.sh', mode: 0o555 },
                  ],
                },
              },
              { name: 'tmp', emptyDir: {} },
              { name: 'plugins', emptyDir: {} },
              {
                name: 'kube-api-access',
                projected: {
                  defaultMode: 0o440,
                  sources: [
                    { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
                    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
                    {
                      downwardAPI: {
                        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
                      },
                    },
                  ],
                },
              },
              serverSecret,
              unsealSecret,
            ],
          },
        },
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'data', labels, annotations: { 'openbao.org/unseal-key-fingerprint': 'def' } },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '1Gi' } },
              volumeMode: 'Filesystem',
            },
            status: { phase: 'Pending' },
          },
        ],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
    });
  });

  test('has claims of the class that the spec names, and no fingerprint for a seal without a key', () => {
    for (const [storageClassName, wanted] of [
      ['fast', 'fast'],
      ['', undefined],
    ] as const) {
      const { spec } = setOf({ storage: { size: '2Gi', storageClassName } }, { fingerprint: undefined });
      const [claim] = spec?.volumeClaimTemplates ?? [];
      assert.equal(claim?.spec?.storageClassName, wanted);
      assert.equal(claim?.spec?.resources?.requests?.['storage'], '2Gi');
      assert.deepEqual(claim.metadata, { name: 'data', labels });
    }
  });

  test('serves certificates of somebody else as it does those of the operator', () => {
    assert.deepEqual(setOf({ tls: { enabled: true, mode: 'External' } }), setOf());
  });
});

describe('the pod of a server with ACME', () => {
  test('starts the server, and has no certificate to watch but perhaps a CA to trust', () => {
    const { command, args, env, volume, mounted } = podOf(withAcme);
    assert.deepEqual([command, args], [['bao'], ['server', '-config=/etc/bao/config/config.hcl']]);
    assert.deepEqual(volume('tls')?.secret, {
      secretName: 'demo-tls-ca',
      optional: true,
      defaultMode: 0o440,
      items: [{ key: 'ca.crt', path: 'ca.crt' }],
    });
    const trusted = { name: 'SSL_CERT_DIR', value: '/etc/ssl/certs:/etc/bao/tls' };
    assert.deepEqual(env, [...ownEnvironment.slice(0, -1), trusted]);
    assert.deepEqual(mounted, podOf().mounted);
  });

  test('is asked with the name that it has a certificate for, and does not end for being sealed', () => {
    const { startupProbe, livenessProbe, readinessProbe } = podOf(withAcme);
    const times = [startupProbe, livenessProbe, readinessProbe].map((probe) => ({ ...probe, exec: 0, httpGet: 0 }));
    const usual = podOf();
    assert.deepEqual(
      times,
      [usual.startupProbe, usual.livenessProbe, usual.readinessProbe].map((probe) => ({
        ...probe,
        exec: 0,
        httpGet: 0,
      })),
    );
    const status = ['-address=https://127.0.0.1:8200', '-tls-server-name=bao.example.com', '-tls-skip-verify'];
    assert.deepEqual(readinessProbe?.exec?.command, ['bao', 'status', ...status]);
    assert.deepEqual(livenessProbe?.exec, startupProbe?.exec);
    const [shell, flag, script, ...rest] = livenessProbe?.exec?.command ?? [];
    assert.deepEqual([shell, flag, ...rest], ['sh', '-c', 'sh', 'bao', 'status', ...status]);
    // The codes of bao status: unsealed, error, sealed or not initialised; and of sh: not found.
    for (const [code, isAlive] of [
      [0, true],
      [1, false],
      [2, true],
      [127, false],
    ] as const) {
      const { status: result, stdout } = spawnSync('sh', [
        '-c',
        script ?? '',
        'sh',
        'sh',
        '-c',
        `echo x; exit ${code}`,
      ]);
      assert.deepEqual([result === 0, stdout.toString()], [isAlive, ''], `code ${code}`);
    }
  });
});

const fromSecret = (name: string, key = name) => ({
  name,
  valueFrom: { secretKeyRef: { name: 'seal', key, optional: true } },
});

describe('the seal of a server', () => {
  const same = (...names: string[]) => names.map((name) => fromSecret(name));
  const environments = {
    static: [],
    transit: [fromSecret('VAULT_TOKEN', 'token')],
    awskms: same('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'),
    azurekeyvault: same(
      'AZURE_TENANT_ID',
      'AZURE_CLIENT_ID',
      'AZURE_CLIENT_SECRET',
      'AZURE_ENVIRONMENT',
      'AZURE_AD_RESOURCE',
    ),
    gcpckms: [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: '/etc/bao/seal-creds/credentials.json' }],
    kmip: [],
    ocikms: [],
    pkcs11: same('BAO_HSM_PIN'),
  };
  const credentialsSecretRef = { name: 'seal' };

  for (const type of sealTypes) {
    const unseal = { type, ...completeSeals[type].unseal };
    test(`${type} finds its credentials`, () => {
      const { env, volume, mounted } = podOf({ unseal: { ...unseal, credentialsSecretRef } });
      assert.deepEqual(env?.slice(ownEnvironment.length), environments[type]);
      const isStatic = type === 'static';
      const credentials = { name: 'seal-creds', secret: { secretName: 'seal', defaultMode: 0o440 } };
      assert.deepEqual(volume('seal-creds'), isStatic ? undefined : credentials);
      assert.equal(mounted?.includes('/etc/bao/seal-creds'), !isStatic);
      assert.deepEqual(volume('unseal'), isStatic ? unsealSecret : undefined);
    });

    test(`${type} does without a Secret`, () => {
      const { env, volume } = podOf({ unseal }, { sealHasAuthority: true });
      assert.deepEqual([env, volume('seal-creds')], [ownEnvironment, undefined]);
    });
  }

  test('transit trusts the CA in its Secret, if there is one', () => {
    const unseal = { type: 'transit', ...completeSeals.transit.unseal, credentialsSecretRef } as const;
    const { env } = podOf({ unseal }, { sealHasAuthority: true });
    assert.deepEqual(env?.at(-1), { name: 'VAULT_CACERT', value: '/etc/bao/seal-creds/ca.crt' });
  });
});

test('pods of every kind are admitted where only restricted ones are', async () => {
  await using cluster = await testCluster({ controllers: false });
  const namespace = 'restricted';
  const security = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const identity = { name: namespace, labels: security };
  await cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: identity });
  const account = { name: 'demo-serviceaccount', namespace };
  await cluster.client.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const transit = { type: 'transit', ...completeSeals.transit.unseal, credentialsSecretRef: { name: 'seal' } } as const;
  for (const [index, spec] of [{}, withAcme, { unseal: transit }].entries()) {
    const { metadata, spec: pod } = setOf(spec).spec?.template ?? {};
    assert.ok(pod !== undefined);
    const volumes = [...(pod.volumes ?? []), { name: 'data', persistentVolumeClaim: { claimName: 'data-demo-0' } }];
    const create = async (over: object) =>
      await cluster.client.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, name: `demo-${index}`, namespace },
        spec: { ...pod, volumes, ...over },
      });
    await assert.rejects(create({ securityContext: {} }), /violates PodSecurity "restricted/);
    await create({});
  }
});
