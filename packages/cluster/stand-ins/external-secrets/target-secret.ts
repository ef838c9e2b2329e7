// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Secret } from '@forge/kube/kinds/builtin.ts';
import { groupOf, refOf, type OwnerReference } from '@forge/kube/objects/object.ts';
import type { ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { hashOf } from './refresh.ts';

/** The label of Secrets that External Secrets manages. */
export const managedLabel = 'reconcile.external-secrets.io/managed';
/** The label that identifies the ExternalSecret of a Secret. */
export const createdByLabel = 'reconcile.external-secrets.io/created-by';
const dataHash = 'reconcile.external-secrets.io/data-hash';

/** The name of the Secret of an ExternalSecret. */
export function targetName({ metadata, spec }: ExternalSecret): string {
  return spec.target?.name ?? metadata.name;
}

/** The field manager of its writes to its Secret; a long name is replaced by its digest. */
export function targetManager({ metadata: { name } }: ExternalSecret): string {
  const manager = `externalsecrets.external-secrets.io/${name}`;
  if (manager.length <= 63) return manager;
  return `externalsecrets.external-secrets.io/sha3/${createHash('sha3-224').update(name).digest('hex')}`;
}

/** The value of `created-by` on its Secrets. */
export function creatorOf(externalSecret: ExternalSecret): string {
  return hashOf(refOf(externalSecret));
}

/**
 * Whether the owner is the ExternalSecret or an earlier one of its name: like External Secrets, this ignores the uid.
 */
export function refersTo(owner: OwnerReference, { apiVersion, kind, metadata }: ExternalSecret): boolean {
  const isSameKind = owner.kind === kind && groupOf(owner.apiVersion) === groupOf(apiVersion);
  return isSameKind && owner.name === metadata.name;
}

/** Whether the Secret is as it was written: it exists, has its label, and its content is unchanged. */
export function isIntact(secret: Secret | undefined): boolean {
  const { labels = {}, annotations = {} } = secret?.metadata ?? {};
  return labels[managedLabel] === 'true' && annotations[dataHash] === hashOf(secret?.data ?? {});
}

/** The Secret with the data of the provider: data is replaced as a whole, finalizers of others are kept. */
export function targetSecret(
  externalSecret: ExternalSecret,
  existing: Secret | undefined,
  values: Readonly<Record<string, string>>,
): Secret {
  const { metadata, spec } = externalSecret;
  const { template, creationPolicy = 'Owner', immutable } = spec.target ?? {};
  const data = { ...(isMerging(externalSecret) && existing?.data), ...encoded(rendered(template, values)) };
  const wanted = template === undefined ? metadata : (template.metadata ?? {});
  const labels = {
    ...existing?.metadata.labels,
    ...wanted.labels,
    [managedLabel]: 'true',
    ...(creationPolicy === 'Owner' && { [createdByLabel]: creatorOf(externalSecret) }),
  };
  const annotations = { ...existing?.metadata.annotations, ...wanted.annotations, [dataHash]: hashOf(data) };
  const owners = (existing?.metadata.ownerReferences ?? []).filter((owner) => !refersTo(owner, externalSecret));
  const reference = creationPolicy === 'Owner' ? [controllerReference(externalSecret)] : [];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    ...(existing?.type !== undefined
      ? { type: existing.type }
      : template?.type !== undefined && { type: template.type }),
    ...(immutable === true && { immutable }),
    metadata: {
      name: targetName(externalSecret),
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...existing?.metadata,
      labels,
      annotations,
      ownerReferences: [...owners, ...reference],
    },
    data,
  };
}

/** Whether the data is merged into existing data instead of replacing it. */
function isMerging({ spec }: ExternalSecret): boolean {
  return ['Merge', 'CreateOrMerge'].includes(spec.target?.creationPolicy ?? 'Owner');
}

type Template = NonNullable<NonNullable<ExternalSecret['spec']['target']>['template']>;

/** With a template, only its keys exist, unless it merges. */
function rendered(template: Template | undefined, values: Readonly<Record<string, string>>): Record<string, string> {
  if (template?.data === undefined) return values;
  const texts = Object.entries(template.data).map(([key, text]) => [key, render(text, values)] as const);
  return { ...(template.mergePolicy === 'Merge' && values), ...Object.fromEntries(texts) };
}

function render(text: string, values: Readonly<Record<string, string>>): string {
  const result = text.replace(/\{\{-?\s*\.([-\w]+)\s*-?\}\}/g, (_, key: string) => values[key] ?? '<no value>');
  if (result.includes('{{')) throw new Error(`this stand-in renders only {{ .key }}, not ${text}`);
  return result;
}

function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}
