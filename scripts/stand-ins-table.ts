// SPDX-License-Identifier: Apache-2.0
import { kindsOf, standInNames, standIns } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import { markdownTable } from './markdown-table.ts';

const section = /(?<=<!-- stand-ins -->\n)[^]*?(?=<!-- end of stand-ins -->)/;

/** The page with an updated table of the stand-ins. */
export function writeStandIns(page: string): string {
  const rows = standInNames.toSorted().map((name) => {
    const kinds = kindsOf(name).map(({ kind }) => `\`${kind}\``);
    return [`\`${name}\``, standIns[name].replaces, kinds.join(', '), standIns[name].backend];
  });
  return page.replace(section, `\n${markdownTable(['stand-in', 'replaces', 'kinds', 'external system'], rows)}\n\n`);
}
