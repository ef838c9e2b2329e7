// SPDX-License-Identifier: Apache-2.0
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesFields, matchesLabels, parseFieldSelector } from '@forge/kube/selectors/selector.ts';
import { selectorLengthProblem } from '../formats/selector-limit.ts';
import { badRequest } from '../messages/status-errors.ts';
import type { Resource } from '../resources/resource.ts';
import type { StoredObject } from '../storage/stored-object.ts';

/** Whether an object matches the selectors of a request. */
export type ObjectFilter = (object: StoredObject) => boolean;

/** Parses the label and field selectors of a list, watch or deletecollection. */
export function selectionOf(resource: Resource, query: Readonly<Record<string, string>>): ObjectFilter {
  const labelSelector = query['labelSelector'] ?? '';
  const fieldSelector = query['fieldSelector'] ?? '';
  if (labelSelector === '' && fieldSelector === '') return selectAll;
  const labels = parse(parseLabelSelector, labelSelector);
  const fields = parse(parseFieldSelector, fieldSelector);
  const values = labels.reduce((sum, requirement) => sum + requirement.values.length, 0);
  const problem = selectorLengthProblem(labels.length + fields.length, values);
  if (problem !== undefined) throw badRequest(problem);
  for (const { path } of fields) if (!isSelectable(resource, path)) throw badRequest(notSelectable(resource, path));
  return (object) =>
    matchesLabels(labels, object.value.metadata.labels) && matchesFields(fields, selectedOf(resource, object));
}

/** The object that field selectors are matched against. */
function selectedOf({ toServed, strategy }: Resource, object: StoredObject): object {
  const { value } = toServed(object);
  return strategy.selectableObject?.(value) ?? value;
}

/** Matches every object. */
export function selectAll(): boolean {
  return true;
}

function isSelectable({ strategy }: Resource, path: string): boolean {
  return (
    path === 'metadata.name' || path === 'metadata.namespace' || strategy.selectableFields?.includes(path) === true
  );
}

/** kube-apiserver's message differs for kinds with selectable fields. */
function notSelectable({ strategy, custom }: Resource, path: string): string {
  if (custom || strategy.selectableFields !== undefined) return `field label not supported: ${path}`;
  return `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function parse<T>(parser: (text: string) => T, text: string): T {
  try {
    return parser(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}
