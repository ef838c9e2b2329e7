// SPDX-License-Identifier: Apache-2.0
import type { Container } from '@forge/kube/generated/types.ts';
import type { Secret, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';

/** The label that all pods of servers have, with the value `mariadb`. */
export const serverLabel = 'app.kubernetes.io/name';
/** The label with the name of their MariaDB. */
export const instanceLabel = 'app.kubernetes.io/instance';

/** The labels of a server's pods; other objects of the operator have none. */
function labelsOf({ metadata }: MariaDB): Record<string, string> {
  return { [instanceLabel]: metadata.name, [serverLabel]: 'mariadb' };
}

function metadataOf({ metadata }: MariaDB, name: string) {
  return { name, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
}

function ownedMetadata(mariadb: MariaDB, name: string) {
  return { ...metadataOf(mariadb, name), ownerReferences: [controllerReference(mariadb)] };
}

/** The Secret with the password of root; it has no owner, so that it is retained like the volumes. */
export function rootSecret(mariadb: MariaDB, name: string, random: Random): Secret {
  const key = mariadb.spec.rootPasswordSecretKeyRef?.key ?? 'password';
  const password = Buffer.from(random.bytes(12)).toString('hex');
  const data = { [key]: Buffer.from(password).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(mariadb, name), data };
}

/**
 * The Services of a MariaDB: one for clients, one with the names of all pods, and with several servers one for the
 * primary and one for the others. Servers do not replicate here, so that all clients must reach the first pod.
 */
export function serverServices(mariadb: MariaDB): Service[] {
  const { name } = mariadb.metadata;
  const port = mariadb.spec.port ?? 3306;
  const first = { ...labelsOf(mariadb), 'statefulset.kubernetes.io/pod-name': `${name}-0` };
  const isSeveral = (mariadb.spec.replicas ?? 1) > 1;
  const service = (suffix: string, spec: Service['spec'] = {}): Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: ownedMetadata(mariadb, `${name}${suffix}`),
    spec: { selector: labelsOf(mariadb), ports: [{ name: 'mariadb', port }], ...spec },
  });
  const internal = service('-internal', { clusterIP: 'None', publishNotReadyAddresses: true });
  if (!isSeveral) return [service(''), internal];
  return [service('', { selector: first }), internal, service('-primary', { selector: first }), service('-secondary')];
}

const dataVolume = 'storage';

/** The StatefulSet whose pods are the server. */
export function serverSet(mariadb: MariaDB): StatefulSet {
  const { name } = mariadb.metadata;
  const labels = labelsOf(mariadb);
  const { replicas = 1, storage, updateStrategy } = mariadb.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: ownedMetadata(mariadb, name),
    spec: {
      replicas,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: updateStrategy?.type === 'RollingUpdate' ? 'RollingUpdate' : 'OnDelete' },
      serviceName: `${name}-internal`,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [serverContainer(mariadb)] } },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: dataVolume },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: storage?.size ?? '1Gi' } } },
        },
      ],
    },
  };
}

function serverContainer({ spec }: MariaDB): Container {
  const { image = '', port = 3306, rootEmptyPassword, rootPasswordSecretKeyRef: root } = spec;
  const password =
    rootEmptyPassword === true
      ? { name: 'MARIADB_ALLOW_EMPTY_ROOT_PASSWORD', value: 'yes' }
      : {
          name: 'MARIADB_ROOT_PASSWORD',
          valueFrom: { secretKeyRef: { name: root?.name ?? '', key: root?.key ?? 'password' } },
        };
  return {
    name: 'mariadb',
    image,
    args: ['mariadbd', `--port=${port}`],
    env: [password],
    ports: [{ name: 'mariadb', containerPort: port }],
    volumeMounts: [{ name: dataVolume, mountPath: '/var/lib/mysql' }],
    readinessProbe: { tcpSocket: { port: 'mariadb' }, periodSeconds: 1 },
  };
}
