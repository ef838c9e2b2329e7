// SPDX-License-Identifier: Apache-2.0
import type { Container, EnvVar, JobSpec } from '@forge/kube/generated/types.ts';
import type { CronJob } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { commonLabels, jobPodLabels, keyNamesOf, type KeyType } from '../../api/names.ts';
import { maxActiveKeysOf } from '../keys/key-secret.ts';
import {
  configMount,
  credentialKeysMount,
  databaseEnv,
  fernetKeysMount,
  podSecurityContext,
  restrictedSecurityContext,
} from '../pod.ts';
import { podPaths } from './scripts.ts';

/** The inputs of a rotation CronJob besides the resource. */
interface RotationInputs {
  /** ConfigMap of the configuration. */
  configMap: string;
  /** ConfigMap of the scripts. */
  scripts: string;
}

/** Rotates one key repository on its schedule; a run that hangs ends before the next one is due. */
export function rotationCronJob(keystone: Keystone, keyType: KeyType, inputs: RotationInputs): CronJob {
  const { rotationSchedule: schedule, suspend } =
    keyType === 'fernet' ? keystone.spec.fernet : keystone.spec.credentialKeys;
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: keyNamesOf(keystone, keyType).rotate, labels: commonLabels(keystone) },
    spec: {
      schedule,
      suspend,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: rotationJobSpec(keystone, keyType, inputs) },
    },
  };
}

function rotationJobSpec(keystone: Keystone, keyType: KeyType, { configMap, scripts }: RotationInputs): JobSpec {
  const { keys, rotate } = keyNamesOf(keystone, keyType);
  const { priorityClassName } = keystone.spec;
  const other = keyType === 'fernet' ? credentialKeysMount(keystone) : fernetKeysMount(keystone);
  const [source, copy] = [`${keyType}-keys-src`, `${keyType}-keys`];
  const working = { name: copy, mountPath: podPaths(keyType).keys };
  const config = configMount(configMap);
  return {
    activeDeadlineSeconds: 3600,
    template: {
      metadata: { labels: jobPodLabels(keystone, `${keyType}-rotate`) },
      spec: {
        serviceAccountName: rotate,
        restartPolicy: 'OnFailure',
        ...(priorityClassName !== undefined && { priorityClassName }),
        securityContext: podSecurityContext,
        initContainers: [
          container(keystone, {
            name: 'copy-keys',
            command: ['sh', '-c', copyKeys(keyType)],
            volumeMounts: [{ name: source, mountPath: `/${source}`, readOnly: true }, working],
          }),
        ],
        containers: [
          container(keystone, {
            name: `${keyType}-rotate`,
            command: [`/scripts/${keyType}_rotate.sh`],
            env: rotationEnv(keystone, keyType),
            volumeMounts: [
              working,
              other.mount,
              config.mount,
              { name: 'scripts', mountPath: '/scripts', readOnly: true },
            ],
          }),
        ],
        volumes: [
          { name: source, secret: { secretName: keys, defaultMode: 0o400 } },
          { name: copy, emptyDir: {} },
          other.volume,
          config.volume,
          { name: 'scripts', configMap: { name: scripts, defaultMode: 0o555 } },
        ],
      },
    },
  };
}

/** The working copy is emptied first: keys and the mark of a rotation must not remain from an earlier start of the pod. */
export function copyKeys(keyType: KeyType, { keys } = podPaths(keyType), source = `/${keyType}-keys-src`): string {
  return `rm -rf ${keys}/* ${keys}/.[!.]*; install -m 0400 ${source}/* ${keys}/`;
}

function rotationEnv(keystone: Keystone, keyType: KeyType): EnvVar[] {
  const section = keyType === 'fernet' ? 'fernet_tokens' : 'credential';
  const value = String(maxActiveKeysOf(keystone, keyType));
  return [
    { name: 'SECRET_NAME', value: keyNamesOf(keystone, keyType).staging },
    { name: 'SECRET_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
    { name: `OS_${section}__max_active_keys`, value },
    // oslo.config reads upper case only.
    { name: `OS_${section.toUpperCase()}__MAX_ACTIVE_KEYS`, value },
    ...databaseEnv(keystone),
  ];
}

/** It has the image of the installed release, whose schema the database has, also while an upgrade is refused or under way. */
function container(
  { spec: { image }, status }: Keystone,
  options: Pick<Container, 'name' | 'command' | 'env' | 'volumeMounts'>,
): Container {
  return {
    ...options,
    image: `${image.repository}:${status?.installedRelease ?? image.tag}`,
    securityContext: restrictedSecurityContext,
  };
}
