// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesLabels, type LabelRequirement } from '@forge/kube/selectors/selector.ts';

/** A label selector that list and watch carry: what it does not select is neither sent nor cached. */
export interface WatchSelector {
  /** As the server gets it. */
  readonly text: string;
  readonly requirements: readonly LabelRequirement[];
}

/** The selector of this text; throws when it is malformed. */
export function watchSelector(text: string | undefined): WatchSelector | undefined {
  return text === undefined ? undefined : { text, requirements: parseLabelSelector(text) };
}

/** Whether a watch with this selector, or with none, shows the object. */
export function isWatchedBy(selector: WatchSelector | undefined, { metadata }: KubeObject): boolean {
  return selector === undefined || matchesLabels(selector.requirements, metadata.labels);
}
