// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, PersistentVolume, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, wideColumn, type TableColumn } from '../resources/table-column.ts';

export const claimColumns: readonly TableColumn<PersistentVolumeClaim>[] = [
  nameColumn,
  column('Status', ({ metadata, status }) =>
    metadata.deletionTimestamp === undefined ? status?.phase : 'Terminating',
  ),
  column('Volume', ({ spec }) => spec?.volumeName ?? ''),
  column('Capacity', ({ spec, status }) =>
    spec?.volumeName === undefined ? '' : (status?.capacity?.['storage'] ?? '0'),
  ),
  column('Access Modes', ({ spec, status }) => (spec?.volumeName === undefined ? '' : shortModes(status?.accessModes))),
  column('StorageClass', ({ spec }) => spec?.storageClassName ?? ''),
  column('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
  ageColumn,
  wideColumn('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>'),
];

export const volumeColumns: readonly TableColumn<PersistentVolume>[] = [
  nameColumn,
  column('Capacity', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
  column('Access Modes', ({ spec }) => shortModes(spec?.accessModes)),
  column('Reclaim Policy', ({ spec }) => spec?.persistentVolumeReclaimPolicy),
  column('Status', ({ metadata, status }) =>
    metadata.deletionTimestamp === undefined ? status?.phase : 'Terminating',
  ),
  column('Claim', ({ spec }) =>
    spec?.claimRef === undefined ? '' : `${spec.claimRef.namespace}/${spec.claimRef.name}`,
  ),
  column('StorageClass', ({ spec }) => spec?.storageClassName ?? ''),
  column('VolumeAttributesClass', ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>'),
  column('Reason', ({ status }) => status?.reason ?? ''),
  ageColumn,
  wideColumn('VolumeMode', ({ spec }) => spec?.volumeMode ?? '<unset>'),
];

export const storageClassColumns: readonly TableColumn<StorageClass>[] = [
  column(
    'Name',
    ({ metadata }) => {
      const isDefault = metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
      return isDefault ? `${metadata.name} (default)` : metadata.name;
    },
    { format: 'name' },
  ),
  column('Provisioner', ({ provisioner }) => provisioner),
  column('ReclaimPolicy', ({ reclaimPolicy }) => reclaimPolicy),
  column('VolumeBindingMode', ({ volumeBindingMode }) => volumeBindingMode),
  column('AllowVolumeExpansion', ({ allowVolumeExpansion = false }) => allowVolumeExpansion),
  ageColumn,
];

const abbreviations: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function shortModes(modes: readonly string[] = []): string {
  return Object.keys(abbreviations)
    .filter((mode) => modes.includes(mode))
    .map((mode) => abbreviations[mode])
    .join(',');
}
