// SPDX-License-Identifier: Apache-2.0
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const link = /\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g;

/** Links in Markdown files to files or headings of the repository that do not exist. */
export function brokenLinks(): string[] {
  // The links of the skeleton lead to pages of the operator that it becomes.
  const pages = globSync('**/*.md', { exclude: (name) => /^(node_modules|dist|skeleton|\..*)$/.test(name) });
  return pages.flatMap((page) =>
    [...withoutCode(readFileSync(page, 'utf8')).matchAll(link)].flatMap(([, path = '', heading]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) return [`${page}: ${path} does not exist`];
      const isKnown = heading === undefined || !target.endsWith('.md') || headingsOf(target).includes(heading);
      return isKnown ? [] : [`${page}: ${target} has no heading #${heading}`];
    }),
  );
}

/** The headings of a page, as GitHub writes them in addresses. */
function headingsOf(page: string): string[] {
  const headings = withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```/gm, '');
}
