// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Domain, User } from '@forge/kube/third-party/korc.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { modified } from '@forge/runtime/steps/modified.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { ContextOf } from '@forge/runtime/steps/step.ts';
import { namesOf } from '../api/names.ts';
import { korcReady as cases } from '../conditions/korc.ts';
import { childState } from '../objects/child-state.ts';
import { domainImport, userImport } from '../objects/korc/imports.ts';
import { isAvailable, terminalError, type KorcObject } from '../objects/korc/korc-object.ts';
import { withCurrentLogin } from './korc/current-login.ts';
import type { PendingImport } from './korc/mint-context.ts';
import { recreateTerminal } from './korc/recreate-terminal.ts';
import { passwordCloud } from './password-cloud.ts';
import { step } from './step.ts';

type ImportContext = ContextOf<typeof step, { passwordCloud: typeof passwordCloud }>;

/** Imports the default domain and the administrator. The output is the first import that is not available yet. */
export const imports = step({
  name: 'Imports',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { passwordCloud },
  owns: [owned(Domain, ['apply', 'remove']), owned(User, ['apply', 'remove'])],
  modifies: [modified(Domain, 'patch'), modified(User, 'patch')],
  async run(context) {
    const { object: controlPlane } = context;
    const domain = await pendingImport(Domain, domainImport(controlPlane), context);
    const user = await pendingImport(User, userImport(controlPlane), context);
    return ready({ output: { pending: domain ?? user } });
  },
});

async function pendingImport<R extends KorcObject>(
  kind: Kind<R>,
  wanted: R,
  context: ImportContext,
): Promise<PendingImport | undefined> {
  const { object: controlPlane, needs, get, apply } = context;
  const { name } = wanted.metadata;
  const found = get(kind, name);
  const pending = (error?: string) => ({ kind: kind.kind === 'Domain' ? 'Domain' : 'User', name, error }) as const;
  return await failOnError(
    (error) => cases.importsRefused({ error }),
    async () => {
      if (found !== undefined && childState(found, controlPlane) === 'terminating') {
        await withCurrentLogin(kind, found, namesOf(controlPlane).passwordCloud, context);
        return pending();
      }
      const live = await apply(wanted);
      const error = terminalError(live);
      if (error !== undefined) await recreateTerminal(kind, live, needs.passwordCloud, context);
      return isAvailable(live) && error === undefined ? undefined : pending(error);
    },
  );
}
