// SPDX-License-Identifier: Apache-2.0
import type {
  Container,
  EnvVar,
  PodTemplateSpec,
  SecurityContext,
  Volume,
  VolumeMount,
} from '@forge/kube/generated/types.ts';
import type { Keystone } from '../api/keystone.ts';
import { jobPodLabels, namesOf } from '../api/names.ts';
import { connectionKeys } from './db-connection.ts';

/** User and group of every Keystone process. */
const openstackId = 42424;

/** Of pods that mount keys: the files are readable by the openstack group alone. */
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

/** Image of a Keystone container: of the tag that is wanted, or of another one. */
export const imageOf = ({ spec: { image } }: Keystone, tag = image.tag) => `${image.repository}:${tag}`;

/** oslo.config lays this variable over the placeholder in keystone.conf, so the password stands in no file. */
export const dbConnectionEnv = (keystone: Keystone): EnvVar =>
  fromConnectionSecret(keystone, 'OS_DATABASE__CONNECTION', connectionKeys.url);

const fromConnectionSecret = (keystone: Keystone, name: string, key: string): EnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: namesOf(keystone).dbConnection, key } },
});

/** keystone.conf retries forever. A Job would then run forever with a wrong address, because a container reads it only once. */
const boundedRetriesEnv: EnvVar[] = [
  { name: 'OS_DATABASE__MAX_RETRIES', value: '6' },
  { name: 'OS_DATABASE__RETRY_INTERVAL', value: '5' },
];

/** How the pods of Jobs reach the database. */
export const databaseEnv = (keystone: Keystone): EnvVar[] => [
  fromConnectionSecret(keystone, 'OS_DATABASE__CONNECTION', connectionKeys.jobUrl),
  fromConnectionSecret(keystone, 'OS_DATABASE__CONNECTION_PARAMETERS', connectionKeys.jobParameters),
  ...boundedRetriesEnv,
];

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

interface JobTemplateOptions {
  component: string;
  command: string[];
  /** Default: the image that the resource names. */
  image?: string;
  /** Environment beside that of the database. */
  env?: EnvVar[];
  /** Whether it talks to the database. Default: it does. */
  usesDatabase?: boolean;
  /** Whether it has the priority class of the API pods. Default: it has. */
  hasPriority?: boolean;
  mounts: Mounted[];
  initContainers?: Container[];
  annotations?: Record<string, string>;
  /** Default: Never, since pods that the kubelet restarts vanish with their text when the Job fails. */
  restartPolicy?: 'Never' | 'OnFailure';
}

/** The pod of a Job: one restricted container that runs one command to its end. */
export function jobTemplate(keystone: Keystone, options: JobTemplateOptions): PodTemplateSpec {
  const { component, command, image = imageOf(keystone), usesDatabase = true, hasPriority = true, mounts } = options;
  const { annotations, restartPolicy = 'Never' } = options;
  const { priorityClassName } = keystone.spec;
  const env = [...(options.env ?? []), ...(usesDatabase ? databaseEnv(keystone) : [])];
  const hasKeys = mounts.some(({ volume }) => volume.secret !== undefined);
  return {
    metadata: { labels: jobPodLabels(keystone, component), ...(annotations !== undefined && { annotations }) },
    spec: {
      restartPolicy,
      ...(hasPriority && priorityClassName !== undefined && { priorityClassName }),
      ...(hasKeys && { securityContext: podSecurityContext }),
      // It does not talk to the API server.
      automountServiceAccountToken: false,
      ...(options.initContainers !== undefined && { initContainers: options.initContainers }),
      containers: [
        {
          name: component,
          image,
          command,
          ...(env.length > 0 && { env }),
          securityContext: restrictedSecurityContext,
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: mounts.map(({ mount }) => mount),
        },
      ],
      volumes: mounts.map(({ volume }) => volume),
    },
  };
}
