// SPDX-License-Identifier: Apache-2.0
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** Which pods a script is for: those of whom everything holds. */
interface PodMatch {
  /** An image of one of their containers. */
  readonly image?: string | RegExp;
  readonly name?: string | RegExp;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What happens to pods, by what they are; without a script they are ready, or succeed, at once. */
export interface PodScripts {
  /** From now on this happens to such pods, running ones included at the node's next heartbeat; gives what ends it. */
  add(match: PodMatch, behavior: PodBehavior | ((pod: Pod) => PodBehavior)): () => void;
  /** The newest script for this pod. */
  behaviorOf(pod: Pod): PodBehavior;
}

/** No scripts yet. */
export function podScripts(): PodScripts {
  const scripts = new Set<{ match: PodMatch; behavior: (pod: Pod) => PodBehavior }>();
  return {
    add(match, behavior) {
      const script = { match, behavior: typeof behavior === 'function' ? behavior : () => behavior };
      scripts.add(script);
      return () => scripts.delete(script);
    },
    behaviorOf: (pod) => [...scripts].findLast(({ match }) => matches(match, pod))?.behavior(pod) ?? {},
  };
}

function matches({ image, name, namespace, labels = {} }: PodMatch, { metadata, spec }: Pod): boolean {
  const images = (spec?.containers ?? []).map((container) => container.image ?? '');
  return (
    (image === undefined || images.some((each) => fits(image, each))) &&
    (name === undefined || fits(name, metadata.name)) &&
    (namespace === undefined || namespace === metadata.namespace) &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
  );
}

function fits(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : wanted.test(text);
}
