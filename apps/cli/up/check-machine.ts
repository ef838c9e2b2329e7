// SPDX-License-Identifier: Apache-2.0
import { missingRequirements } from '@forge/cluster/node/requirements.ts';
import { CliError } from '../terminal/cli-error.ts';
import { exitCodes } from '../terminal/exit-code.ts';

/** Throws when this machine cannot run the node; the error says what is missing, why it is needed, and what to do. */
export async function checkMachine(): Promise<void> {
  const missing = await missingRequirements();
  if (missing.length === 0) return;
  const texts = missing.map(({ what, why, remedy }) => `${what}\n  Why:        ${why}\n  What to do: ${remedy}`);
  throw new CliError(['This machine cannot run a local cluster.', ...texts].join('\n\n'), exitCodes.machine.code);
}
