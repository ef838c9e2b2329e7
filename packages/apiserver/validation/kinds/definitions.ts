// SPDX-License-Identifier: Apache-2.0
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  CustomResourceDefinitionSpec,
} from '@forge/kube/generated/types.ts';
import type { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { jsonEqual } from '@forge/kube/objects/json.ts';
import { dns1035LabelProblem, subdomainProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, each, fields, given, change, fixed, type ChangeRule, validation } from '../rule.ts';
import { requiredText, text } from '../value-rules.ts';
import { versionContents } from './version-rules.ts';

function mixedCaseProblem(kind: string): string | undefined {
  const problem = dns1035LabelProblem(kind.toLowerCase());
  return problem === undefined ? undefined : `may have mixed case, but should otherwise match: ${problem}`;
}

const names: Rule<CustomResourceDefinitionNames> = all<CustomResourceDefinitionNames>(
  fields({
    plural: requiredText(dns1035LabelProblem),
    singular: requiredText(dns1035LabelProblem),
    kind: requiredText(mixedCaseProblem),
    listKind: requiredText(mixedCaseProblem),
    shortNames: each(text(dns1035LabelProblem)),
  }),
  given(({ kind, listKind }, at) => {
    if (kind !== '' && kind === listKind) at.invalid(listKind, 'kind and listKind may not be the same', 'listKind');
  }),
  fields({ categories: each(text(dns1035LabelProblem)) }),
);

/** A version as Go prints it. */
function shown({ name, served, storage, deprecated = false, deprecationWarning }: CustomResourceDefinitionVersion) {
  return {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  };
}

/** Version names must be unique, with exactly one storage version. */
const versions: Rule<CustomResourceDefinitionSpec> = given(({ versions: list }, at) => {
  for (const [index, { name }] of list.entries()) {
    if (at.isFull) return;
    at.inside(`versions[${index}]`, name, nameOfVersion);
  }
  if (new Set(list.map(({ name }) => name)).size < list.length) {
    at.invalid(list.map(shown), 'must contain unique version names', 'versions');
  }
  if (list.filter(({ storage }) => storage).length !== 1) {
    at.invalid(list.map(shown), 'must have exactly one version marked as storage version', 'versions');
  }
  // kube-apiserver reports the first name under spec.version too.
  if (list[0] !== undefined) at.inside('version', list[0].name, text(dns1035LabelProblem));
});

const nameOfVersion: Rule<string> = (name, at) => at.inside('name', name, requiredText(dns1035LabelProblem));

/** storedVersions must list the storage version, and only known ones. */
const stored: Rule<CustomResourceDefinition> = given(({ spec, status }, at) => {
  const { storedVersions = [] } = status ?? {};
  const current = spec.versions.findLast(({ storage }) => storage)?.name;
  const place = 'status.storedVersions';
  if (storedVersions.length === 0) {
    at.invalid(null, 'must have at least one stored version', place);
    return;
  }
  for (const [index, name] of storedVersions.entries()) {
    if (spec.versions.some((version) => version.name === name)) continue;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    at.invalid(name, detail, `${place}[${index}]`);
  }
  if (current !== undefined && !storedVersions.includes(current)) {
    at.invalid(storedVersions, `must have the storage version ${current}`, place);
  }
});

const named: Rule<CustomResourceDefinition> = given(({ metadata: { name }, spec }, at) => {
  if (name !== `${spec.names.plural}.${spec.group}`) {
    at.invalid(name, 'must be spec.names.plural+"."+spec.group', 'metadata.name');
  }
});

const approval = 'api-approved.kubernetes.io';

const approvalPlace = `metadata.annotations[${approval}]`;

const approvalPolicy = 'see https://github.com/kubernetes/enhancements/pull/1111';

/**
 * A protected group of the Kubernetes community needs an annotation with the URL of an approval, or with a reason that
 * starts with "unapproved".
 */
const approved: Rule<CustomResourceDefinition> = given(({ metadata: { annotations = {} }, spec }, at) => {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group)) return;
  const value = annotations[approval] ?? '';
  const needed = `protected groups must have approval annotation "${approval}"`;
  if (value === '') at.required(`${needed}, ${approvalPolicy}`, approvalPlace);
  else if (!value.startsWith('unapproved') && !URL.canParse(value)) {
    const detail = `${needed} with either a URL or a reason starting with "unapproved", ${approvalPolicy}`;
    at.invalid(value, detail, approvalPlace);
  }
});

/** Group, scope, kind and plural are immutable. */
const kept: ChangeRule<CustomResourceDefinitionSpec> = (spec, before, at) => {
  fixed<CustomResourceDefinitionSpec>('group', 'scope')(spec, before, at);
  change<CustomResourceDefinitionSpec, 'names'>('names', fixed('kind', 'plural'))(spec, before, at);
};

const rules = all<CustomResourceDefinition>(
  fields({
    spec: all<CustomResourceDefinitionSpec>(
      fields({
        group: requiredText(subdomainProblem),
        scope: (scope, at) => {
          if (scope !== 'Cluster' && scope !== 'Namespaced') at.unsupported(scope, ['Cluster', 'Namespaced']);
        },
      }),
      versions,
      versionContents,
      fields({ names }),
    ),
  }),
);

const validateNew = validation<CustomResourceDefinition>(all(named, rules, stored, approved));

const validateChanged = validation<CustomResourceDefinition>(all(rules, stored), change('spec', kept));

const validateStatus = validation<CustomResourceDefinition>(rules);

/** Validates a CustomResourceDefinition. */
export const validateDefinition: typeof validateNew = (definition, before) => {
  if (before === undefined) return validateNew(definition, before);
  // Clients may remove migrated versions from storedVersions.
  return before.spec === definition.spec || jsonEqual(before.spec, definition.spec)
    ? validateStatus(definition, before)
    : validateChanged(definition, before);
};
