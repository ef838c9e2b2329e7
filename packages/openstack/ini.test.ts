// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeIni, renderIni } from './ini.ts';

describe('oslo INI', () => {
  test('sections and options are in byte order, DEFAULT before lower case, with one empty line between sections', () => {
    const text = renderIni({ token: { provider: 'fernet' }, DEFAULT: { use_stderr: 'true', debug: 'false' } });
    assert.equal(text, '[DEFAULT]\ndebug = false\nuse_stderr = true\n\n[token]\nprovider = fernet\n');
  });

  test('an empty configuration is an empty text', () => {
    assert.equal(renderIni({}), '');
  });

  test('a later layer overrides single options, and no layer is changed', () => {
    const defaults = { cache: { enabled: 'true', backend: 'a' } };
    const merged = mergeIni(defaults, { cache: { backend: 'b' }, extra: { x: '1' } });
    assert.deepEqual(merged, { cache: { enabled: 'true', backend: 'b' }, extra: { x: '1' } });
    assert.deepEqual(defaults, { cache: { enabled: 'true', backend: 'a' } });
  });

  test('sections and options without a name, which oslo cannot read, are rejected', () => {
    assert.throws(() => renderIni({ '': { debug: 'true' } }), /a section must have a name/);
    assert.throws(() => renderIni({ DEFAULT: { '': 'true' } }), /every option of section \[DEFAULT\] must have a name/);
  });

  test('values that could inject an option or section are rejected by name', () => {
    assert.throws(
      () => renderIni({ DEFAULT: { debug: 'x\nadmin_token = y' } }),
      /option "debug" of section \[DEFAULT\]/,
    );
    assert.throws(() => renderIni({ 'a]\n[b': {} }), /section "a\]\\n\[b"/);
  });
});

test('a name or value that would break out of its line or its brackets is refused', () => {
  assert.throws(() => renderIni({ 'a]b': {} }), /section "a\]b" must not contain "\]"/);
  assert.throws(() => renderIni({ a: { 'b\nc': '1' } }), /option "b\\nc" of section \[a\] must be a single line/);
  assert.throws(() => renderIni({ a: { b: '1\r2' } }), /option "b" of section \[a\] must be a single line/);
});
