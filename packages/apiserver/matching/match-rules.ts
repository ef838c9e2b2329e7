// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, NamedRuleWithOperations } from '@forge/kube/generated/types.ts';
import { type CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { notFound } from '../messages/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';

/** What rules and selectors have in common in webhooks and policies. */
export interface Selection {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
}

/** The version that a rule matches: the requested one, else an equivalent one unless matchPolicy is Exact. */
export function matchedVersion(
  rules: readonly NamedRuleWithOperations[],
  { matchPolicy }: Selection,
  attributes: AdmissionAttributes,
  store: Store,
): string | undefined {
  const { version } = attributes.resource.kind;
  if (rules.length === 0) return undefined;
  if (rules.some((rule) => matchesRule(rule, attributes, version))) return version;
  if (matchPolicy === 'Exact') return undefined;
  const others = otherVersions(attributes.resource, store);
  for (const rule of rules) {
    const found = others.find((each) => matchesRule(rule, attributes, each));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The other versions of a custom resource, served or not. */
function otherVersions({ name, kind, custom }: Resource, { current }: Store): string[] {
  if (!custom) return [];
  const definition = current.objects.get(`customresourcedefinitions.apiextensions.k8s.io//${name}`);
  const { spec } = (definition?.value ?? {}) as Partial<CustomResourceDefinition>;
  return spec?.versions.map((each) => each.name).filter((each) => each !== kind.version) ?? [];
}

function matchesRule(rule: NamedRuleWithOperations, attributes: AdmissionAttributes, version: string): boolean {
  const { operation, subresource = '', name } = attributes;
  const { kind } = attributes.resource;
  const { operations, apiGroups, apiVersions, resources = [], resourceNames = [], scope = '*' } = rule;
  return (
    (scope === '*' || scope === kind.scope) &&
    named(operations, operation) &&
    named(apiGroups, kind.group) &&
    named(apiVersions, version) &&
    resources.some((each) => {
      const [plural = '', sub = ''] = each.split('/');
      return named([plural], kind.plural) && named([sub], subresource);
    }) &&
    (resourceNames.length === 0 || resourceNames.includes(name))
  );
}

function named(names: readonly string[] = [], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

/** Whether the object selector matches the labels of the new or the old object. */
export function selectsObject({ objectSelector: selector }: Selection, attributes: AdmissionAttributes): boolean {
  if (isEmpty(selector)) return true;
  const { object, before } = attributes;
  return [object, before]
    .map((each) => (each as Partial<KubeObject> | undefined)?.metadata)
    .some((metadata) => metadata !== undefined && matchesLabelSelector(selector, metadata.labels));
}

/** Whether the namespace selector matches; a Namespace is matched by its new labels, cluster-scoped objects always. */
export function selectsNamespace(
  { namespaceSelector: selector }: Selection,
  { namespace, resource, subresource, object }: AdmissionAttributes,
  store: Store,
): boolean {
  if (namespace === undefined || isEmpty(selector)) return true;
  const isItself = resource.name === 'namespaces' && subresource === undefined && object !== undefined;
  const labelled = isItself ? object : store.current.objects.get(`namespaces//${namespace}`)?.value;
  if (labelled === undefined) throw notFound(Namespace, namespace);
  return matchesLabelSelector(selector, labelled.metadata.labels);
}

function isEmpty(selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return true;
  const { matchLabels, matchExpressions } = selector;
  if (matchExpressions !== undefined && matchExpressions.length > 0) return false;
  return matchLabels === undefined || Object.keys(matchLabels).length === 0;
}
