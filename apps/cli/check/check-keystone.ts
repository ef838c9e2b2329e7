// SPDX-License-Identifier: Apache-2.0
import { identity, passwordLogin } from '../up/identity.ts';
import type { Up } from '../up/up.ts';

/** The duration of each phase, in seconds. */
export type Phases = Record<string, number>;

/** Uses Keystone like a client, and throws at the first unexpected response. */
export async function checkKeystone({ url, adminPassword }: Up, timed: Timed): Promise<void> {
  const keystone = identity(url);
  const token = await timed('token', () => keystone.login(passwordLogin(adminPassword)));
  if (token === undefined) throw new Error(`${url} rejected the administrator's password`);

  const refused = await timed('wrongPassword', () => keystone.login(passwordLogin(`not-${adminPassword}`)));
  if (refused !== undefined) throw new Error(`${url} issued a token for a wrong password`);

  const user = await timed('validate', () => keystone.validate(token));
  if (user !== 'admin') throw new Error(`${url} reports that the token belongs to ${user}, not to admin`);

  const name = 'forge-check';
  await timed('createProject', () => keystone.createProject(token, name));
  const projects = await timed('listProjects', () => keystone.projects(token));
  if (!projects.includes(name)) throw new Error(`${url} lists ${projects.join(', ')}, but not the new ${name}`);
}

/** Runs one phase and records its duration. */
export type Timed = <T>(phase: string, run: () => Promise<T>) => Promise<T>;

/** Times phases with this clock. */
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
