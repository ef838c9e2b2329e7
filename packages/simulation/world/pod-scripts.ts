// SPDX-License-Identifier: Apache-2.0
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';

/** Selects the pods of a script: all given fields must match. */
interface PodMatch {
  /** The image of one of their containers. */
  readonly image?: string | RegExp;
  readonly name?: string | RegExp;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Scripted behavior of pods; without a script they become ready, or succeed, immediately. */
export interface PodScripts {
  /**
   * Sets the behavior of matching pods, of running ones from the node's next heartbeat on; returns a function that
   * removes it.
   */
  add(match: PodMatch, behavior: PodBehavior | ((pod: Pod) => PodBehavior)): () => void;
  /** The behavior of this pod by its newest script. */
  behaviorOf(pod: Pod): PodBehavior;
}

/** Creates an empty set of scripts. */
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
