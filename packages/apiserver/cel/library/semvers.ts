// SPDX-License-Identifier: Apache-2.0
import { bool, int, opaque, string } from '../values/type.ts';
import { EvalError, Opaque, type Result } from '../values/value.ts';
import { define, defineMember, type Overload, traverse } from './overload.ts';

const type = opaque('kubernetes.Semver');

class Semver extends Opaque {
  readonly type = type;
  /** Major, minor, patch. */
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
  equals(other: Opaque): boolean {
    return other instanceof Semver && order(this, other) === 0;
  }
}

const shape = /^([^.]*)\.([^.]*)\.([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s;
const parts = ['Major', 'Minor', 'Patch'];

function parse(text: string): Semver | EvalError {
  if (text === '') return new EvalError('Version string empty');
  const [, major, minor, patch, prerelease, build] = shape.exec(text) ?? [];
  if (major === undefined) return new EvalError('No Major.Minor.Patch elements found');
  const numbers: bigint[] = [];
  for (const [index, digits = ''] of [major, minor, patch].entries()) {
    const part = parts[index] ?? '';
    if (!/^\d+$/.test(digits)) {
      return new EvalError(`Invalid character(s) found in ${part.toLowerCase()} number ${JSON.stringify(digits)}`);
    }
    if (/^0\d/.test(digits)) {
      return new EvalError(`${part} number must not contain leading zeroes ${JSON.stringify(digits)}`);
    }
    numbers.push(BigInt(digits));
  }
  const labels = prerelease?.split('.') ?? [];
  const problem = labels.map(labelProblem).find((each) => each !== undefined) ?? buildProblem(build);
  return problem === undefined ? new Semver(numbers, labels) : new EvalError(problem);
}

function labelProblem(label: string): string | undefined {
  if (label === '') return 'Prerelease is empty';
  if (/^0\d+$/.test(label)) {
    return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(label)}`;
  }
  return /^[0-9A-Za-z-]+$/.test(label)
    ? undefined
    : `Invalid character(s) found in prerelease ${JSON.stringify(label)}`;
}

function buildProblem(build: string | undefined): string | undefined {
  const labels = build?.split('.') ?? [];
  if (labels.includes('')) return 'Build meta data is empty';
  const wrong = labels.find((label) => !/^[0-9A-Za-z-]+$/.test(label));
  return wrong === undefined ? undefined : `Invalid character(s) found in build meta data ${JSON.stringify(wrong)}`;
}

/** A lenient version: `v1.02` means 1.2.0. */
function parseLoosely(text: string): Semver | EvalError {
  const [first = '', second, ...rest] = text.replace(/^v/, '').split('.');
  const given = [first, ...(second === undefined ? [] : [second]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  const plain = given.map((part) => part.replace(/^0+(?=\d)/, ''));
  if (plain.length < 3 && /[+-]/.test(plain.at(-1) ?? '')) {
    return new EvalError('short version cannot contain PreRelease/Build meta data');
  }
  return parse([...plain, '0', '0'].slice(0, Math.max(plain.length, 3)).join('.'));
}

function order(a: Semver, b: Semver): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  // A release sorts after its pre-releases.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [index, label] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const compared = orderLabels(label, other);
    if (compared !== 0) return compared;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

function orderLabels(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left !== right) return left ? -1 : 1;
  if (!left) return a < b ? -1 : Number(a > b);
  return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
}

function read(text: string, loosely = false): Result {
  return loosely ? parseLoosely(text) : parse(text);
}

const reading = { cost: (size: number) => traverse(size) };
const names = ['major', 'minor', 'patch'];

/** Versions, as semver.org orders them. */
export const semvers: readonly Overload[] = [
  define('semver', [string], type, (text: string) => read(text), reading),
  define('semver', [string, bool], type, (text: string, loosely: boolean) => read(text, loosely), reading),
  define('isSemver', [string], bool, (text: string) => read(text) instanceof Semver, reading),
  define(
    'isSemver',
    [string, bool],
    bool,
    (text: string, loosely: boolean) => read(text, loosely) instanceof Semver,
    reading,
  ),
  defineMember('isGreaterThan', [type, type], bool, (left: Semver, right: Semver) => order(left, right) > 0),
  defineMember('isLessThan', [type, type], bool, (left: Semver, right: Semver) => order(left, right) < 0),
  defineMember('compareTo', [type, type], int, (left: Semver, right: Semver) => BigInt(order(left, right))),
  ...names.map((name, index) => defineMember(name, [type], int, ({ numbers }: Semver) => numbers[index] ?? 0n)),
];
