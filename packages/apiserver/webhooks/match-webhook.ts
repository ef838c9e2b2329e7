// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, RuleWithOperations } from '@forge/kube/generated/types.ts';
import { type CustomResourceDefinition, Namespace } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { notFound } from '../messages/status-errors.ts';
import type { ServerContext } from '../request/server-context.ts';
import type { Resource } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import type { Webhook } from './calls/webhook-index.ts';
import { conditionsHold } from './match-conditions.ts';

/** A matching webhook, and the resource version it expects. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly version: string;
}

/** Matches a webhook against a request; undefined when it does not match. */
export function matchWebhook(
  webhook: Webhook,
  attributes: AdmissionAttributes,
  { store, authorizer }: ServerContext,
): Invocation | undefined {
  if (!selectsObject(webhook.objectSelector, attributes)) return undefined;
  const version = wantedVersion(webhook, attributes, store);
  if (version === undefined || !selectsNamespace(webhook.namespaceSelector, attributes, store)) return undefined;
  const invocation = { webhook, version };
  return conditionsHold(attributes, invocation, authorizer) ? invocation : undefined;
}

/** The version that a rule matches: the requested one, else an equivalent one unless matchPolicy is Exact. */
function wantedVersion(
  { rules = [], matchPolicy }: Webhook,
  attributes: AdmissionAttributes,
  store: Store,
): string | undefined {
  const { version } = attributes.resource.kind;
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
function otherVersions({ name, kind }: Resource, { current }: Store): string[] {
  const definition = current.objects.get(`customresourcedefinitions.apiextensions.k8s.io//${name}`);
  const { spec } = (definition?.value ?? {}) as Partial<CustomResourceDefinition>;
  return spec?.versions.map((each) => each.name).filter((each) => each !== kind.version) ?? [];
}

function matchesRule(rule: RuleWithOperations, attributes: AdmissionAttributes, version: string): boolean {
  const { operation, subresource = '' } = attributes;
  const { kind } = attributes.resource;
  const { operations, apiGroups, apiVersions, resources = [], scope = '*' } = rule;
  return (
    (scope === '*' || scope === kind.scope) &&
    named(operations, operation) &&
    named(apiGroups, kind.group) &&
    named(apiVersions, version) &&
    resources.some((each) => {
      const [plural = '', sub = ''] = each.split('/');
      return named([plural], kind.plural) && named([sub], subresource);
    })
  );
}

function named(names: readonly string[] = [], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

function selectsObject(selector: LabelSelector | undefined, { object, before }: AdmissionAttributes): boolean {
  if (isEmpty(selector)) return true;
  return [object, before]
    .map((each) => (each as Partial<KubeObject> | undefined)?.metadata)
    .some((metadata) => metadata !== undefined && matchesLabelSelector(selector, metadata.labels));
}

/** A Namespace is matched by its new labels; cluster-scoped objects always match. */
function selectsNamespace(
  selector: LabelSelector | undefined,
  { namespace, resource, subresource, object }: AdmissionAttributes,
  store: Store,
): boolean {
  if (namespace === undefined || isEmpty(selector)) return true;
  const isItself = resource.name === 'namespaces' && subresource === undefined && object !== undefined;
  const labelled = isItself ? object : store.current.objects.get(`namespaces//${namespace}`)?.value;
  if (labelled === undefined) throw notFound(Namespace, namespace);
  return matchesLabelSelector(selector, labelled.metadata.labels);
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
