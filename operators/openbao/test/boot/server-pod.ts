// SPDX-License-Identifier: Apache-2.0
import { ConfigMap, Namespace, Pod, Role, RoleBinding, Secret, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import { certificateAuthority } from '@forge/pki/certificate-authority.ts';
import { issueServerCertificate } from '@forge/pki/issue-certificate.ts';
import type { ProcessCluster } from '@forge/testing/programs/process-cluster.ts';

export const serverName = 'openbao-cluster-demo.local';
export const imageOf = (version: string) => `openbao/openbao:${version}`;
const account = 'server';
const unsealKey = Buffer.alloc(32, 7);

/** What every server of a namespace shares: certificate, key, account. Returns the CA. */
export async function prepareNamespace({ client }: Pick<ProcessCluster, 'client'>, namespace: string): Promise<string> {
  const validity = { now: Date.now(), validDays: 1 };
  const authority = certificateAuthority({ ...validity, name: 'demo' });
  const { cert, key } = issueServerCertificate(authority, {
    ...validity,
    names: [serverName],
    addresses: ['127.0.0.1'],
  });
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(ServiceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: account, namespace },
  });
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tls', namespace },
    data: { 'ca.crt': encoded(authority.cert), 'tls.crt': encoded(cert), 'tls.key': encoded(key) },
  });
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'unseal', namespace },
    data: { key: encoded(unsealKey) },
  });
  const rbac = 'rbac.authorization.k8s.io';
  await client.create(Role, {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: account, namespace },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'patch', 'update'] }],
  });
  await client.create(RoleBinding, {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: account, namespace },
    roleRef: { apiGroup: rbac, kind: 'Role', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
  return authority.cert;
}

const encoded = (text: string | Uint8Array) => Buffer.from(text).toString('base64');

/** Starts a server with this configuration, as the operator will: what differs between pods is in their environment. */
export async function startServer(
  { client }: Pick<ProcessCluster, 'client'>,
  { namespace, name, version, config }: { namespace: string; name: string; version: string; config: string },
): Promise<void> {
  const metadata = { name, namespace };
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'config.hcl': config } });
  const env = {
    BAO_API_ADDR: 'https://127.0.0.1:8200',
    BAO_CLUSTER_ADDR: 'https://127.0.0.1:8201',
    BAO_RAFT_NODE_ID: name,
    BAO_K8S_NAMESPACE: namespace,
    BAO_K8S_POD_NAME: name,
    UNSEAL_KEY: unsealKey.toString('hex'),
  };
  const mounts = {
    config: '/etc/bao/config',
    tls: '/etc/bao/tls',
    unseal: '/etc/bao/unseal',
    data: '/bao/data',
    tmp: '/tmp',
    // The server exits when the folder of its plugins is missing.
    plugins: '/openbao/plugins',
  };
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, labels: { 'openbao.org/cluster': 'demo' } },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      serviceAccountName: account,
      securityContext: { runAsNonRoot: true, runAsUser: 100, runAsGroup: 1000, fsGroup: 1000 },
      containers: [
        {
          name: 'openbao',
          image: imageOf(version),
          args: ['server', '-config=/etc/bao/config/config.hcl'],
          env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
          volumeMounts: Object.entries(mounts).map(([volume, mountPath]) => ({ name: volume, mountPath })),
        },
      ],
      volumes: [
        { name: 'config', configMap: { name } },
        { name: 'tls', secret: { secretName: 'tls', defaultMode: 0o440 } },
        { name: 'unseal', secret: { secretName: 'unseal', defaultMode: 0o440 } },
        { name: 'data', emptyDir: {} },
        { name: 'tmp', emptyDir: {} },
        { name: 'plugins', emptyDir: {} },
      ],
    },
  });
}
