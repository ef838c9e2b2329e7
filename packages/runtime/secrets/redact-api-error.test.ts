// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, type StatusReason } from '@forge/kube/errors/api-error.ts';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { jsonLine, terminalLine } from '../observability/logger.ts';
import { retryAfter } from '../queue/reconcile-error.ts';
import { ready } from '../steps/outcome.ts';
import { owned } from '../steps/owned.ts';
import { siteOperator } from '../test/site-operator.ts';
import { keysWith, step } from '../test/site-steps.ts';
import { redactApiError } from './redact-api-error.ts';

const keys = keysWith(Buffer.from('hunter2').toString('base64'));

/** A refusal whose every text quotes the content. */
function quoting(code: number, reason: StatusReason): ApiError {
  const { status } = refusal(code, reason, 'data[key]: Invalid value: "hunter2"');
  const causes = [{ reason: 'FieldValueInvalid', message: 'Invalid value: "hunter2"', field: 'data[key]' }];
  return new ApiError({ ...status, details: { name: 'keys', kind: 'secrets', retryAfterSeconds: 5, causes } });
}

const create = step({
  name: 'Keys',
  condition: 'KeysReady',
  owns: [owned(Secret, 'create')],
  async run(context) {
    await context.create(keys);
    return ready('Fine', '');
  },
});

describe('the rejection of a Secret', () => {
  for (const [code, reason] of [
    [400, 'BadRequest'],
    [403, 'Forbidden'],
    [413, 'RequestEntityTooLarge'],
    [422, 'Invalid'],
    [500, 'InternalError'],
  ] as const) {
    test(`as ${reason} puts nothing of its content into status or logs`, async () => {
      await using operator = await siteOperator();
      operator.cluster.connection.intercept = ({ method, path }) => {
        if (method === 'POST' && path.endsWith('/secrets')) throw quoting(code, reason);
      };
      await operator.start(create);
      const lines = operator.cluster.logged.flatMap((entry) => [jsonLine(entry), terminalLine(entry)]);
      assert.match(lines.join('\n'), new RegExp(`${reason}: data\\[key\\]`));
      assert.doesNotMatch(lines.join('\n'), /hunter2/);
      assert.doesNotMatch(JSON.stringify(await operator.site()), /hunter2/);
    });
  }

  test('is reported in the condition by its reason and the names of the fields', async () => {
    await using operator = await siteOperator();
    operator.cluster.connection.intercept = ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/secrets')) throw quoting(422, 'Invalid');
    };
    await operator.start(create);
    const [condition] = (await operator.site()).status?.conditions ?? [];
    const message = 'Secret keys was refused: Invalid: data[key]';
    assert.deepEqual([condition?.reason, condition?.message], ['ApplyRejected', message]);
  });

  test('keeps what the engine needs: reason, code and retry delay', async () => {
    const error = await redactApiError(keys, Promise.reject(quoting(429, 'TooManyRequests'))).catch((e: unknown) => e);
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.reason, error.code, retryAfter(error)], ['TooManyRequests', 429, 5000]);
  });

  test('without a reason is reported by its code', async () => {
    const { reason: _, ...status } = quoting(418, 'Invalid').status;
    const request = redactApiError(keys, Promise.reject(new ApiError({ ...status, details: {} })));
    await assert.rejects(request, { message: 'Secret keys: HTTP 418' });
  });
});

describe('what is passed on unchanged', () => {
  test('a response, the rejection of another kind, and other errors', async () => {
    assert.equal(await redactApiError(keys, Promise.resolve('answer')), 'answer');
    const said = refusal(422, 'Invalid', 'data: Invalid value: "no"');
    const page = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'home-page' } };
    await assert.rejects(redactApiError(page, Promise.reject(said)), said);
    const broken = new Error('connection reset');
    await assert.rejects(redactApiError(keys, Promise.reject(broken)), broken);
  });
});
