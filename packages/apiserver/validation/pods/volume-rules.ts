// SPDX-License-Identifier: Apache-2.0
import type {
  ConfigMapVolumeSource,
  HostPathVolumeSource,
  KeyToPath,
  PersistentVolumeClaimVolumeSource,
  SecretVolumeSource,
  Volume,
  VolumeMount,
} from '@forge/kube/generated/types.ts';
import { dnsLabelProblem } from '../../formats/names.ts';
import type { Inspection, Rule } from '../inspection.ts';
import { all, each, fields, given, unique, type FieldRules } from '../rule.ts';
import { required, requiredText, oneOf, text } from '../value-rules.ts';

function climbingProblem(path: string): string | undefined {
  return path.split('/').includes('..') ? "must not contain '..'" : undefined;
}

function rootedProblem(path: string): string | undefined {
  return path.startsWith('/') ? 'must be a relative path' : undefined;
}

const mode: Rule<number> = given((bits, at) => {
  if (bits < 0 || bits > 0o777) at.invalid(bits, 'must be a number between 0 and 0777 (octal), both inclusive');
});

const items = each(fields<KeyToPath>({ key: required(), path: requiredText(rootedProblem, climbingProblem), mode }));

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Rules of volume sources. */
const sources: FieldRules<Volume> = {
  hostPath: fields<HostPathVolumeSource>({ path: requiredText(climbingProblem), type: oneOf(...hostPathTypes) }),
  secret: fields<SecretVolumeSource>({ secretName: required(), defaultMode: mode, items }),
  persistentVolumeClaim: fields<PersistentVolumeClaimVolumeSource>({ claimName: required() }),
  configMap: fields<ConfigMapVolumeSource>({ name: required(), defaultMode: mode, items }),
};

const madeOnce: Rule<Volume> = given((volume, at) => {
  let isMade = false;
  for (const field in volume) {
    if (field === 'name') continue;
    const source = field as keyof Volume;
    const rule = sources[source] as Rule<unknown> | undefined;
    if (isMade) at.forbidden('may not specify more than 1 volume type', source);
    else if (rule !== undefined) at.inside(source, volume[source], rule);
    isMade = true;
  }
});

/** Volumes need unique names and one source each. */
export const volumes: Rule<readonly Volume[]> = all(
  each(all<Volume>(madeOnce, fields({ name: requiredText(dnsLabelProblem) }))),
  unique('name'),
);

/** Validates the volume mounts of a container. */
export function checkMounts(mounts: readonly VolumeMount[], known: ReadonlySet<string>, at: Inspection): void {
  const paths = new Set<string>();
  const checkMount = given(({ name, mountPath }: VolumeMount) => {
    if (name === '') at.required(undefined, 'name');
    if (!known.has(name)) at.notFound(name, 'name');
    if (mountPath === '') at.required(undefined, 'mountPath');
    if (paths.has(mountPath)) at.invalid(mountPath, 'must be unique', 'mountPath');
    paths.add(mountPath);
  });
  for (let index = 0; index < mounts.length; index += 1) {
    at.inside(index, mounts[index], checkMount);
    // kube-apiserver omits the index here.
    at.inside('subPath', mounts[index]?.subPath, insidePath);
  }
}

const insidePath = text(rootedProblem, climbingProblem);
