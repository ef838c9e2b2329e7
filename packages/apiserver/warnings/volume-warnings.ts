// SPDX-License-Identifier: Apache-2.0
import type { Volume, VolumeProjection } from '@forge/kube/generated/types.ts';
import type { Warn } from '../resources/warn.ts';
import { claimSpecWarnings } from './storage.ts';

/** Deprecated volume sources. */
const deprecatedSources: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** Warns of deprecated volume sources and overlapping paths. */
export function volumeWarnings(volumes: readonly Volume[] = [], place: string, warn: Warn): void {
  for (const [index, volume] of volumes.entries()) {
    for (const source in volume) {
      const message = deprecatedSources[source];
      // kube-apiserver uses the internal field name here.
      const field = source === 'storageos' ? 'storageOS' : source;
      if (message !== undefined) warn(`${place}.volumes[${index}].${field}: ${message}`);
    }
    const spec = volume.ephemeral?.volumeClaimTemplate?.spec;
    if (spec !== undefined) {
      claimSpecWarnings(spec, `${place}.volumes[${index}].ephemeral.volumeClaimTemplate.spec`, warn);
    }
  }
  for (const volume of volumes) overlapWarnings(volume, warn);
}

/** A file of a volume and its source. */
interface File {
  path: string;
  source: string;
}

function overlapWarnings({ name, configMap, secret, downwardAPI, projected }: Volume, warn: Warn): void {
  const place = (kind: string) => `volume ${JSON.stringify(name)} (${kind})`;
  if (configMap?.items !== undefined) {
    overlaps(filesOf('', configMap.items), () => place(`ConfigMap ${JSON.stringify(configMap.name ?? '')}`), warn);
  }
  if (secret?.items !== undefined) {
    overlaps(filesOf('', secret.items), () => place(`Secret ${JSON.stringify(secret.secretName ?? '')}`), warn);
  }
  if (downwardAPI?.items !== undefined) overlaps(filesOf('', downwardAPI.items), () => place('DownwardAPI'), warn);
  if (projected?.sources === undefined) return;
  for (const source of projected.sources) {
    if (Object.keys(source).length === 0) warn(`${place('Projected')} has no sources provided`);
  }
  overlaps(projected.sources.flatMap(projectedFiles), () => place('Projected'), warn);
}

function projectedFiles({ configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection): File[] {
  return [
    ...filesOf(`ConfigMap ${JSON.stringify(configMap?.name ?? '')}`, configMap?.items),
    ...filesOf(`Secret ${JSON.stringify(secret?.name ?? '')}`, secret?.items),
    ...filesOf('DownwardAPI', downwardAPI?.items),
    ...filesOf('ServiceAccountToken', serviceAccountToken === undefined ? [] : [serviceAccountToken]),
  ];
}

function filesOf(source: string, items: readonly { path: string }[] = []): File[] {
  return items.map(({ path }) => ({ path, source }));
}

/** Maximum number of files compared with each other, to bound the time. */
const mostCompared = 500;

function overlaps(files: readonly File[], place: () => string, warn: Warn): void {
  const trimmed = files.slice(0, mostCompared).map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }));
  for (const [index, file] of trimmed.entries()) {
    for (const other of trimmed.slice(0, index)) {
      const areDisjoint =
        !`${other.path}/`.startsWith(`${file.path}/`) && !`${file.path}/`.startsWith(`${other.path}/`);
      if (file.path === '' || other.path === '' || areDisjoint) continue;
      warn(`${place()}: overlapping paths: ${shown(file)} with ${shown(other)}`);
    }
  }
}

function shown({ path, source }: File): string {
  return JSON.stringify(path) + (source === '' ? '' : ` (${source})`);
}
