// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

interface LockedPackage {
  version?: string;
  resolved?: string;
  engines?: { node?: string };
}

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };

describe('the lock file', () => {
  test('has no dependency that excludes the oldest Node named in README.md, so npm ci prints no warning', () => {
    const oldest = /Node (\d+\.\d+) or later/.exec(read('README.md'))?.[1] ?? assert.fail('README.md names no Node');
    assert.equal(packages['']?.engines?.node, `>=${oldest}`);
    const excluding = Object.entries(packages).filter(([, { engines }]) => !includes(engines?.node ?? '*', oldest));
    assert.deepEqual(
      excluding.map(([path, { version, engines }]) => `${path} ${version} wants Node ${engines?.node}`),
      [],
    );
  });

  test('names no registry', () => {
    const addresses = Object.values(packages).flatMap(({ resolved = '' }) =>
      /^https?:/.test(resolved) ? [resolved] : [],
    );
    assert.deepEqual(addresses, []);
  });
});

test('version ranges of engines are parsed', () => {
  const holds = ['*', '>=20', '>= 0.4', '^20.19.0 || >=22.12.0', '20 || >=22', '>=12 <21', '~20.19.0', '20.x'];
  const fails = ['>=22.12.0', '^18.0.0 || >=22', '>20.19.0', '18 || >=22', '>=12 <20', '~20.18.0', '>=20.19.1'];
  assert.deepEqual(
    holds.filter((range) => !includes(range, '20.19')),
    [],
  );
  assert.deepEqual(
    fails.filter((range) => includes(range, '20.19')),
    [],
  );
});

/** Whether an npm version range includes this version. */
function includes(range: string, version: string): boolean {
  const alternatives = range.replaceAll(/([<>=^~])\s+/g, '$1').split('||');
  return alternatives.some((all) =>
    all
      .trim()
      .split(/\s+/)
      .every((one) => satisfies(version, one)),
  );
}

function satisfies(version: string, comparator: string): boolean {
  const [, operator = '', text = ''] = /^([<>]=?|[=^~])?(.*)$/.exec(comparator) ?? [];
  const named = text
    .replace(/^v/, '')
    .split('.')
    .map(Number)
    .filter((part) => !Number.isNaN(part));
  const order = compare(version.split('.').map(Number), named);
  // The parts of `20`, `^20.1` and `~20.1.3` that must be equal.
  const fixed = operator === '^' ? 1 : operator === '~' ? 2 : named.length;
  const isSame = compare(version.split('.').map(Number).slice(0, fixed), named.slice(0, fixed)) === 0;
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '<':
      return order < 0;
    default:
      return isSame && (order >= 0 || operator === '');
  }
}

function compare(left: readonly number[], right: readonly number[]): number {
  const differing = [0, 1, 2].map((place) => (left[place] ?? 0) - (right[place] ?? 0));
  return differing.find((difference) => difference !== 0) ?? 0;
}
