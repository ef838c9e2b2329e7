// SPDX-License-Identifier: Apache-2.0

/** Where the content is: a key that repeats the mount or `data` is understood. */
export function dataPath(mount: string | undefined, key: string): string {
  if (mount === undefined) {
    if (key.includes('/data/')) return key;
    const [first = '', ...rest] = key.split('/');
    return [first, 'data', ...rest].join('/');
  }
  const relative = [`${mount}/data/`, `${mount}/`].find((prefix) => key.startsWith(prefix)) ?? '';
  return `${mount}/data/${key.slice(relative.length)}`;
}

/** Where the metadata is: the key is taken as it is, so that one which repeats the mount leads elsewhere. */
export function metadataPath(mount: string | undefined, key: string): string {
  return mount === undefined ? dataPath(mount, key).replace('/data/', '/metadata/') : `${mount}/metadata/${key}`;
}
