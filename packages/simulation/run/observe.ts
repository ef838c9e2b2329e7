// SPDX-License-Identifier: Apache-2.0
import type { Change } from '@forge/apiserver/storage/store.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { changeLog, type ChangeLog } from '../outcome/change-log.ts';
import { isLasting } from '../outcome/end-state.ts';
import { writeRate } from '../outcome/write-rate.ts';
import type { ScenarioRun } from '../scenario/scenario.ts';
import type { World } from '../world/world.ts';

/**
 * Records every change, and checks rules and the write rate after it; checks invariants also after calls to external
 * systems and every minute.
 */
export function observe(
  { context, state: cluster }: World,
  { processes, rules = {}, invariants = {}, mostWritesPerMinute }: ScenarioRun,
): ChangeLog {
  const rateChecked = new Set(processes.filter(({ reliable }) => reliable !== true).map(({ name }) => name));
  const periodic = new Set(processes.filter((process) => process.periodic).map(({ name }) => name));
  const rate = writeRate(mostWritesPerMinute);
  const { store } = context.server;
  const changes = changeLog(store);
  let seen = store.current.revision;

  function check(what: string, description: string, holds: () => boolean): void {
    const broken = `rule violated after ${what}: ${description}`;
    try {
      if (!holds()) context.fail(broken);
    } catch (error) {
      // Thrown here, it would become the response to the writer.
      context.fail(`${broken}: ${String(error)}`);
    }
  }

  function checkInvariants(what: string): void {
    for (const [description, holds] of Object.entries(invariants))
      check(what, description, () => holds(cluster, context.clock.now()));
  }

  /** An invariant can be violated without any change. */
  function checkEveryMinute(): void {
    context.clock.after(minutes(1), () => {
      checkInvariants('a minute');
      checkEveryMinute();
    });
  }

  /** Leases are renewed forever, and Events of periodic processes can recur forever. */
  function isActivity({ object: { key } }: Change): boolean {
    return !key.startsWith('leases.') && (isLasting(key) || !periodic.has(context.writer));
  }

  function noteRate({ object: { key } }: Change): void {
    if (!rateChecked.has(context.writer) || !isLasting(key)) return;
    const tooMany = rate(context.writer, key, context.clock.now());
    if (tooMany !== undefined) context.fail(tooMany);
  }

  if (Object.keys(invariants).length > 0) checkEveryMinute();

  context.afterCall = (system) => checkInvariants(`a call to ${system}`);
  store.subscribe('', () => {
    for (let change = store.change(seen + 1); change !== undefined; change = store.change(seen + 1)) {
      seen = change.revision;
      changes.note(change, context.writer);
      noteRate(change);
      if (isActivity(change)) context.markActivity();
      const current = change;
      const what = `${current.type} ${current.object.key}`;
      for (const [description, holds] of Object.entries(rules))
        check(what, description, () => holds(cluster, current, context.writer));
      checkInvariants(what);
    }
  });
  return changes;
}
