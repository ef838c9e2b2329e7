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
import type { Inspection, Rule } from './inspection.ts';
import { dnsLabelProblem } from './names.ts';
import { all, each, fields, given, unique, type FieldRules } from './rule.ts';
import { needed, neededText, oneOf, text } from './value-rules.ts';

function climbingProblem(path: string): string | undefined {
  return path.split('/').includes('..') ? "must not contain '..'" : undefined;
}

function rootedProblem(path: string): string | undefined {
  return path.startsWith('/') ? 'must be a relative path' : undefined;
}

const mode: Rule<number> = given((bits, at) => {
  if (bits < 0 || bits > 0o777) at.invalid(bits, 'must be a number between 0 and 0777 (octal), both inclusive');
});

const items = each(fields<KeyToPath>({ key: needed(), path: neededText(rootedProblem, climbingProblem), mode }));

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

/** The rules of what a volume can be made from, as far as there are any. */
const sources: FieldRules<Volume> = {
  hostPath: fields<HostPathVolumeSource>({ path: neededText(climbingProblem), type: oneOf(...hostPathTypes) }),
  secret: fields<SecretVolumeSource>({ secretName: needed(), defaultMode: mode, items }),
  persistentVolumeClaim: fields<PersistentVolumeClaimVolumeSource>({ claimName: needed() }),
  configMap: fields<ConfigMapVolumeSource>({ name: needed(), defaultMode: mode, items }),
};

const source: Rule<Volume> = given((volume, at) => {
  const [first, ...others] = (Object.keys(volume) as (keyof Volume)[]).filter((field) => field !== 'name');
  if (first !== undefined) at.inside(first, volume[first], (sources[first] ?? (() => {})) as Rule<unknown>);
  for (const other of others) at.forbidden('may not specify more than 1 volume type', other);
});

/** Volumes have names of their own, and one source each. */
export const volumes: Rule<readonly Volume[]> = all(
  each(all<Volume>(source, fields({ name: neededText(dnsLabelProblem) }))),
  unique('name'),
);

/** Looks at where a container finds which of these volumes. */
export function checkMounts(mounts: readonly VolumeMount[], known: ReadonlySet<string>, at: Inspection): void {
  const paths = new Set<string>();
  for (const [index, mount] of mounts.entries()) {
    at.inside(index, mount, () => {
      if (mount.name === '') at.required(undefined, 'name');
      if (!known.has(mount.name)) at.notFound(mount.name, 'name');
      if (mount.mountPath === '') at.required(undefined, 'mountPath');
      if (paths.has(mount.mountPath)) at.invalid(mount.mountPath, 'must be unique', 'mountPath');
    });
    // A real server forgets here which mount it is.
    at.inside('subPath', mount.subPath, insidePath);
    paths.add(mount.mountPath);
  }
}

const insidePath = text(rootedProblem, climbingProblem);
