// SPDX-License-Identifier: Apache-2.0
import {
  ClusterRoleBinding,
  ConfigMap,
  Namespace,
  Secret,
  Service,
  ServiceAccount,
  StatefulSet,
} from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

/** The names and addresses of the OpenBao of a local cluster. */
export const openbao = {
  namespace: 'openbao-system',
  name: 'openbao',
  address: 'https://openbao.openbao-system.svc:8200',
  image: 'openbao/openbao:2.7.2',
  /** The names in its certificate. */
  hosts: [
    'openbao.openbao-system.svc',
    'openbao.openbao-system.svc.cluster.local',
    'openbao.openbao-system',
    'openbao',
  ],
  /** The Secret with its certificate, and the key of the authority in it. */
  tls: { name: 'openbao-tls', ca: 'ca.crt' },
  /** The volume of its only pod. */
  claim: 'data-openbao-0',
} as const;

/** The ServiceAccount that External Secrets logs in with. */
export const secretsReader = { namespace: 'external-secrets', name: 'external-secrets' } as const;

/** The secrets that its pod mounts. */
export interface OpenBaoSecrets {
  sealKey: string;
  ca: string;
  cert: string;
  key: string;
}

const paths = { config: '/openbao/config', seal: '/openbao/seal', tls: '/openbao/tls', data: '/openbao/file' };
const port = 8200;
const labels = { 'app.kubernetes.io/name': openbao.name };

/** One node with Raft storage; it unseals itself with a key from a Secret. */
const configuration = `api_addr = "${openbao.address}"
cluster_addr = "https://127.0.0.1:8201"

listener "tcp" {
  address       = "0.0.0.0:${port}"
  tls_cert_file = "${paths.tls}/tls.crt"
  tls_key_file  = "${paths.tls}/tls.key"
}

storage "raft" {
  path                   = "${paths.data}"
  node_id                = "openbao-0"
  performance_multiplier = 1
}

seal "static" {
  current_key_id = "forge"
  current_key    = "file://${paths.seal}/key"
}
`;

/** An object to apply, with its kind. */
interface Applied {
  kind: Kind;
  object: KubeObject;
}

/** The objects of OpenBao, in the order in which they are applied. */
export function openbaoObjects({ sealKey, ca, cert, key }: OpenBaoSecrets): Applied[] {
  const tls = { [openbao.tls.ca]: ca, 'tls.crt': cert, 'tls.key': key };
  return [
    applied(Namespace, { metadata: { name: openbao.namespace } }),
    applied(Namespace, { metadata: { name: secretsReader.namespace } }),
    applied(ServiceAccount, { metadata: { ...secretsReader } }),
    applied(ServiceAccount, { metadata: named(openbao.name) }),
    // It validates the tokens of logins by TokenReviews.
    applied(ClusterRoleBinding, {
      metadata: { name: 'openbao-auth-delegator' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
      subjects: [{ kind: 'ServiceAccount', namespace: openbao.namespace, name: openbao.name }],
    }),
    applied(Secret, { metadata: named(openbao.tls.name), type: 'kubernetes.io/tls', data: encoded(tls) }),
    applied(Secret, { metadata: named('openbao-seal'), data: encoded({ key: sealKey }) }),
    applied(ConfigMap, { metadata: named('openbao-config'), data: { 'config.hcl': configuration } }),
    applied(Service, { metadata: named(openbao.name), spec: { selector: labels, ports: [{ name: 'api', port }] } }),
    applied(StatefulSet, { metadata: named(openbao.name), spec: serverSet() }),
  ];
}

function serverSet(): NonNullable<StatefulSet['spec']> {
  const user = 100;
  const group = 1000;
  return {
    replicas: 1,
    serviceName: openbao.name,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: openbao.name,
        securityContext: { runAsNonRoot: true, runAsUser: user, runAsGroup: group, fsGroup: group },
        containers: [
          {
            name: openbao.name,
            image: openbao.image,
            args: ['server', `-config=${paths.config}/config.hcl`],
            ports: [{ name: 'api', containerPort: port }],
            // Ready before it is initialised: the initialisation also uses the Service.
            readinessProbe: {
              httpGet: { scheme: 'HTTPS', port, path: '/v1/sys/health?uninitcode=200&standbyok=true' },
              periodSeconds: 1,
            },
            volumeMounts: [
              { name: 'config', mountPath: paths.config, readOnly: true },
              { name: 'seal', mountPath: paths.seal, readOnly: true },
              { name: 'tls', mountPath: paths.tls, readOnly: true },
              { name: 'data', mountPath: paths.data },
            ],
          },
        ],
        volumes: [
          { name: 'config', configMap: { name: 'openbao-config' } },
          { name: 'seal', secret: { secretName: 'openbao-seal', defaultMode: 0o440 } },
          { name: 'tls', secret: { secretName: openbao.tls.name, defaultMode: 0o440 } },
        ],
      },
    },
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  };
}

function named(name: string) {
  return { namespace: openbao.namespace, name };
}

function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}

function applied<T extends KubeObject>(kind: Kind<T>, object: Omit<T, 'apiVersion' | 'kind'>): Applied {
  return { kind, object: { apiVersion: kind.apiVersion, kind: kind.kind, ...object } };
}
