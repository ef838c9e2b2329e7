// SPDX-License-Identifier: Apache-2.0
import { reportedOf } from '@forge/kube/errors/field-error.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from '@forge/kube/generated/types.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { structuralErrors } from '@forge/kube/schema/structural.ts';
import { ruleErrors } from '../../cel/rules/compile-rules.ts';
import { jsonPath } from '../../formats/json-path.ts';
import type { Rule } from '../inspection.ts';
import { each, fields, given } from '../rule.ts';
import { required, requiredText, text, type Problem } from '../value-rules.ts';
import { defaultErrors } from './default-values.ts';
import { excessOf } from './definition-limits.ts';

type Content = 'schema' | 'subresources' | 'additionalPrinterColumns';

/** The fields under which kube-apiserver reports errors that all versions share. */
const sharedPlaces = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
} as const satisfies Record<Content, string>;

const schema: Rule<CustomResourceDefinitionVersion['schema']> = given((value, at) => {
  at.inside('openAPIV3Schema', value?.openAPIV3Schema, (openApi, inner) => {
    if (openApi === undefined) return;
    const place = inner.place;
    // CEL rules need a structural schema, and defaults need valid rules.
    for (const check of [structuralErrors, ruleErrors, defaultErrors]) {
      if (inner.isFull) return;
      const errors = reportedOf(check(openApi, place, inner.budget));
      inner.errors.push(...errors);
      if (errors.length > 0) return;
    }
  });
});

function pathProblem(path: string): string | undefined {
  try {
    jsonPath(path);
    return path.startsWith('.') ? undefined : 'must be a simple json path starting with .';
  } catch {
    return 'must be a simple json path starting with .';
  }
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

const columns = each<CustomResourceColumnDefinition>((column, at) => {
  if (column === undefined) return;
  at.inside('name', column.name, required());
  if (!columnTypes.includes(column.type)) at.invalid(column.type, `must be one of ${columnTypes.join(',')}`, 'type');
  const problem = pathProblem(column.jsonPath);
  if (problem !== undefined) at.invalid(column.jsonPath, problem, 'JSONPath');
});

function pathUnder(...parts: readonly string[]): Problem {
  const place = parts.length === 1 ? `.${parts[0]}` : `either ${parts.map((part) => `.${part}`).join(' or ')}`;
  return (path) => {
    const isUnder = parts.some((part) => path.startsWith(`.${part}.`));
    return pathProblem(path) ?? (isUnder ? undefined : `should be a json path under ${place}`);
  };
}

const subresources: Rule<CustomResourceSubresources> = fields({
  scale: fields({
    specReplicasPath: requiredText(pathUnder('spec')),
    statusReplicasPath: requiredText(pathUnder('status')),
    labelSelectorPath: text(pathUnder('spec', 'status')),
  }),
});

const rules: Readonly<Record<Content, Rule<never>>> = { schema, subresources, additionalPrinterColumns: columns };

/** What is wrong with a deprecation warning. */
function warningProblems(warning: string, deprecated: boolean): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const at = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.exec(warning)?.index;
  const unprintable = 'must only contain printable UTF-8 characters; non-printable character found at index';
  return [
    ...(Buffer.byteLength(warning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...(at === undefined ? [] : [`${unprintable} ${Buffer.byteLength(warning.slice(0, at))}`]),
  ];
}

/** Validates each version; a schema is required. */
export const versionContents: Rule<CustomResourceDefinitionSpec> = given(({ versions }, at) => {
  const excess = excessOf(versions);
  if (excess !== undefined) {
    at.forbidden(excess, 'versions');
    return;
  }
  for (const [index, { schema: own }] of versions.entries()) {
    if (own?.openAPIV3Schema === undefined) at.required(undefined, `versions[${index}].schema.openAPIV3Schema`);
  }
  for (const [index, { deprecated, deprecationWarning: warning }] of versions.entries()) {
    for (const problem of warning === undefined ? [] : warningProblems(warning, deprecated === true)) {
      at.invalid(warning, problem, `versions[${index}].deprecationWarning`);
    }
  }
  for (const content of Object.keys(rules) as Content[]) {
    const [first, ...others] = versions;
    const isShared = others.every((version) => jsonEqual(version[content], first?.[content]));
    if (isShared) at.inside(sharedPlaces[content], first?.[content], rules[content] as Rule<unknown>);
    else {
      for (const [index, version] of versions.entries()) {
        at.inside('versions', versions, () =>
          at.inside(index, version, () => at.inside(content, version[content], rules[content] as Rule<unknown>)),
        );
      }
    }
  }
});
