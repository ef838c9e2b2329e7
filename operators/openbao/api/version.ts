// SPDX-License-Identifier: Apache-2.0

/** A version of OpenBao. */
interface Version {
  readonly core: readonly number[];
  /** The identifiers of a pre-release; none for a release. */
  readonly preRelease: readonly string[];
}

const grammar = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** The version in a text such as 2.7.2 or v2.7.0-beta1; undefined when it is none. */
function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, preRelease] = grammar.exec(text.trim()) ?? [];
  if (major === undefined) return undefined;
  return { core: [major, minor, patch].map(Number), preRelease: preRelease?.split('.') ?? [] };
}

/** Whether a text is a version. */
export const isVersion = (text: string): boolean => parseVersion(text) !== undefined;

/** Negative when the first version is the lower one, 0 when they are equal; what is no version is lower than any. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [parseVersion(one), parseVersion(other)];
  if (first === undefined || second === undefined) return Number(first !== undefined) - Number(second !== undefined);
  const core = first.core.map((part, index) => part - (second.core[index] ?? 0)).find((each) => each !== 0);
  return core ?? comparePreReleases(first.preRelease, second.preRelease);
}

/** Whether minor or major releases lie between two versions: their release notes apply, too. */
export function skipsVersions(from: string, to: string): boolean {
  const [major = 0, minor = 0] = parseVersion(from)?.core ?? [];
  const [newMajor = major, newMinor = minor] = parseVersion(to)?.core ?? [];
  return newMajor > major || (newMajor === major && newMinor > minor + 1);
}

/** The highest of these versions; undefined when there is none among them. */
export function highestVersion(texts: readonly (string | undefined)[]): string | undefined {
  return texts
    .filter((text) => text !== undefined && isVersion(text))
    .toSorted((a = '', b = '') => compareVersions(b, a))[0];
}

/** Semantic precedence: a release is higher than its pre-releases. */
function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return Number(one.length === 0) - Number(other.length === 0);
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    const difference = compareIdentifiers(part, against);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Numbers are lower than words. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}
