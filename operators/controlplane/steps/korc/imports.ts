// SPDX-License-Identifier: Apache-2.0
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { Domain, User } from '@forge/kube/third-party/korc.ts';
import { failOnError } from '@forge/runtime/steps/fail-on-error.ts';
import { ready } from '@forge/runtime/steps/outcome.ts';
import { owned } from '@forge/runtime/steps/owned.ts';
import type { StepContext } from '@forge/runtime/steps/step-context.ts';
import { touched } from '@forge/runtime/steps/touched.ts';
import { korcReady as rows } from '../../contract/korc.ts';
import type { ControlPlane } from '../../control-plane.ts';
import { namesOf } from '../../names.ts';
import { childState } from '../../objects/child-state.ts';
import { domainImport, userImport } from '../../objects/korc/imports.ts';
import { isAvailable, terminalError, type KorcObject } from '../../objects/korc/korc-object.ts';
import { step, type Services } from '../../step.ts';
import { withCurrentLogin } from './current-login.ts';
import type { PasswordCloud } from './mint-context.ts';
import { passwordCloud } from './password-cloud.ts';
import { recreateTerminal } from './recreate-terminal.ts';

/** An import that the credential waits for, and why K-ORC gave up on it, if it did. */
export interface PendingImport {
  readonly kind: 'Domain' | 'User';
  readonly name: string;
  readonly error: string | undefined;
}

type ImportContext = StepContext<ControlPlane, Services, { readonly passwordCloud: PasswordCloud }>;

/** Imports the default domain and the administrator. Gives the first that is not there yet. */
export const imports = step({
  name: 'Imports',
  condition: { type: 'KORCReady', helperOf: 'KORC' },
  needs: { passwordCloud },
  owns: [owned(Domain, ['apply', 'remove']), owned(User, ['apply', 'remove'])],
  touches: [touched(Domain, 'patch'), touched(User, 'patch')],
  async run(context) {
    const { object: controlPlane } = context;
    const domain = await pendingImport(Domain, domainImport(controlPlane), context);
    const user = await pendingImport(User, userImport(controlPlane), context);
    return ready(rows.minted(), { output: { pending: domain ?? user } });
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
    (error) => rows.importsRefused({ error }),
    async () => {
      if (found !== undefined && childState(found, controlPlane) === 'leaving') {
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
