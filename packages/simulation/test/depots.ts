// SPDX-License-Identifier: Apache-2.0
import { Job, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { kind, type ObjectOf } from '@forge/kube/kinds/kind.ts';
import { conditions } from '@forge/kube/schema/schema-types.ts';
import { conditionCases } from '@forge/runtime/conditions/cases.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { stepController } from '@forge/runtime/engine/step-controller.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { jobKeyOf, keyedJob } from '@forge/runtime/jobs/job-key.ts';
import { jobPods, runJob } from '@forge/runtime/jobs/run-job.ts';
import { deletionStepFor } from '@forge/runtime/steps/deletion-step.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { blocked, degraded, ready, waiting } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import { reads, readsIndexed, readsLabelled } from '@forge/runtime/steps/reads.ts';
import { stepFor, type Services as OutsideServices } from '@forge/runtime/steps/step.ts';
import { Type } from 'typebox';

const facts = { group: 'sample.forge.c5c3.io', version: 'v1' };

/** A resource whose operator uses every feature of steps. */
export const Depot = kind({
  ...facts,
  kind: 'Depot',
  plural: 'depots',
  description: 'A depot.',
  spec: Type.Object({ image: Type.String(), paused: Type.Boolean({ default: false }) }),
  status: Type.Object({
    observedGeneration: Type.Optional(Type.Integer()),
    built: Type.Optional(Type.String()),
    phase: Type.Optional(Type.String()),
    conditions: conditions(),
  }),
});
export type Depot = ObjectOf<typeof Depot>;

/** A third-party kind that is installed and removed. */
export const Route = kind({
  ...facts,
  kind: 'Route',
  plural: 'routes',
  description: 'A route.',
  spec: Type.Object({ to: Type.String() }),
  status: Type.Object({ conditions: conditions() }),
});

/** Systems outside the cluster. */
type Services = OutsideServices<object, { close: (depot: string) => Promise<void> }>;

const step = stepFor<Depot, Services>();
const secret = (name: string, data: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data,
});

const siblings = readsIndexed<Depot, Services, Depot>(Depot, {
  wanted: ({ metadata }) => [metadata.namespace ?? ''],
  valuesOf: ({ metadata }) => [metadata.namespace ?? ''],
});

const duplicate = step({
  name: 'Duplicate',
  conditions: ['Ready'],
  reads: [siblings],
  async run({ object, select }) {
    const holder = select(siblings).find(({ metadata }) => (metadata.finalizers ?? []).length > 0);
    const [first] = select(siblings).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    const incumbent = holder ?? first;
    if (incumbent === undefined || incumbent.metadata.uid === object.metadata.uid) return ready('Alone', '');
    const text = {
      status: 'False',
      reason: 'Parked',
      message: `parked: ${incumbent.metadata.name} was first`,
    } as const;
    return waiting('Parked', '', seconds(30), { conditions: { Ready: text } });
  },
});

const paused = step({
  name: 'Paused',
  conditions: ['Ready', 'Built'],
  async run({ object }) {
    if (!object.spec.paused) return ready('Running', '');
    const text = { status: 'Unknown', reason: 'Paused', message: 'reconciliation is paused' } as const;
    return blocked('Paused', '', { conditions: { Ready: text, Built: text } });
  },
});

const value = step({
  name: 'Value',
  condition: 'CredentialReady',
  owns: [owned(Secret, 'apply', { part: 'value' })],
  async run({ object, apply }) {
    await apply(secret(`${object.metadata.name}-credential`, { value: btoa(object.metadata.name) }), { part: 'value' });
    return ready('Written', '');
  },
});

const document = step({
  name: 'Document',
  condition: 'CredentialReady',
  needs: { value },
  owns: [owned(Secret, 'apply', { part: 'document' })],
  async run({ object, apply }) {
    const data = { document: btoa(`use ${object.spec.image}`) };
    await apply(secret(`${object.metadata.name}-credential`, data), { part: 'document' });
    return ready('Written', '');
  },
});

const keys = step({
  name: 'Keys',
  condition: 'KeysReady',
  owns: [owned(Secret, ['create', 'adopt'])],
  async run({ object, create }) {
    await create(secret(`${object.metadata.name}-keys`, { key: btoa('kept') }), { retainOnDelete: true, adopt: true });
    return ready('Kept', '');
  },
});

const routing = step({
  name: 'Routing',
  condition: { type: 'Routed', informational: true },
  owns: [Route],
  async run({ object, apply, isInstalled }) {
    if (!isInstalled(Route)) return degraded('NoRoutes', 'Route is not installed in this cluster');
    const { apiVersion } = Route;
    await apply({
      apiVersion,
      kind: 'Route',
      metadata: { name: object.metadata.name },
      spec: { to: object.spec.image },
    });
    return ready('Routed', '');
  },
});

const visitors = readsLabelled<Depot, Services, Pod>(Pod, ({ metadata }) => ({ visits: metadata.name }));

const greeting = step({
  name: 'Greeting',
  reads: [visitors],
  modifies: [modified(Pod, 'patch')],
  async run({ object, select, patch }) {
    const metadata = { annotations: { 'sample.forge.c5c3.io/greeted-by': object.metadata.name } };
    await Promise.all(select(visitors).map((pod) => patch(Pod, pod, { metadata })));
    return ready('Greeted', '');
  },
});

const cases = conditionCases('Built', {
  running: { status: 'False', reason: 'Building', message: 'the build runs', recheck: seconds(15), suffix: 'optional' },
  failed: { status: 'False', reason: 'Failed', message: 'the build failed', recheck: seconds(15), suffix: 'optional' },
  done: { status: 'True', reason: 'Built', message: '{image} is built' },
});

const buildPods = jobPods<Depot, Services>(({ metadata }) => `${metadata.name}-build`);

const build = step({
  name: 'Build',
  condition: 'Built',
  needs: { document },
  owns: [owned(Job, ['create', 'remove'])],
  reads: [buildPods],
  writes: ['built'],
  async run({ object, ...context }) {
    const { image } = object.spec;
    const job = buildJob(object);
    const completed = object.status?.built;
    const { state, problem: trouble } = await runJob(job, { pods: buildPods, completed }, context);
    if (state === 'running') return waiting(cases.running(undefined, trouble));
    if (state === 'failed') return waiting(cases.failed(undefined, trouble));
    return ready(cases.done({ image }), { status: { built: jobKeyOf(job) } });
  },
});

const summary = step({
  name: 'Summary',
  conditions: [{ type: 'Degraded', inverse: true, informational: true }],
  writes: ['phase'],
  async run({ pending }) {
    const built = pending.conditions?.find(({ type }) => type === 'Built');
    const status = built?.status === 'True' ? 'False' : 'True';
    const text = { status, reason: built?.reason ?? 'Unbuilt', message: '' } as const;
    return ready('Summed', '', { status: { phase: built?.reason }, conditions: { Degraded: text } });
  },
});

const closing = deletionStepFor<Depot, Services>()({
  name: 'Closing',
  finalizer: 'sample.forge.c5c3.io/closing',
  reads: [reads(Secret, ({ metadata }) => [`${metadata.name}-keys`])],
  async run({ object: { metadata }, act }) {
    await act(`close ${metadata.name}`, ({ close }) => close(metadata.name));
    return ready('Closed', '');
  },
});

/** The Depot controller. */
export const depotController = (close: Services['acting']['close']): Controller =>
  stepController<Depot, Services>({
    name: 'depot-controller',
    for: Depot,
    guards: { beforeFinalizers: duplicate, afterFinalizers: paused },
    steps: [value, document, keys, routing, greeting, build],
    summary,
    deletion: [closing],
    services: { reading: {}, acting: { close } },
    fieldManager: 'depots',
    metricPrefix: 'depots_operator',
  });

function buildJob({ metadata, spec }: Depot): Job {
  const containers = [{ name: 'build', image: spec.image }];
  return keyedJob({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${metadata.name}-build` },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  });
}
