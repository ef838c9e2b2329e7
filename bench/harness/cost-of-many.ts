// SPDX-License-Identifier: Apache-2.0
import type { Figure } from './figure.ts';
import { median, ratios } from './measure.ts';
import type { Settled } from './settled-operator.ts';

/** The parameters of a comparison. */
interface Comparison {
  /** The resources: `Keystones`. */
  resources: string;
  few: number;
  many: number;
  rounds: number;
  /** The operator with this many resources. */
  settled: (count: number) => Promise<Settled>;
}

/** The cost of a reconcile without a change, with many resources compared with few. */
export async function costOfMany({ resources, few, many, rounds, settled }: Comparison): Promise<Figure> {
  const [ofFew, ofMany] = [await settled(few), await settled(many)];
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    times.few.push((await ofFew.passes(many / few)).time);
    times.many.push((await ofMany.passes(1)).time);
  }
  await Promise.all([ofFew.stop(), ofMany.stop()]);
  return {
    what: `time of a pass of ${many.toLocaleString('en-US')} ${resources}, against ${few}`,
    samples: ratios(times.many, times.few).slice(1),
    unit: '×',
    goal: { atMost: 1.1 },
    ratio: `${median(times.many.slice(1)).toFixed(2)} to ${median(times.few.slice(1)).toFixed(2)} ms`,
  };
}
