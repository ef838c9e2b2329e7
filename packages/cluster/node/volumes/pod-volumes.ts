// SPDX-License-Identifier: Apache-2.0
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@forge/kube/client/client.ts';
import type { Volume } from '@forge/kube/generated/types.ts';
import { PersistentVolume, PersistentVolumeClaim, type Pod } from '@forge/kube/kinds/builtin.ts';
import { specOf } from '../../objects/pod-spec.ts';
import { folderIn } from '../mounts/folder-in.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import { volumeFiles, type VolumeInputs } from './volume-files.ts';
import { writeVolume } from './write-volume.ts';

/** A volume's content on the node. */
export interface PreparedVolume {
  source: string;
  /** The content is generated and read-only. */
  readOnly: boolean;
}

/** Where volumes are stored. */
export interface VolumeLocations {
  /** The pod's folder on a tmpfs: Secrets and emptyDirs are never written to a disk. */
  podFolder: string;
  /** Folders of PersistentVolumes, on disk. */
  volumesDir: string;
  client: Client;
}

/** The folder of a volume in the folder of its pod. */
export function volumeFolder(podFolder: string, name: string): string {
  return folderIn(join(podFolder, 'volumes'), name);
}

/** Prepares all volumes of a pod, by name; further calls update generated content. */
export async function prepareVolumes(
  inputs: VolumeInputs,
  places: VolumeLocations,
): Promise<ReadonlyMap<string, PreparedVolume>> {
  const volumes = specOf(inputs.pod).volumes ?? [];
  const prepared = volumes.map(async (volume) => {
    try {
      return [volume.name, await prepare(volume, inputs, places)] as const;
    } catch (error) {
      const why = (error as Error).message;
      throw new ContainerConfigError(`MountVolume.SetUp failed for volume "${volume.name}": ${why}`, { cause: error });
    }
  });
  return new Map(await Promise.all(prepared));
}

async function prepare(volume: Volume, inputs: VolumeInputs, places: VolumeLocations): Promise<PreparedVolume> {
  const source = volumeFolder(places.podFolder, volume.name);
  const files = volumeFiles(volume, inputs);
  if (files) {
    await writeVolume(source, files);
    return { source, readOnly: true };
  }
  if (volume.emptyDir) {
    await mkdir(source, { recursive: true });
    await chmod(source, 0o777);
    return { source, readOnly: false };
  }
  if (volume.persistentVolumeClaim) {
    const { claimName, readOnly = false } = volume.persistentVolumeClaim;
    return { source: await claimFolder(inputs.pod, claimName, places), readOnly };
  }
  const type = Object.keys(volume).find((key) => key !== 'name') ?? 'no type';
  throw new ContainerConfigError(`the node does not support volumes of ${type}`);
}

/** The folder of the claim's volume; the volume must refer back to the claim, since a claim can name any volume. */
async function claimFolder({ metadata }: Pod, name: string, { client, volumesDir }: VolumeLocations): Promise<string> {
  const { namespace } = metadata;
  const claim = await client.find(PersistentVolumeClaim, { namespace, name });
  if (!claim) throw new ContainerConfigError(`persistentvolumeclaim "${name}" not found`);
  const { volumeName = '' } = claim.spec ?? {};
  const unbound = new ContainerConfigError(`persistentvolumeclaim "${name}" is not bound to a volume of its own yet`);
  if (claim.status?.phase !== 'Bound' || volumeName === '') throw unbound;
  const folder = folderIn(volumesDir, volumeName);
  const volume = await client.find(PersistentVolume, { name: volumeName });
  const owner = volume?.spec?.claimRef?.uid;
  if (owner === undefined || owner !== claim.metadata.uid) throw unbound;
  await mkdir(folder, { recursive: true });
  return folder;
}
