// SPDX-License-Identifier: Apache-2.0

/** The path of the content; a key may begin with the mount and `data`. */
export function dataPath(mount: string | undefined, key: string): string {
  if (mount === undefined) {
    if (key.includes('/data/')) return key;
    const [first = '', ...rest] = key.split('/');
    return [first, 'data', ...rest].join('/');
  }
  const relative = [`${mount}/data/`, `${mount}/`].find((prefix) => key.startsWith(prefix)) ?? '';
  return `${mount}/data/${key.slice(relative.length)}`;
}

/** The path of the metadata; unlike for content, a key that begins with the mount gives another path. */
export function metadataPath(mount: string | undefined, key: string): string {
  return mount === undefined ? dataPath(mount, key).replace('/data/', '/metadata/') : `${mount}/metadata/${key}`;
}
