// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { keyOf } from '../objects/object-key.ts';
import type { Metric, Metrics } from './metrics.ts';

/** Metrics that belong to resources. */
export interface ResourceMetrics {
  /** Records metrics of this resource; those of an earlier resource of the same name are removed. */
  of(ref: ObjectRef, uid: string | undefined): Metrics;
  /** Removes all series of a deleted resource. */
  drop(ref: ObjectRef): void;
}

interface Owned {
  uid: string | undefined;
  metrics: Metrics;
  /** Functions that remove each series, by name and labels. */
  series: Map<string, () => void>;
}

/** Records metrics and remembers to which resource they belong. */
export function resourceMetrics(metrics: Metrics): ResourceMetrics {
  const owned = new Map<string, Owned>();

  function recordingMetrics(series: Owned['series']): Metrics {
    function remember<L extends string>(metric: Metric<L>, labels: Readonly<Record<L, string>>): void {
      const key = JSON.stringify([metric.name, labels]);
      if (!series.has(key)) series.set(key, () => metrics.remove(metric, labels));
    }
    return {
      count(metric, labels, by) {
        remember(metric, labels);
        metrics.count(metric, labels, by);
      },
      set(metric, labels, value) {
        remember(metric, labels);
        metrics.set(metric, labels, value);
      },
      sample(metric, labels, read) {
        remember(metric, labels);
        metrics.sample(metric, labels, read);
      },
      observe(metric, labels, value) {
        remember(metric, labels);
        metrics.observe(metric, labels, value);
      },
      remove: (metric, labels) => metrics.remove(metric, labels),
    };
  }

  function drop(ref: ObjectRef): void {
    for (const remove of owned.get(keyOf(ref))?.series.values() ?? []) remove();
    owned.delete(keyOf(ref));
  }

  return {
    of(ref, uid) {
      const known = owned.get(keyOf(ref));
      if (known !== undefined && known.uid === uid) return known.metrics;
      drop(ref);
      const series: Owned['series'] = new Map();
      const fresh = { uid, series, metrics: recordingMetrics(series) };
      owned.set(keyOf(ref), fresh);
      return fresh.metrics;
    },
    drop,
  };
}
