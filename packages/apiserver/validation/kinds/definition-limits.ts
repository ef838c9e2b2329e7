// SPDX-License-Identifier: Apache-2.0
import type { CustomResourceDefinitionVersion } from '@forge/kube/generated/types.ts';
import { isObject } from '@forge/kube/objects/json.ts';

/** Limits on what the server compiles for one definition, over all versions. */
const limits = {
  versions: 100,
  'validation rules': 1000,
  'characters of validation rules': 128 * 1024,
  patterns: 5000,
  'characters of JSON paths': 256 * 1024,
};

/** Which limit a definition exceeds; undefined when none. */
export function excessOf(versions: readonly CustomResourceDefinitionVersion[]): string | undefined {
  const found: Record<keyof typeof limits, number> = {
    versions: versions.length,
    'validation rules': 0,
    'characters of validation rules': 0,
    patterns: 0,
    'characters of JSON paths': versions.flatMap(jsonPathsOf).reduce((sum, { length }) => sum + length, 0),
  };
  const count = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) count(item);
    } else if (isObject(value)) {
      const { pattern, rule, messageExpression } = value;
      if (typeof pattern === 'string') found.patterns += 1;
      if (typeof rule === 'string') {
        found['validation rules'] += 1;
        found['characters of validation rules'] += rule.length;
      }
      if (typeof messageExpression === 'string') found['characters of validation rules'] += messageExpression.length;
      for (const name in value) if (typeof value[name] === 'object') count(value[name]);
    }
  };
  for (const version of versions) count(version.schema);
  const names = Object.keys(limits) as (keyof typeof limits)[];
  const excess = names.find((name) => found[name] > limits[name]);
  return excess && `too many ${excess}: ${found[excess]}, limit is ${limits[excess]}`;
}

function jsonPathsOf({
  additionalPrinterColumns: columns = [],
  selectableFields = [],
}: CustomResourceDefinitionVersion): string[] {
  return [...columns, ...selectableFields].map(({ jsonPath }) => jsonPath);
}
