// SPDX-License-Identifier: Apache-2.0
import type { EnvFromSource, EnvVar, EnvVarSource, ObjectFieldSelector } from '@forge/kube/generated/types.ts';
import { fileKeyProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, fields, given } from '../rule.ts';
import { requiredText } from '../value-rules.ts';

/** The required name of another object. */
const reference: Rule<string> = (name = '', at) => {
  const problem = subdomainProblem(name);
  if (problem !== undefined) at.invalid(name, problem);
};

const keyOfObject = fields<{ name?: string; key: string }>({ name: reference, key: requiredText(fileKeyProblem) });

const fieldPaths = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

/** A pod field supported by the downward API; `metadata.labels['app']` selects one label. */
const podField = fields<ObjectFieldSelector>({
  fieldPath: (path = '', at) => {
    if (path === '') at.required();
    else if (!fieldPaths.has(path) && !/^metadata\.(?:labels|annotations)\['[^']*'\]$/.test(path)) {
      at.invalid(path, `error converting fieldPath: field label not supported: ${path}`);
    }
  },
});

const sources = {
  fieldRef: podField,
  resourceFieldRef: fields({ resource: requiredText() }),
  configMapKeyRef: keyOfObject,
  secretKeyRef: keyOfObject,
} as const;
const names = Object.keys(sources) as (keyof EnvVarSource & keyof typeof sources)[];

const valueFrom: Rule<EnvVar> = given(({ value = '', valueFrom: source }, at) => {
  if (source === undefined) return;
  at.inside('valueFrom', source, () => {
    let chosen = 0;
    for (const name of names) {
      if (source[name] === undefined) continue;
      at.inside(name, source[name], sources[name] as Rule<unknown>);
      chosen += 1;
    }
    if (chosen === 0 && source.fileKeyRef === undefined) {
      const known = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
      at.invalid('', `must specify one of: ${known}`);
    } else if (value !== '') at.invalid('', 'may not be specified when `value` is not empty');
    else if (chosen > 1) at.invalid('', 'may not have more than one field specified at a time');
  });
});

function variableProblem(name: string): string | undefined {
  if (/^[ -<>-~]+$/.test(name)) return undefined;
  return "a valid environment variable name must consist only of printable ASCII characters other than '='";
}

/** A variable needs a name and one value. */
export const variable: Rule<EnvVar> = all<EnvVar>(fields({ name: requiredText(variableProblem) }), valueFrom);

const named = fields<{ name?: string }>({ name: reference });
const source = fields<EnvFromSource>({ configMapRef: named, secretRef: named });

/** Variables from all keys of an object. */
export const variables: Rule<readonly EnvFromSource[]> = (list = [], at) => {
  for (const [index, value] of list.entries()) {
    const isMap = value.configMapRef !== undefined;
    const isSecret = value.secretRef !== undefined;
    at.inside(index, value, source);
    // kube-apiserver reports both without the index.
    if (!isMap && !isSecret) at.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    if (isMap && isSecret) at.invalid('', 'may not have more than one field specified at a time');
  }
};
