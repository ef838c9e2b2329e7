// SPDX-License-Identifier: Apache-2.0
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { specOf } from '../../objects/pod-spec.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { containerResource } from '../references/container-resource.ts';
import { podField } from '../references/pod-field.ts';
import { contentOf, valueOf, type PodObjects, type PodReference } from '../references/pod-objects.ts';
import type { TokenOf } from './pod-tokens.ts';

/** A file of a volume. */
interface VolumeFile {
  data: Buffer;
  mode: number;
}

/** The files of a volume by path, relative to the volume. */
export type VolumeFiles = ReadonlyMap<string, VolumeFile>;

/** The inputs of a volume's files. */
export interface VolumeInputs {
  pod: Pod;
  podIP: string;
  objects: PodObjects;
  tokenOf: TokenOf;
}

/** The mode bits that an fsGroup adds to read-only files. */
const groupMayRead = 0o440;

/** The files of a ConfigMap, Secret, downward API or projected volume; undefined for other volumes. */
export function volumeFiles(volume: Volume, inputs: VolumeInputs): VolumeFiles | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  const found = configMap
    ? { sources: [{ configMap }], ...configMap }
    : secret
      ? { sources: [{ secret: { ...secret, name: secret.secretName ?? '' } }], ...secret }
      : downwardAPI
        ? { sources: [{ downwardAPI }], ...downwardAPI }
        : projected;
  if (!found) return undefined;
  const defaultMode = found.defaultMode ?? 0o644;
  const added = inputs.pod.spec?.securityContext?.fsGroup === undefined ? 0 : groupMayRead;
  const files = (found.sources ?? []).flatMap((source) => filesOf(volume.name, source, inputs));
  return new Map(files.map(({ path, data, mode = defaultMode }) => [path, { data, mode: mode | added }]));
}

interface ProjectedFile {
  path: string;
  data: Buffer;
  mode?: number | undefined;
}

function filesOf(volume: string, source: VolumeProjection, inputs: VolumeInputs): ProjectedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) return keyFiles({ kind: 'ConfigMap', name: configMap.name ?? '' }, configMap, inputs.objects);
  if (secret) return keyFiles({ kind: 'Secret', name: secret.name ?? '' }, secret, inputs.objects);
  if (downwardAPI) return (downwardAPI.items ?? []).map((item) => fieldFile(item, inputs));
  if (serviceAccountToken) return [tokenFile(serviceAccountToken, inputs)];
  throw new ContainerConfigError(
    `the node does not support the source of volume ${volume}: ${Object.keys(source).join(', ')}`,
  );
}

function keyFiles(
  reference: PodReference,
  { items, optional }: { items?: KeyToPath[]; optional?: boolean },
  objects: PodObjects,
): ProjectedFile[] {
  if (!items) {
    const content = contentOf(objects, reference, optional) ?? new Map<string, Buffer>();
    return [...content].map(([path, data]) => ({ path, data }));
  }
  return items.flatMap(({ key, path, mode }) => {
    const data = valueOf(objects, reference, key, optional);
    return data ? [{ path, data, mode }] : [];
  });
}

function fieldFile(item: DownwardAPIVolumeFile, { pod, podIP }: VolumeInputs): ProjectedFile {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  const value = resourceFieldRef
    ? containerResource(pod, undefined, resourceFieldRef)
    : podField(pod, podIP, fieldRef?.fieldPath ?? '');
  return { path, data: Buffer.from(value), mode };
}

/** A token is readable only by its owner, if all containers run as the same user. */
function tokenFile(projection: ServiceAccountTokenProjection, { pod, tokenOf }: VolumeInputs): ProjectedFile {
  const hasOwner = pod.spec?.securityContext?.fsGroup !== undefined || hasOneUser(pod);
  const { path } = projection;
  return { path, data: Buffer.from(tokenOf(projection)), mode: hasOwner ? 0o600 : undefined };
}

/** Whether all containers run as the same user. */
function hasOneUser(pod: Pod): boolean {
  const { containers, initContainers = [], securityContext } = specOf(pod);
  const users = [...initContainers, ...containers].map(
    (container) => container.securityContext?.runAsUser ?? securityContext?.runAsUser,
  );
  return users[0] !== undefined && users.every((user) => user === users[0]);
}
