// SPDX-License-Identifier: Apache-2.0
import type { EnvVar, PodTemplateSpec, SecurityContext, Volume, VolumeMount } from '@forge/kube/generated/types.ts';
import type { Keystone } from '../keystone.ts';
import { jobPodLabels, namesOf } from '../names.ts';

/** User and group of every Keystone process. */
const openstackId = 42424;

/** Key files are readable by the openstack group alone. */
export const podSecurityContext = { fsGroup: openstackId };

/** What the restricted Pod Security Standard asks of a container, and a read-only root on top. */
export const restrictedSecurityContext: SecurityContext = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: openstackId,
  runAsGroup: openstackId,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** Image of every Keystone container. */
export const imageOf = ({ spec: { image } }: Keystone) => `${image.repository}:${image.tag}`;

/** oslo.config lays this variable over the placeholder in keystone.conf, so the password stands in no file. */
export const dbConnectionEnv = (keystone: Keystone): EnvVar => ({
  name: 'OS_DATABASE__CONNECTION',
  valueFrom: { secretKeyRef: { name: namesOf(keystone).dbConnection, key: 'connection' } },
});

/** keystone.conf retries for ever; a Job that did so would run for ever on a wrong address, as a container reads it once. */
const boundedRetriesEnv: EnvVar = { name: 'OS_DATABASE__MAX_RETRIES', value: '10' };

/** A volume and where it is mounted, read-only. */
export interface Mounted {
  volume: Volume;
  mount: VolumeMount;
}

/** Where keystone.conf and its companions are mounted. */
export const configDir = '/etc/keystone/keystone.conf.d/';

export const configMount = (configMap: string): Mounted => ({
  volume: { name: 'config', configMap: { name: configMap } },
  mount: { name: 'config', mountPath: configDir, readOnly: true },
});

export const fernetKeysMount = (keystone: Keystone): Mounted =>
  keysMount('fernet-keys', namesOf(keystone).fernetKeys, '/etc/keystone/fernet-keys/');

export const credentialKeysMount = (keystone: Keystone): Mounted =>
  keysMount('credential-keys', namesOf(keystone).credentialKeys, '/etc/keystone/credential-keys/');

function keysMount(name: string, secretName: string, mountPath: string): Mounted {
  return {
    volume: { name, secret: { secretName, defaultMode: 0o400 } },
    mount: { name, mountPath, readOnly: true },
  };
}

/** The pod of a Job: one restricted container that runs one command to its end. */
export function jobTemplate(
  keystone: Keystone,
  options: {
    component: string;
    command: string[];
    env?: EnvVar[];
    mounts: Mounted[];
    restartPolicy: 'Never' | 'OnFailure';
  },
): PodTemplateSpec {
  const { component, command, env = [], mounts, restartPolicy } = options;
  const { priorityClassName } = keystone.spec;
  return {
    metadata: { labels: jobPodLabels(keystone, component) },
    spec: {
      restartPolicy,
      ...(priorityClassName !== undefined && { priorityClassName }),
      securityContext: podSecurityContext,
      containers: [
        {
          name: component,
          image: imageOf(keystone),
          command,
          env: [...env, dbConnectionEnv(keystone), boundedRetriesEnv],
          securityContext: restrictedSecurityContext,
          volumeMounts: mounts.map(({ mount }) => mount),
        },
      ],
      volumes: mounts.map(({ volume }) => volume),
    },
  };
}
