// SPDX-License-Identifier: Apache-2.0
import { sleep, type Clock } from '@forge/runtime/environment/clock.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import type { OpenBaoServer } from '../clients/openbao-call.ts';
import type { OpenBaoReader } from '../clients/openbao-services.ts';
import { ExecutorFailure } from './executor-failure.ts';

interface LeaderSearch {
  readonly openbao: Pick<OpenBaoReader, 'health'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What comes before each round, and how long all of them may take. */
const pauses = [now, seconds(1), seconds(2), seconds(4), seconds(8)];
const patience = seconds(30);

/** The server that leads. One that was just deposed may still report that it leads: with two answers, all are asked again. */
export async function findLeader(servers: readonly OpenBaoServer[], search: LeaderSearch): Promise<OpenBaoServer> {
  const { clock, signal } = search;
  const expired = new AbortController();
  const stop = clock.after(patience, () => expired.abort());
  const bounded = { ...search, signal: AbortSignal.any([signal, expired.signal]) };
  let observed: readonly string[] = [];
  try {
    for (const pause of pauses) {
      await sleep(clock, pause, bounded.signal);
      const states = await Promise.all(servers.map((server) => stateOf(server, bounded)));
      const [leader, ...others] = servers.filter((_, index) => states[index] === leads);
      if (leader !== undefined && others.length === 0) return leader;
      if (!expired.signal.aborted) observed = servers.map(({ url }, index) => `${hostOf(url)} ${states[index]}`);
    }
  } catch (error) {
    if (!expired.signal.aborted) throw error;
  } finally {
    stop();
  }
  signal.throwIfAborted();
  const seen = observed.length === 0 ? 'no server answered in time' : observed.join(', ');
  throw new ExecutorFailure('leader', `no server leads: ${seen}`);
}

const leads = 'leads';

/** What a server is, in words that follow its name. */
async function stateOf(server: OpenBaoServer, { openbao, signal }: LeaderSearch): Promise<string> {
  try {
    const { initialized, sealed, standby } = await openbao.health(server, signal);
    if (!initialized) return 'is not initialised';
    if (sealed) return 'is sealed';
    return standby ? 'is a standby' : leads;
  } catch (error) {
    return `does not answer (${errorText(error)})`;
  }
}

/** The name of the pod. */
const hostOf = (url: string) => new URL(url).hostname.split('.', 1).join();
