// SPDX-License-Identifier: Apache-2.0
import { CustomResourceDefinition } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { Certificate, Theme, Website, websitesOperator } from '@forge/websites/websites.ts';
import type { Figure } from '../harness/figure.ts';
import { median, rates, ratios } from '../harness/measure.ts';
import { settledOperator, type Passes, type Settled } from '../harness/settled-operator.ts';

const few = 10;
const many = 5000;
const rounds = 9;
const namespace = 'default';

/** No-op reconciles of the sample operator, with few resources and with many in the cluster. */
export async function reconcile(): Promise<Figure[]> {
  const [ofFew, ofMany] = [await settledWebsites(few), await settledWebsites(many)];
  const samples: { few: Passes; many: Passes }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    samples.push({ few: await ofFew.passes(many / few), many: await ofMany.passes(1) });
  }
  await Promise.all([ofFew.stop(), ofMany.stop()]);
  // The first round warms up.
  const counted = samples.slice(1);
  const manyTimes = counted.map((sample) => sample.many.time);
  const operations = counted.map((sample) => sample.many.operations - sample.few.operations);
  return [
    {
      what: `passes without a change, of ${many.toLocaleString('en-US')} resources`,
      samples: rates(1, manyTimes),
      unit: '/s',
      goal: { atLeast: 10_000 },
      ratio: `a pass makes ${median(counted.map((sample) => sample.many.operations))} operations on the cache`,
    },
    {
      what: `more operations a pass than of ${few} resources`,
      samples: operations,
      statistic: 'max',
      unit: '',
      goal: { atMost: 0 },
    },
    {
      what: `time of a pass, against ${few} resources`,
      samples: ratios(
        manyTimes,
        counted.map((sample) => sample.few.time),
      ),
      unit: '×',
      goal: { atMost: 1.25 },
    },
  ];
}

/** The sample operator with this many resources. */
async function settledWebsites(count: number): Promise<Settled> {
  return await settledOperator({
    async create(user) {
      for (const kind of [Website, Theme, Certificate]) await user.create(CustomResourceDefinition, crdOf(kind));
      await user.create(Theme, { ...typeOf(Theme), metadata: { namespace, name: 'plain' }, spec: { color: 'red' } });
      for (let index = 0; index < count; index += 1) {
        const metadata = { namespace, name: `site-${index}` };
        await user.create(Website, { ...typeOf(Website), metadata, spec: { theme: 'plain', text: `Site ${index}` } });
      }
    },
    controllers: websitesOperator({ farewell: async () => {} }).controllers(),
  });
}

function typeOf<K extends { apiVersion: string; kind: string }>(kind: K): Pick<K, 'apiVersion' | 'kind'> {
  return { apiVersion: kind.apiVersion, kind: kind.kind };
}
