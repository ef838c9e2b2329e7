// SPDX-License-Identifier: Apache-2.0
import { isProblem } from '../../clients/credential.ts';
import { OpenBaoError } from '../../clients/openbao-error.ts';
import { needOf } from '../../clients/token-calls.ts';
import { upgradeMetrics } from '../../conditions/upgrade-metrics.ts';
import { calledWith, stepDownCredential } from '../credentials.ts';
import { labelsOf } from './measure-upgrade.ts';
import { serverIn } from './observe.ts';
import type { UpgradeContext } from './upgrade-context.ts';

/** Asks the leader to step down; returns why that is not possible. Whether it did is for the next pass to see. */
export async function askToStepDown(pod: string, context: UpgradeContext): Promise<string | undefined> {
  const { act, log, metrics, signal } = context;
  const server = serverIn(pod, context);
  const problem = await act(`ask ${pod} to step down`, async ({ openbao }) => {
    const credential = await stepDownCredential(context, server);
    if (isProblem(credential)) return credential.problem;
    log.info('asking the leader to step down', { pod, credential: credential.from });
    metrics.count(upgradeMetrics.stepDowns, labelsOf(context), 1);
    try {
      const called = { server, needs: needOf('stepDown'), context };
      const answer = await calledWith(credential, called, (token) => openbao.stepDown(server, token, signal));
      return isProblem(answer) ? answer.problem : undefined;
    } catch (error) {
      if (!(error instanceof OpenBaoError)) throw error;
      // Without an answer it may have stepped down.
      return error.failure === 'refused' ? error.message : undefined;
    }
  });
  if (problem !== undefined) metrics.count(upgradeMetrics.stepDownFailures, labelsOf(context), 1);
  return problem;
}
