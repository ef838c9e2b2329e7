// SPDX-License-Identifier: Apache-2.0
import { embeddedWire } from '@forge/apiserver/conformance/wires/embedded-wire.ts';
import { inProcessTransport } from '@forge/apiserver/wire/in-process-transport.ts';
import { client } from '@forge/kube/client/client.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { workloadControllers } from '../../controllers.ts';
import type { Stage } from './play.ts';

/** Those without a counterpart in the recordings: the case is scheduler and kubelet, and no claim is bound. */
const omitted = new Set([
  'default-scheduler',
  'node-controller',
  'node-lifecycle-controller',
  'persistentvolume-binder',
]);

/** Cases begin this long after a full minute. */
export const casesBegin = 3;

/** Of virtual time: cases need no more, and those that meet a seeded bug would run on. */
const maxWait = minutes(3);

/** An embedded API server with our controllers, in memory and on a virtual clock. */
export async function embeddedStage(): Promise<Stage & AsyncDisposable> {
  const clock = virtualClock(Date.UTC(2026, 0, 1, 0, 0, casesBegin));
  const random = seededRandom();
  const wire = await embeddedWire(clock);
  // Retries are part of the scenarios, so that logged errors are no failures.
  const log = logger({ clock, level: 'error', write: () => {} });
  const running = manager({ client: client(inProcessTransport(wire.server)), clock, random, log });
  for (const controller of workloadControllers()) if (!omitted.has(controller.name)) running.add(controller);
  await running.start();
  return {
    wire: { ...wire, until: (condition) => clock.until(condition, maxWait) },
    pass: (span) => clock.advance(seconds(span)),
    async [Symbol.asyncDispose]() {
      await running.stop();
      await wire.close();
    },
  };
}
