// SPDX-License-Identifier: Apache-2.0
import { identity } from './identity.ts';
import type { Up } from './up.ts';

/** Seconds that each phase took. */
export type Phases = Record<string, number>;

/** Uses the Keystone as its users do, and throws at the first answer that is not as it should be. */
export async function checkKeystone({ url, adminPassword }: Up, timed: Timed): Promise<void> {
  const keystone = identity(url);
  const token = await timed('token', () => keystone.login(adminPassword));
  if (token === undefined) throw new Error(`${url} refused the administrator's own password`);

  const refused = await timed('wrongPassword', () => keystone.login(`not-${adminPassword}`));
  if (refused !== undefined) throw new Error(`${url} issued a token for a wrong password`);

  const user = await timed('validate', () => keystone.validate(token));
  if (user !== 'admin') throw new Error(`${url} says the token belongs to ${user}, not to admin`);

  const name = 'forge-check';
  await timed('createProject', () => keystone.createProject(token, name));
  const projects = await timed('listProjects', () => keystone.projects(token));
  if (!projects.includes(name)) throw new Error(`${url} lists ${projects.join(', ')}, but not the new ${name}`);
}

/** Runs one phase and remembers how long it took. */
export type Timed = <T>(phase: string, run: () => Promise<T>) => Promise<T>;

/** A way to time phases by this clock, and the seconds so far. */
export function stopwatch(now: () => number): { phases: Phases; timed: Timed } {
  const phases: Phases = {};
  return {
    phases,
    async timed(phase, run) {
      const start = now();
      try {
        return await run();
      } finally {
        phases[phase] = Math.round(now() - start) / 1000;
      }
    },
  };
}
