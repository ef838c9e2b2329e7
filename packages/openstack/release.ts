// SPDX-License-Identifier: Apache-2.0

/** An OpenStack release: `2025.2`, with what follows the first `-` of the tag as its patch. */
export interface Release {
  year: number;
  minor: number;
  patch?: string;
}

/** Parses a release from an image tag; throws an error with the reason when the tag is not a release. */
export function parseRelease(tag: string): Release {
  if (tag === '') throw new Error('empty release tag');
  const dash = tag.indexOf('-');
  const parts = (dash < 0 ? tag : tag.slice(0, dash)).split('.');
  const [yearText, minorText] = parts;
  if (parts.length !== 2 || yearText === undefined || minorText === undefined) {
    throw new Error(`invalid release format "${tag}": expected YYYY.N`);
  }
  const year = integer(yearText, `invalid release year in "${tag}"`);
  if (year < 2010) throw new Error(`invalid release year ${year} in "${tag}": must be >= 2010`);
  const minor = integer(minorText, `invalid release minor version in "${tag}"`);
  if (minor !== 1 && minor !== 2) {
    throw new Error(`invalid release minor version ${minor} in "${tag}": must be 1 or 2`);
  }
  return dash < 0 ? { year, minor } : { year, minor, patch: tag.slice(dash + 1) };
}

/**
 * Less than 0 when `a` is older than `b`, greater when it is newer, 0 when they are the same release; ignores patches.
 */
export function compareReleases(a: Release, b: Release): number {
  return a.year - b.year || a.minor - b.minor;
}

/** The release that follows: there are two a year. */
export const nextReleaseOf = ({ year, minor }: Release) => (minor === 1 ? `${year}.2` : `${year + 1}.1`);

/** Whether `next` is the release that follows `release`. */
export const isNextRelease = (release: Release, { year, minor }: Release) =>
  nextReleaseOf(release) === `${year}.${minor}`;

function integer(text: string, what: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${what}: "${text}" is not a whole number`);
  return Number(text);
}
