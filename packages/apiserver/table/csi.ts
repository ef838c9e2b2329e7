// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver, CSINode, VolumeAttachment, VolumeAttributesClass } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn, countColumn } from '../resources/table-column.ts';

export const csiDriverColumns: readonly TableColumn<CSIDriver>[] = [
  nameColumn,
  column('AttachRequired', ({ spec }) => spec.attachRequired ?? true, { type: 'boolean' }),
  column('PodInfoOnMount', ({ spec }) => spec.podInfoOnMount ?? false, { type: 'boolean' }),
  column('StorageCapacity', ({ spec }) => spec.storageCapacity ?? false, { type: 'boolean' }),
  column('TokenRequests', ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>'),
  column('RequiresRepublish', ({ spec }) => spec.requiresRepublish ?? false, { type: 'boolean' }),
  column('Modes', ({ spec }) => {
    const modes = spec.volumeLifecycleModes ?? [];
    return modes.length === 0 ? '<none>' : modes.join(',');
  }),
  ageColumn,
];

export const csiNodeColumns: readonly TableColumn<CSINode>[] = [
  nameColumn,
  countColumn('Drivers', ({ spec }) => (spec.drivers as unknown[] | null)?.length),
  ageColumn,
];

export const volumeAttachmentColumns: readonly TableColumn<VolumeAttachment>[] = [
  nameColumn,
  column('Attacher', ({ spec }) => spec.attacher, { format: 'name' }),
  column('PV', ({ spec }) => spec.source.persistentVolumeName ?? ''),
  column('Node', ({ spec }) => spec.nodeName),
  column('Attached', ({ status }) => status?.attached ?? false, { type: 'boolean' }),
  ageColumn,
];

export const volumeAttributesClassColumns: readonly TableColumn<VolumeAttributesClass>[] = [
  nameColumn,
  column('DriverName', ({ driverName }) => driverName),
  ageColumn,
];
