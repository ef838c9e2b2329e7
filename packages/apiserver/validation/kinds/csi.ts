// SPDX-License-Identifier: Apache-2.0
import type {
  StorageTokenRequest,
  CSIDriverSpec,
  CSINodeDriver,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
} from '@forge/kube/generated/types.ts';
import type { CSIDriver, CSINode, VolumeAttachment, VolumeAttributesClass } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { subdomainProblem, qualifiedNameProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { fields, given, repeatedIndexes, fixed, validation, all, each, equalExcept, unique } from '../rule.ts';
import { type Problem, oneOf, count, requiredText, required, text } from '../value-rules.ts';

/** Driver names may have upper case. */
const driverNameProblem: Problem = (name) =>
  name.length > 63 ? 'must be no more than 63 characters' : subdomainProblem(name.toLowerCase());

const lowerQualifiedName: Problem = (name) => qualifiedNameProblem(name.toLowerCase());

const tokenRequest = fields<StorageTokenRequest>({
  expirationSeconds: given((seconds, at) => {
    if (seconds < 600) at.invalid(seconds, 'may not specify a duration less than 10 minutes');
    if (seconds > 2 ** 32) at.invalid(seconds, 'may not specify a duration larger than 2^32 seconds');
  }),
});

const driverSpec: Rule<CSIDriverSpec> = fields<CSIDriverSpec>({
  fsGroupPolicy: oneOf('File', 'None', 'ReadWriteOnceWithFSType'),
  tokenRequests: (list = [], at) => {
    const repeated = repeatedIndexes(list.map(({ audience }) => audience));
    for (const [index, request] of list.entries()) {
      const { audience } = request;
      at.inside(index, request, repeated.has(index) ? () => at.duplicate(audience, 'audience') : tokenRequest);
    }
  },
  volumeLifecycleModes: (modes = [], at) => {
    for (const mode of modes) if (!lifecycleModes.includes(mode)) at.unsupported(mode, lifecycleModes);
  },
});

const lifecycleModes = ['Persistent', 'Ephemeral'];

/** Validates a CSIDriver; attachRequired and volumeLifecycleModes are immutable. */
export const validateCSIDriver = validation<CSIDriver>(fields({ spec: driverSpec }), ({ spec }, before, at) => {
  at.inside('spec', spec, () => {
    if (spec.attachRequired !== before.spec.attachRequired) at.immutable(spec.attachRequired, 'attachedRequired');
    fixed<CSIDriverSpec>('volumeLifecycleModes')(spec, before.spec, at);
  });
});

const nodeDriver: Rule<CSINodeDriver> = all<CSINodeDriver>(
  fields({
    name: requiredText(driverNameProblem),
    nodeID: (id = '', at) => {
      if (id === '') at.required();
      if (id.length > 256) at.invalid(id, 'must be 256 characters or less');
    },
    allocatable: fields({ count }),
  }),
  given(({ topologyKeys = [] }, at) => {
    const repeated = repeatedIndexes(topologyKeys);
    for (const [index, key] of topologyKeys.entries()) {
      if (at.isFull) return;
      if (key === '') at.required();
      if (repeated.has(index)) at.duplicate(key);
      const problem = qualifiedNameProblem(key);
      if (problem !== undefined) at.invalid(key, problem);
    }
  }),
);

/** Driver names of a node must be unique; drivers are immutable except for allocatable. */
export const validateCSINode = validation<CSINode>(
  fields({ spec: fields({ drivers: all<readonly CSINodeDriver[]>(each(nodeDriver), unique('name')) }) }),
  ({ spec }, before, at) => {
    for (const driver of driversOf(spec)) {
      const old = driversOf(before.spec).find(({ name }) => name === driver.name);
      if (old === undefined || equalExcept(['allocatable'], driver, old)) continue;
      const { name, nodeID, topologyKeys = null } = driver;
      // kube-apiserver prints Go field names here.
      at.immutable({ Name: name, NodeID: nodeID, TopologyKeys: topologyKeys, Allocatable: null }, 'spec.drivers');
    }
  },
);

/** Validates a CSINode; an unset list is null. */
function driversOf({ drivers }: { drivers: CSINodeDriver[] | null }): CSINodeDriver[] {
  return drivers ?? [];
}

/** The name of another object, which may be empty. */
const nameOfObject: Rule<string> = (name = '', at) => {
  const problem = subdomainProblem(name);
  if (problem !== undefined) at.invalid(name, problem);
};

const attachmentSource: Rule<VolumeAttachmentSource> = given(({ inlineVolumeSpec, persistentVolumeName }, at) => {
  const isInline = (inlineVolumeSpec ?? undefined) !== undefined;
  const isNamed = (persistentVolumeName ?? undefined) !== undefined;
  if (!isInline && !isNamed) at.required('must specify exactly one of inlineVolumeSpec and persistentVolumeName');
  else if (isInline && isNamed) at.forbidden('must specify exactly one of inlineVolumeSpec and persistentVolumeName');
  else if (persistentVolumeName === '') {
    at.required('must specify non empty persistentVolumeName', 'persistentVolumeName');
  }
});

/** Validates a VolumeAttachment; its spec is immutable. */
export const validateVolumeAttachment = validation<VolumeAttachment>(
  fields({
    spec: all<VolumeAttachmentSpec>(
      fields({ attacher: requiredText(driverNameProblem), source: attachmentSource, nodeName: nameOfObject }),
      given(({ source }, at) => {
        const { persistentVolumeName } = source;
        if (persistentVolumeName === undefined) return;
        at.inside('source.persistentVolumeName', persistentVolumeName, nameOfObject);
      }),
    ),
  }),
  ({ spec }, before, at) => {
    if (jsonEqual(spec, before.spec)) return;
    const { attacher, nodeName, source } = spec;
    const { persistentVolumeName = null, inlineVolumeSpec = null } = source;
    const named = { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec };
    at.immutable({ Attacher: attacher, Source: named, NodeName: nodeName }, 'spec');
  },
);

/** Validates a VolumeAttributesClass; it is immutable. */
export const validateVolumeAttributesClass = validation<VolumeAttributesClass>(
  fields({
    driverName: all<string>(required(), text(lowerQualifiedName)),
    parameters: (parameters, at) => {
      if (Object.keys(parameters ?? {}).length === 0) at.required('must contain at least one key/value pair');
    },
  }),
  (object, before, at) => {
    for (const field of ['driverName', 'parameters'] as const) {
      if (!jsonEqual(object[field], before[field])) at.forbidden(`updates to ${field} are forbidden.`, field);
    }
  },
  'change first',
);
