// SPDX-License-Identifier: Apache-2.0
import { kindsOf, standInNames, standIns } from '@forge/cluster/stand-ins/register/stand-ins.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { operators } from '../operators/operators.ts';
import { layers } from './layers/layers.ts';
import { markdownTable } from './markdown-table.ts';

const section = /(?<=<!-- operators -->\n)[^]*?(?=<!-- end of operators -->)/;

/** The page with an updated table of the operators, those of other projects too, and their kinds. */
export function writeSystem(page: string): string {
  const ours = operators.map(({ name, kinds }) => [
    `${name} operator`,
    codes(kinds.map(({ kind }) => kind)),
    layers[`operators/${name}`]?.description ?? '',
  ]);
  const others = standInNames.map((name) => [standIns[name].replaces, codes(kindsOf(name)), standIns[name].job]);
  return page.replace(section, `\n${markdownTable(['operator', 'kinds', 'job'], [...ours, ...others])}\n\n`);
}

const codes = (kinds: readonly Kind[]) => kinds.map(({ kind }) => `\`${kind}\``).join(', ');
