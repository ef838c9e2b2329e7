// SPDX-License-Identifier: Apache-2.0

/** Sorts API versions: stable before beta before alpha, newer before older; other names last, alphabetically. */
export function compareVersions(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if (rankA === undefined || rankB === undefined) {
    if (rankA !== rankB) return rankA === undefined ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  const at = rankA.findIndex((part, index) => part !== rankB[index]);
  return at === -1 ? 0 : (rankB[at] ?? 0) - (rankA[at] ?? 0);
}

const stability = ['alpha', 'beta', ''];

/** Stability, major and minor version of `v2beta1`. */
function rankOf(version: string): [number, number, number] | undefined {
  const [, major, level = '', minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [stability.indexOf(level), Number(major), Number(minor)];
}
