// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalQuantity, nanosOf } from './quantity.ts';

test('quantities are canonicalised as on a real server', () => {
  const cases: Record<string, string> = {
    '0': '0',
    '0Mi': '0',
    '1': '1',
    '1.0': '1',
    '0.5': '500m',
    '.5': '500m',
    '-0.1': '-100m',
    '0.0001': '100u',
    '0.0000000001': '1n',
    '0.123456789123': '123456790n',
    '1000m': '1',
    '1500m': '1500m',
    '1000000000': '1G',
    '1.5k': '1500',
    '1024Mi': '1Gi',
    '1000Mi': '1000Mi',
    '1.5Ki': '1536',
    '0.5Ki': '512',
    '1.1Ki': '1126400m',
    '-1.5Gi': '-1536Mi',
    '100000Ei': '9223372036854775807',
    '1e3': '1e3',
    '1.5e3': '1500',
    '100e-1': '10',
    '1e100': '10e99',
    '1E': '1E',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(cases).map((text) => [text, canonicalQuantity(text)])), cases);
});

test('other texts are not quantities', () => {
  for (const text of ['', 'abc', '1e', '1kk', '1K', '1.2.3', '1Mi5', '--1', 'NaN']) {
    assert.equal(canonicalQuantity(text), undefined, text);
  }
});

test('the canonical form is equal, and its own canonical form', () => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-2');
  const quantity = fc.tuple(fc.nat(10_000_000), fc.nat(999), suffix);
  fc.assert(
    fc.property(quantity, ([whole, fraction, unit]) => {
      const text = `${whole}.${fraction}${unit}`;
      const canonical = canonicalQuantity(text) ?? '';
      assert.match(canonical, /^\d+(?:[numkMGTPE]|[KMGTPE]i|e-?\d+)?$/);
      assert.equal(canonicalQuantity(canonical), canonical);
      const [given, kept] = [valueOf(text), valueOf(canonical)];
      // The finest unit is a billionth; smaller parts are rounded up.
      assert.ok(kept >= given * (1 - 1e-9) && kept <= given * (1 + 1e-9) + 1e-9, `${text} became ${canonical}`);
    }),
  );
});

const units: Record<string, number> = { n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
const sizes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function valueOf(text: string): number {
  const [, number = '', unit = ''] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  if (/^e-?\d/.test(unit)) return Number(number) * Number(`1${unit}`);
  return Number(number) * (units[unit] ?? 1024 ** (sizes.indexOf(unit) + 1));
}

test('very long numbers can be compared but not stored, and take no time', () => {
  for (const text of ['1e999999999', '1e-999999999', '9'.repeat(1_000_000), `0.${'9'.repeat(1_000_000)}`]) {
    assert.equal(canonicalQuantity(text), undefined);
    assert.equal(typeof nanosOf(text), 'bigint');
  }
});
