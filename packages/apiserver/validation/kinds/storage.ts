// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaimSpec, PersistentVolumeSpec } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, PersistentVolume, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { amountOf } from '../pods/resource-rules.ts';
import { fields, equalExcept, type ChangeRule, validation, given, all, fixed } from '../rule.ts';
import { selector } from '../selector-rules.ts';
import { oneOf, text, required } from '../value-rules.ts';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function accessModes(detail?: string): Rule<readonly string[]> {
  return (list = [], at) => {
    if (list.length === 0) at.required(detail);
    for (const mode of list) if (!modes.includes(mode)) at.unsupported(mode, modes);
    if (list.length > 1 && list.includes('ReadWriteOncePod')) {
      at.forbidden('may not use ReadWriteOncePod with other access modes');
    }
  };
}

const volumeMode = oneOf('Block', 'Filesystem');

/** Validates a claim spec. */
export const claimSpec: Rule<PersistentVolumeClaimSpec> = fields({
  accessModes: accessModes('at least 1 access mode is required'),
  selector,
  resources: (resources, at) => {
    const { storage } = resources?.requests ?? {};
    if (storage === undefined) at.required(undefined, '[storage]');
    else if (amountOf(storage) <= 0n) at.invalid(storage, 'must be greater than zero', '[storage]');
  },
  storageClassName: text(subdomainProblem),
  volumeMode,
});

/** The spec of a claim is immutable, but a bound claim can be expanded. */
const immutableClaimSpec: ChangeRule<PersistentVolumeClaim> = ({ spec = {} }, before, at) => {
  const { spec: old = {}, status: { phase, capacity } = {} } = before;
  const free: (keyof PersistentVolumeClaimSpec)[] = [
    ...(phase === 'Bound' ? (['resources', 'volumeAttributesClassName'] as const) : []),
    ...((old.volumeName ?? '') === '' ? (['volumeName'] as const) : []),
  ];
  if (!equalExcept(free, spec, old)) at.inside('spec', spec, () => at.forbidden(claimRule));
  const size = spec.resources?.requests?.['storage'];
  const least = capacity?.['storage'];
  if (size !== undefined && least !== undefined && amountOf(size) < amountOf(least)) {
    at.inside('spec', spec, () =>
      at.forbidden('field can not be less than status.capacity', 'resources.requests.storage'),
    );
  }
};

const claimRule =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Validates a PersistentVolumeClaim. */
export const validateClaim = validation<PersistentVolumeClaim>(fields({ spec: claimSpec }), immutableClaimSpec);

const notSources = new Set<string>([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
] satisfies (keyof PersistentVolumeSpec)[]);

const capacity: Rule<Readonly<Record<string, string | number>>> = (resources, at) => {
  const { storage } = resources ?? {};
  if (resources === undefined) at.required();
  if (storage === undefined) at.unsupported(resources ?? null, ['storage']);
  else if (amountOf(storage) < 0n) at.invalid(Number(storage), 'must be a valid resource quantity', '[storage]');
  if (storage !== undefined && amountOf(storage) <= 0n) at.invalid(storage, 'must be greater than zero', '[storage]');
};

const source: Rule<PersistentVolumeSpec> = given((spec, at) => {
  const [first, ...others] = Object.keys(spec).filter((field) => !notSources.has(field));
  if (first === undefined) at.required('must specify a volume type');
  for (const other of others) at.forbidden('may not specify more than 1 volume type', other);
});

/** Validates a PersistentVolume. */
export const validateVolume = validation<PersistentVolume>(
  fields({
    spec: all<PersistentVolumeSpec>(
      fields({ accessModes: accessModes(), capacity }),
      source,
      fields({
        persistentVolumeReclaimPolicy: oneOf('Delete', 'Recycle', 'Retain'),
        storageClassName: text(subdomainProblem),
        volumeMode,
      }),
    ),
  }),
);

/** Validates a StorageClass. */
export const validateStorageClass = validation<StorageClass>(
  fields({
    provisioner: required(),
    reclaimPolicy: oneOf('Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  }),
  fixed('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
);
