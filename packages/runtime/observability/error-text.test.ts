// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorText } from './error-text.ts';

describe('the text of an error', () => {
  test('is one line with its causes, each once', () => {
    const refused = new Error('connect ECONNREFUSED\n  127.0.0.1:1');
    assert.equal(
      errorText(new Error('list pods', { cause: new TypeError('fetch failed', { cause: refused }) })),
      'list pods: TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:1',
    );
    assert.equal(
      errorText(new Error('no answer: timed out', { cause: new Error('timed out') })),
      'no answer: timed out',
    );
  });

  test('names what an error without a message consists of', () => {
    assert.equal(errorText(new AggregateError([new Error('one'), new Error('two')])), 'AggregateError: one, two');
    assert.equal(errorText(new RangeError()), 'RangeError');
    assert.equal(errorText('text'), 'text');
  });

  test('ends, even if an error is its own cause', () => {
    const error = new Error('loop');
    error.cause = error;
    assert.equal(errorText(error), 'loop');
  });
});
